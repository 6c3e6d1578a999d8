Texture2D<float> height_map : register(t0);
SamplerState clamped : register(s1);
cbuffer Camera : register(b2)
{
    float4x4 view_projection;
    float2 scale;
};
float4 main(float2 place : POSITION, out float3 normal : NORMAL) : SV_Position
{
    float2 at = place * scale;
    float h = height_map.SampleLevel(clamped, at, 0);
    float x = height_map.SampleLevel(clamped, at, 0, int2(1, 0)), z = height_map.SampleLevel(clamped, at, 0, int2(0, 1));
    normal = normalize(float3(h - x, 0.1, h - z));
    return mul(view_projection, float4(place.x, h, place.y, 1));
}

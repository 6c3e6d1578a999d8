Texture2D rock : register(t0);
Texture2D grass : register(t1);
SamplerState wrapped : register(s2);
struct Input {
    float4 position : SV_Position;
    float3 world : TEXCOORD0;
    float3 normal : NORMAL;
};
float4 planes(Texture2D image, SamplerState s, float3 p, float3 w)
{
    return image.Sample(s, p.yz) * w.x + image.Sample(s, p.zx) * w.y + image.Sample(s, p.xy) * w.z;
}
float4 main(Input input) : SV_Target
{
    float3 w = abs(input.normal);
    w /= dot(w, 1);
    return lerp(planes(rock, wrapped, input.world, w), planes(grass, wrapped, input.world * 2, w), saturate(input.normal.y));
}

Texture2D diffuse_map : register(t0);
Texture2D normal_map : register(t1);
Texture2D gloss_map : register(t2);
SamplerState wrapped : register(s3);
cbuffer Light : register(b4)
{
    float3 direction;
    float power;
    float3 tint;
    float ambient;
};
struct Input {
    float4 position : SV_Position;
    float3 normal : NORMAL;
    float3 tangent : TANGENT;
    float2 coord : TEXCOORD0;
    float3 view : TEXCOORD1;
};
float4 main(Input input) : SV_Target
{
    float3 n = normalize(input.normal), t = normalize(input.tangent);
    float3 bump = normal_map.Sample(wrapped, input.coord).xyz * 2 - 1;
    n = normalize(mul(bump, float3x3(t, cross(n, t), n)));
    float3 h = normalize(normalize(input.view) - direction);
    float gloss = gloss_map.SampleBias(wrapped, input.coord, 1.0).r;
    float3 c = diffuse_map.Sample(wrapped, input.coord).rgb * (ambient + saturate(dot(n, -direction)) * tint);
    return float4(c + pow(saturate(dot(n, h)), power) * gloss * tint, 1);
}

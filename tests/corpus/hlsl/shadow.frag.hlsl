Texture2D depth_map : register(t0);
Texture2D albedo_map : register(t1);
SamplerComparisonState compare : register(s2);
SamplerState plain : register(s3);
static const float2 disc[4] = {float2(-0.94, -0.39), float2(0.94, -0.76), float2(-0.09, -0.92), float2(0.34, 0.29)};
struct Input {
    float4 position : SV_Position;
    float2 coord : TEXCOORD0;
    float4 light : TEXCOORD1;
};
float lit(float3 p)
{
    float sum = 0;
    [unroll] for (int i = 0; i < 4; i++)
        sum += depth_map.SampleCmpLevelZero(compare, p.xy + disc[i] / 700.0, p.z);
    return sum / 4;
}
float4 main(Input input) : SV_Target
{
    float4 albedo = albedo_map.Sample(plain, input.coord);
    clip(albedo.a - 0.5);
    return albedo * (0.2 + 0.8 * lit(input.light.xyz / input.light.w));
}

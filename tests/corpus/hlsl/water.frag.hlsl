Texture2D normal_map : register(t0);
Texture2D reflection_map : register(t1);
TextureCube sky : register(t2);
SamplerState wrapped : register(s3);
SamplerState clamped : register(s4);
cbuffer Water : register(b5)
{
    float time;
    float strength;
};
struct Input {
    float4 position : SV_Position;
    float4 screen : TEXCOORD0;
    float2 coord : TEXCOORD1;
    float3 view : TEXCOORD2;
};
float4 main(Input input) : SV_Target
{
    float2 n = normal_map.Sample(wrapped, input.coord + time * float2(0.1, 0.05)).xy +
               normal_map.Sample(wrapped, input.coord * 2 - time * 0.07).xy - 1;
    float2 at = input.screen.xy / input.screen.w * float2(0.5, -0.5) + 0.5;
    float4 mirrored = reflection_map.Sample(clamped, at + n * strength);
    float4 above = sky.Sample(wrapped, reflect(input.view, normalize(float3(n.x, 1, n.y))));
    return lerp(mirrored, above, 1 - mirrored.a);
}

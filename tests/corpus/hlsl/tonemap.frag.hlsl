Texture2D scene : register(t0);
Texture3D grading : register(t1);
SamplerState linear_clamp : register(s2);
float4 main(float2 coord : TEXCOORD0) : SV_Target
{
    float3 c = scene.Sample(linear_clamp, coord).rgb;
    c = c * (c * 0.15 + 0.05) + 0.004;
    c = saturate(c / (c + 1));
    return float4(grading.Sample(linear_clamp, c * (31.0 / 32) + 0.5 / 32).rgb, 1);
}

Texture2D slide : register(t0);
Texture2DArray masks : register(t1);
SamplerState edge : register(s2);
float4 main(float4 at : TEXCOORD0, float layer : TEXCOORD1) : SV_Target
{
    float2 p = at.xy / at.w;
    float4 c = slide.Sample(edge, p) * masks.Sample(edge, float3(p, layer));
    return any(p < 0) || any(p > 1) ? float4(0, 0, 0, 1) : c;
}

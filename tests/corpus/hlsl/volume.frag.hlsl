Texture3D<float> density : register(t0);
Texture1D<float4> transfer : register(t1);
SamplerState clamped : register(s2);
float4 main(float3 start : TEXCOORD0, float3 way : TEXCOORD1) : SV_Target
{
    float4 sum = 0;
    float3 p = start, d = normalize(way) / 64;
    [loop] for (int i = 0; i < 64; i++) {
        float4 c = transfer.SampleLevel(clamped, density.SampleLevel(clamped, p, 0), 0);
        sum += (1 - sum.a) * float4(c.rgb * c.a, c.a);
        if (sum.a > 0.95)
            break;
        p += d;
    }
    return sum;
}

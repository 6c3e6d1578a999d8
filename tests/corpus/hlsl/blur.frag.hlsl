Texture2D source : register(t0);
SamplerState edge : register(s1);
cbuffer Blur : register(b2)
{
    float2 direction;
    int radius;
};
float4 main(float2 coord : TEXCOORD0) : SV_Target
{
    float4 sum = 0;
    float total = 0;
    [loop] for (int i = -radius; i <= radius; i++) {
        float w = exp(-0.5 * i * i / (radius * radius + 0.01));
        sum += w * source.SampleLevel(edge, coord + direction * i, 0);
        total += w;
    }
    return sum / total;
}

Texture2D image : register(t0);
SamplerState plain : register(s1);
float4 main(float2 at : TEXCOORD0) : SV_Target
{
    float level = image.CalculateLevelOfDetail(plain, at);
    return image.SampleLevel(plain, at, level + 1) * image.CalculateLevelOfDetailUnclamped(plain, at);
}

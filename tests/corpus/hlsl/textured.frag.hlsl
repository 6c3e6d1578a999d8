Texture2D<float4> image : register(t0);
SamplerState plain : register(s1);
float4 main(float2 coord : TEXCOORD0) : SV_Target
{
    return image.Sample(plain, coord);
}

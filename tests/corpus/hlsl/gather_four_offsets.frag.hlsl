Texture2D image : register(t0);
SamplerState plain : register(s1);
float4 main(float4 at : TEXCOORD0) : SV_Target
{
    return image.GatherRed(plain, at.xy, int2(0, 0), int2(2, 0), int2(0, 2), int2(2, 2)) +
           image.GatherGreen(plain, at.zw, int2(-3, 1), int2(2, -4), int2(5, 2), int2(-1, -1));
}

Texture2D image : register(t0);
Texture2DArray layers : register(t1);
TextureCube around : register(t2);
SamplerState plain : register(s3);
float4 main(float4 at : TEXCOORD0) : SV_Target
{
    float4 c = image.Gather(plain, at.xy) + image.GatherRed(plain, at.xy) + image.GatherGreen(plain, at.xy, int2(1, 1));
    c += image.GatherBlue(plain, at.xy, int2(-1, 2)) + image.GatherAlpha(plain, at.xy);
    c += layers.Gather(plain, at.xyz) + layers.GatherGreen(plain, at.xyz);
    return c + around.Gather(plain, at.xyz);
}

Texture2D image : register(t0);
Texture3D volume : register(t1);
TextureCube sky : register(t2);
Texture2DArray layers : register(t3);
Texture1D line_image : register(t4);
Texture1DArray lines : register(t5);
TextureCubeArray skies : register(t6);
SamplerState plain : register(s7);
float4 main(float4 at : TEXCOORD0) : SV_Target
{
    float4 c = image.SampleLevel(plain, at.xy, at.w) + volume.SampleLevel(plain, at.xyz, 0);
    c += sky.SampleLevel(plain, at.xyz, 2) + layers.SampleLevel(plain, at.xyz, 1.5);
    c += line_image.SampleLevel(plain, at.x, 0) + lines.SampleLevel(plain, at.xy, 1);
    return c + skies.SampleLevel(plain, at, 3);
}

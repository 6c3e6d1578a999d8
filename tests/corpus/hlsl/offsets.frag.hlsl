Texture2D image : register(t0);
Texture3D volume : register(t1);
Texture2DArray layers : register(t2);
Texture1D line_image : register(t3);
SamplerState plain : register(s4);
float4 main(float4 at : TEXCOORD0) : SV_Target
{
    return image.Sample(plain, at.xy, int2(1, 2)) + image.SampleBias(plain, at.xy, 0.5, int2(-1, 0)) +
           image.SampleLevel(plain, at.xy, 1, int2(3, -3)) + volume.Sample(plain, at.xyz, int3(1, 0, -1)) +
           layers.Sample(plain, at.xyz, int2(0, 1)) + line_image.Sample(plain, at.x, 2);
}

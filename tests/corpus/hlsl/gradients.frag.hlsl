Texture2D image : register(t0);
Texture3D volume : register(t1);
Texture2DArray layers : register(t2);
TextureCube sky : register(t3);
SamplerState plain : register(s4);
float4 main(float4 at : TEXCOORD0) : SV_Target
{
    float4 dx = ddx(at), dy = ddy(at);
    return image.SampleGrad(plain, at.xy, dx.xy, dy.xy) + volume.SampleGrad(plain, at.xyz, dx.xyz, dy.xyz) +
           layers.SampleGrad(plain, at.xyz, dx.xy, dy.xy) + sky.SampleGrad(plain, at.xyz, dx.xyz, dy.xyz) +
           image.SampleGrad(plain, at.yx, dx.xy, dy.xy, int2(1, -2));
}

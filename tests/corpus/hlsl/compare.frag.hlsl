Texture2D depth_map : register(t0);
Texture2DArray cascades : register(t1);
TextureCube around : register(t2);
SamplerComparisonState compare : register(s3);
float4 main(float4 at : TEXCOORD0) : SV_Target
{
    float lit = depth_map.SampleCmp(compare, at.xy, at.z) + depth_map.SampleCmpLevelZero(compare, at.xy, at.z);
    lit += depth_map.SampleCmp(compare, at.xy, at.z, int2(1, 1));
    lit += cascades.SampleCmp(compare, at.xyw, at.z) + cascades.SampleCmpLevelZero(compare, at.xyw, at.z, int2(-1, 0));
    lit += around.SampleCmp(compare, at.xyz, at.w);
    return lit / 6;
}

Texture2D depth_map : register(t0);
Texture2DArray cascades : register(t1);
SamplerComparisonState compare : register(s2);
float4 main(float4 at : TEXCOORD0) : SV_Target
{
    return depth_map.GatherCmp(compare, at.xy, at.z) + depth_map.GatherCmp(compare, at.xy, at.z, int2(1, -1)) +
           cascades.GatherCmp(compare, at.xyw, at.z);
}

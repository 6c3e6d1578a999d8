// Without an offset glslang takes the comparison value for a bias.
Texture2D depth_map : register(t0);
Texture2DArray cascades : register(t1);
SamplerComparisonState compare : register(s2);
float4 main(float4 at : TEXCOORD0) : SV_Target
{
    return depth_map.GatherCmp(compare, at.xy, at.z, int2(1, -1)) +
           depth_map.GatherCmpRed(compare, at.yx, at.w, int2(0, 0)) +
           cascades.GatherCmp(compare, at.xyw, at.z, int2(-1, 2)) +
           cascades.GatherCmpRed(compare, at.yxw, 0.5, int2(3, 3));
}

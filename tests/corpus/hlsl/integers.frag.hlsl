Texture2D<uint4> ids : register(t0);
Texture2D<int2> shifts : register(t1);
SamplerState nearest : register(s2);
uint4 main(float2 at : TEXCOORD0) : SV_Target
{
    uint4 around = ids.Gather(nearest, at);
    int2 shift = shifts.Gather(nearest, at).xy;
    return around + uint4(shift, 0, 0);
}

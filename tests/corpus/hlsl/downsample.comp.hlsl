Texture2D source : register(t0);
SamplerState clamped : register(s1);
RWTexture2D<float4> target : register(u2);
cbuffer Sizes : register(b3)
{
    float2 texel;
};
groupshared float4 tile[8][8];
[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID, uint3 local : SV_GroupThreadID)
{
    tile[local.y][local.x] = source.SampleLevel(clamped, (id.xy + 0.5) * texel, 0);
    GroupMemoryBarrierWithGroupSync();
    if (all((local.xy & 1) == 0))
        target[id.xy / 2] = (tile[local.y][local.x] + tile[local.y][local.x + 1] + tile[local.y + 1][local.x] +
                             tile[local.y + 1][local.x + 1]) * 0.25;
}

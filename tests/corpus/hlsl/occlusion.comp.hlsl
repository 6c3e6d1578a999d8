Texture2D<float> depth_map : register(t0);
Texture2D<float4> normal_map : register(t1);
SamplerState nearest : register(s2);
SamplerState smooth_sampler : register(s3);
RWTexture2D<float> target : register(u4);
cbuffer Parameters : register(b5)
{
    float2 texel;
    float radius;
};
float rotation(uint2 p)
{
    return frac(sin(dot(p, float2(12.9898, 78.233))) * 43758.5453) * 6.2831853;
}
[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    float2 at = (id.xy + 0.5) * texel;
    float depth = depth_map.SampleLevel(nearest, at, 0);
    float3 n = normal_map.SampleLevel(smooth_sampler, at, 0).xyz * 2 - 1;
    float turn = rotation(id.xy), open = 0;
    for (uint i = 0; i < 16; i++) {
        float angle = turn + i * 2.4;
        float2 way = float2(cos(angle), sin(angle)) * radius * sqrt(i / 16.0);
        float4 depths = depth_map.GatherRed(nearest, at + way);
        open += dot(saturate((depths - depth) * 100 + dot(n.xy, way)), 0.25);
    }
    target[id.xy] = open / 16;
}

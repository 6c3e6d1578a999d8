Texture3D<float4> velocity : register(t0);
SamplerState wrapped : register(s1);
RWBuffer<float4> places : register(u2);
cbuffer Step : register(b3)
{
    float seconds;
    uint count;
};
[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    if (id.x >= count)
        return;
    float4 p = places[id.x];
    float3 half_way = p.xyz + velocity.SampleLevel(wrapped, p.xyz, 0).xyz * seconds * 0.5;
    p.xyz += velocity.SampleLevel(wrapped, half_way, 0).xyz * seconds;
    places[id.x] = p;
}

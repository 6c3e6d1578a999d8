Texture2D images[8] : register(t0);
SamplerState samplers[2] : register(s8);
cbuffer Which : register(b10)
{
    int index;
    int sampler_index;
};
float4 main(float2 coord : TEXCOORD0) : SV_Target
{
    float4 c = images[3].Sample(samplers[0], coord) + images[index].Sample(samplers[sampler_index], coord);
    [loop] for (int i = 0; i < 8; i++)
        c += images[i].SampleLevel(samplers[1], coord, i);
    return c;
}

[[vk::binding(3, 1)]] Texture2D image;
[[vk::binding(0, 2)]] SamplerState plain;
[[vk::binding(7, 0)]] Texture2DArray layers;
[[vk::constant_id(4)]] const int LAYER = 2;
float4 main(float2 coord : TEXCOORD0) : SV_Target
{
    return image.Sample(plain, coord) * layers.Sample(plain, float3(coord, LAYER));
}

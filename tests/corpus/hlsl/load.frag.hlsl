Texture2D image : register(t0);
Texture2DArray layers : register(t1);
Texture2DMS<float4> samples : register(t2);
Buffer<float4> values : register(t3);
float4 main(float4 place : SV_Position) : SV_Target
{
    int3 at = int3(place.xy, 0);
    uint width, height, count;
    image.GetDimensions(width, height);
    samples.GetDimensions(width, height, count);
    float4 c = image.Load(at) + layers.Load(int4(at, 1)) + values.Load(at.x);
    for (uint i = 0; i < count; i++)
        c += samples.Load(at.xy, i);
    return c / width;
}

Texture2D sizes : register(t0);
SamplerState clamped : register(s1);
struct Point {
    float4 position : SV_Position;
    float2 coord : TEXCOORD0;
};
[maxvertexcount(4)]
void main(point Point input[1], inout TriangleStream<Point> stream)
{
    float size = sizes.SampleLevel(clamped, input[0].coord, 0).r;
    for (int i = 0; i < 4; i++) {
        Point output;
        output.coord = float2(i & 1, i >> 1);
        output.position = input[0].position + float4((output.coord - 0.5) * size, 0, 0);
        stream.Append(output);
    }
}

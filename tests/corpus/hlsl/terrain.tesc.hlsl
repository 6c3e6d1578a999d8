Texture2D detail_map : register(t0);
SamplerState clamped : register(s1);
struct Point {
    float4 position : POSITION;
    float2 coord : TEXCOORD0;
};
struct Factors {
    float edge[3] : SV_TessFactor;
    float inside : SV_InsideTessFactor;
};
Factors factors(InputPatch<Point, 3> points)
{
    Factors f;
    f.edge[0] = f.edge[1] = f.edge[2] = 4;
    f.inside = 1 + 8 * detail_map.SampleLevel(clamped, points[0].coord, 2).r;
    return f;
}
[domain("tri")]
[partitioning("integer")]
[outputtopology("triangle_cw")]
[outputcontrolpoints(3)]
[patchconstantfunc("factors")]
Point main(InputPatch<Point, 3> points, uint id : SV_OutputControlPointID)
{
    return points[id];
}

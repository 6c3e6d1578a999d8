Texture2D height_map : register(t0);
SamplerState clamped : register(s1);
struct Point {
    float4 position : POSITION;
    float2 coord : TEXCOORD0;
};
struct Factors {
    float edge[3] : SV_TessFactor;
    float inside : SV_InsideTessFactor;
};
[domain("tri")]
float4 main(Factors f, float3 w : SV_DomainLocation, const OutputPatch<Point, 3> points) : SV_Position
{
    float2 at = points[0].coord * w.x + points[1].coord * w.y + points[2].coord * w.z;
    float4 p = points[0].position * w.x + points[1].position * w.y + points[2].position * w.z;
    p.y += height_map.SampleLevel(clamped, at, 0).r;
    return p;
}

struct Sprite {
    float2 place;
    float2 size;
    float4 coord;
    float4 tint;
};
StructuredBuffer<Sprite> sprites : register(t0);
struct Output {
    float4 position : SV_Position;
    float2 coord : TEXCOORD0;
    float4 tint : COLOR;
};
Output main(uint id : SV_VertexID, uint instance : SV_InstanceID)
{
    Sprite s = sprites[instance];
    float2 corner = float2(id & 1, id >> 1);
    Output output;
    output.position = float4(s.place + s.size * corner, 0, 1);
    output.coord = lerp(s.coord.xy, s.coord.zw, corner);
    output.tint = s.tint;
    return output;
}

Buffer<float4> sprites : register(t0);
struct Output {
    float4 position : SV_Position;
    float2 coord : TEXCOORD0;
    float4 tint : COLOR;
};
Output main(uint id : SV_VertexID, uint instance : SV_InstanceID)
{
    float4 place = sprites.Load(3 * instance), coord = sprites.Load(3 * instance + 1);
    float2 corner = float2(id & 1, id >> 1);
    Output output;
    output.position = float4(place.xy + place.zw * corner, 0, 1);
    output.coord = lerp(coord.xy, coord.zw, corner);
    output.tint = sprites.Load(3 * instance + 2);
    return output;
}

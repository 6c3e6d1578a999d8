cbuffer Camera : register(b0)
{
    float4x4 view_projection;
};
struct Output {
    float4 position : SV_Position;
    float3 direction : TEXCOORD0;
};
Output main(uint id : SV_VertexID)
{
    Output output;
    float3 p = float3(id & 1, id >> 1 & 1, id >> 2) * 2 - 1;
    output.direction = p;
    output.position = mul(view_projection, float4(p, 0)).xyww;
    return output;
}

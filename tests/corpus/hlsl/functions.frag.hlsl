Texture2D first : register(t0);
Texture2D second : register(t1);
SamplerState one : register(s2);
SamplerState two : register(s3);
struct Surface {
    float4 albedo;
    float3 normal;
};
Surface surface(Texture2D albedo_map, Texture2D normal_map, SamplerState s, float2 at)
{
    Surface result;
    result.albedo = albedo_map.Sample(s, at);
    result.normal = normal_map.Sample(s, at).xyz * 2 - 1;
    return result;
}
float4 main(float2 coord : TEXCOORD0) : SV_Target
{
    Surface a = surface(first, second, one, coord), b = surface(second, first, two, coord * 4);
    return a.albedo * b.albedo * saturate(dot(a.normal, b.normal));
}

Texture2D a : register(t0);
Texture2D b : register(t1);
SamplerState s : register(s2);
float4 main(float3 at : TEXCOORD0) : SV_Target
{
    float4 c = 0;
    [branch] if (at.z > 0.5)
        c = a.Sample(s, at.xy);
    else if (at.z > 0.25)
        c = b.SampleLevel(s, at.xy, 0);
    switch ((int)(at.x * 4)) {
    case 0:
        c += a.SampleLevel(s, at.yx, 1);
        break;
    case 1:
        c += b.SampleLevel(s, at.yx, 2);
        break;
    default:
        c *= 2;
        break;
    }
    return c;
}

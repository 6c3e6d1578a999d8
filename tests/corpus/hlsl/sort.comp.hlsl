RWBuffer<uint2> keys : register(u0);
cbuffer Step : register(b1)
{
    uint block;
    uint stride;
};
[numthreads(256, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    uint i = id.x, j = i ^ stride;
    if (j <= i)
        return;
    uint2 a = keys[i], b = keys[j];
    if ((a.x > b.x) == ((i & block) == 0)) {
        keys[i] = b;
        keys[j] = a;
    }
}

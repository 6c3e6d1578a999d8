/* SPDX-License-Identifier: MIT */
/*
 * As much of GLSL's vectors and functions as shaders/{record,coords,filter}.glsl use, as C++. See translate_glsl.py.
 */
#ifndef CLAMPLER_REFERENCE_GLSL_HPP
#define CLAMPLER_REFERENCE_GLSL_HPP

#include <cmath>
#include <cstdint>
#include <cstring>

namespace glsl
{
using uint = std::uint32_t;

template <class T, int N> struct vec;

template <class T> struct vec<T, 2> {
    T x, y;
    vec(T a, T b) : x(a), y(b)
    {
    }
    template <class A> explicit vec(A all) : x(T(all)), y(T(all))
    {
    }
};

template <class T> struct vec<T, 3> {
    T x, y, z;
    template <class A> explicit vec(A all) : x(T(all)), y(T(all)), z(T(all))
    {
    }
    template <class A, class B, class C> vec(A a, B b, C c) : x(T(a)), y(T(b)), z(T(c))
    {
    }
    template <class U> explicit vec(const vec<U, 3> &other) : x(T(other.x)), y(T(other.y)), z(T(other.z))
    {
    }
};

template <class T> struct vec<T, 4> {
    T x, y, z, w;
    template <class A> explicit vec(A all) : x(T(all)), y(T(all)), z(T(all)), w(T(all))
    {
    }
    template <class A, class B, class C, class D> vec(A a, B b, C c, D d) : x(T(a)), y(T(b)), z(T(c)), w(T(d))
    {
    }
    template <class U> explicit vec(const vec<U, 4> &other) : x(T(other.x)), y(T(other.y)), z(T(other.z)), w(T(other.w))
    {
    }
};

using vec2 = vec<float, 2>;
using vec3 = vec<float, 3>;
using vec4 = vec<float, 4>;
using uvec2 = vec<uint, 2>;
using ivec3 = vec<int, 3>;
using ivec4 = vec<int, 4>;
using uvec3 = vec<uint, 3>;
using uvec4 = vec<uint, 4>;
using bvec2 = vec<bool, 2>;
using bvec3 = vec<bool, 3>;
using bvec4 = vec<bool, 4>;

/* Component by component. */
template <class F, class T, class... More> auto each(F f, const vec<T, 2> &a, const More &...more)
{
    return vec<decltype(f(a.x, more.x...)), 2>(f(a.x, more.x...), f(a.y, more.y...));
}
template <class F, class T, class... More> auto each(F f, const vec<T, 3> &a, const More &...more)
{
    return vec<decltype(f(a.x, more.x...)), 3>(f(a.x, more.x...), f(a.y, more.y...), f(a.z, more.z...));
}
template <class F, class T, class... More> auto each(F f, const vec<T, 4> &a, const More &...more)
{
    return vec<decltype(f(a.x, more.x...)), 4>(f(a.x, more.x...), f(a.y, more.y...), f(a.z, more.z...),
                                               f(a.w, more.w...));
}

#define CLAMPLER_OPERATOR(op)                                                                                          \
    template <class T, int N> vec<T, N> operator op(const vec<T, N> &a, const vec<T, N> &b)                            \
    {                                                                                                                  \
        return each([](T x, T y) { return T(x op y); }, a, b);                                                         \
    }                                                                                                                  \
    template <class T, int N> vec<T, N> operator op(const vec<T, N> &a, T b)                                           \
    {                                                                                                                  \
        return a op vec<T, N>(b);                                                                                      \
    }                                                                                                                  \
    template <class T, int N> vec<T, N> operator op(T a, const vec<T, N> &b)                                           \
    {                                                                                                                  \
        return vec<T, N>(a) op b;                                                                                      \
    }
CLAMPLER_OPERATOR(+)
CLAMPLER_OPERATOR(-)
CLAMPLER_OPERATOR(*)
CLAMPLER_OPERATOR(/)
CLAMPLER_OPERATOR(&)
CLAMPLER_OPERATOR(|)
CLAMPLER_OPERATOR(^)
CLAMPLER_OPERATOR(<<)
CLAMPLER_OPERATOR(>>)
#undef CLAMPLER_OPERATOR

template <class T, int N> vec<T, N> operator~(const vec<T, N> &a)
{
    return each([](T x) { return T(~x); }, a);
}
template <class T, int N> vec<T, N> operator-(const vec<T, N> &a)
{
    return each([](T x) { return T(-x); }, a);
}

#define CLAMPLER_COMPARISON(name, op)                                                                                  \
    template <class T, int N> vec<bool, N> name(const vec<T, N> &a, const vec<T, N> &b)                                \
    {                                                                                                                  \
        return each([](T x, T y) { return x op y; }, a, b);                                                            \
    }
CLAMPLER_COMPARISON(equal, ==)
CLAMPLER_COMPARISON(notEqual, !=)
CLAMPLER_COMPARISON(lessThan, <)
CLAMPLER_COMPARISON(lessThanEqual, <=)
CLAMPLER_COMPARISON(greaterThan, >)
CLAMPLER_COMPARISON(greaterThanEqual, >=)
#undef CLAMPLER_COMPARISON

inline float min(float a, float b)
{
    return b < a ? b : a;
}
inline float max(float a, float b)
{
    return a < b ? b : a;
}
inline int min(int a, int b)
{
    return b < a ? b : a;
}
inline int max(int a, int b)
{
    return a < b ? b : a;
}
inline uint min(uint a, uint b)
{
    return b < a ? b : a;
}
inline uint max(uint a, uint b)
{
    return a < b ? b : a;
}
template <class T, int N> vec<T, N> min(const vec<T, N> &a, const vec<T, N> &b)
{
    return each([](T x, T y) { return min(x, y); }, a, b);
}
template <class T, int N> vec<T, N> max(const vec<T, N> &a, const vec<T, N> &b)
{
    return each([](T x, T y) { return max(x, y); }, a, b);
}
template <class T> T clamp(const T &a, const T &low, const T &high)
{
    return min(max(a, low), high);
}
inline float mix(float a, float b, bool second)
{
    return second ? b : a;
}

inline float mix(float a, float b, float share)
{
    return a * (1.0f - share) + b * share;
}

inline bool mix(bool a, bool b, bool second)
{
    return second ? b : a;
}

inline int mix(int a, int b, bool second)
{
    return second ? b : a;
}

inline uint mix(uint a, uint b, bool second)
{
    return second ? b : a;
}

template <int N> vec<float, N> mix(const vec<float, N> &a, const vec<float, N> &b, const vec<float, N> &shares)
{
    return each([](float x, float y, float share) { return mix(x, y, share); }, a, b, shares);
}

template <class T, int N> vec<T, N> mix(const vec<T, N> &a, const vec<T, N> &b, const vec<bool, N> &second)
{
    return each([](T x, T y, bool s) { return s ? y : x; }, a, b, second);
}
inline bool any(const bvec2 &a)
{
    return a.x || a.y;
}
inline bool any(const bvec3 &a)
{
    return a.x || a.y || a.z;
}
inline vec4 floor(const vec4 &a)
{
    return each([](float x) { return std::floor(x); }, a);
}
inline vec4 sqrt(const vec4 &a)
{
    return each([](float x) { return std::sqrt(x); }, a);
}

inline vec4 pow(const vec4 &a, const vec4 &b)
{
    return {std::pow(a.x, b.x), std::pow(a.y, b.y), std::pow(a.z, b.z), std::pow(a.w, b.w)};
}
inline float abs(float a)
{
    return std::fabs(a);
}
inline vec3 abs(const vec3 &a)
{
    return each([](float x) { return std::fabs(x); }, a);
}
inline vec3 floor(const vec3 &a)
{
    return each([](float x) { return std::floor(x); }, a);
}
inline float dot(const vec3 &a, const vec3 &b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
using std::ceil;
using std::exp2;
using std::floor;
using std::log2;
inline float roundEven(float a)
{
    return std::nearbyint(a);
}
inline vec3 roundEven(const vec3 &a)
{
    return each([](float x) { return std::nearbyint(x); }, a);
}
inline float uintBitsToFloat(uint bits)
{
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
}
inline uint floatBitsToUint(float value)
{
    uint bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return bits;
}
inline uvec2 floatBitsToUint(const vec2 &values)
{
    return each([](float x) { return floatBitsToUint(x); }, values);
}
inline uvec3 floatBitsToUint(const vec3 &values)
{
    return each([](float x) { return floatBitsToUint(x); }, values);
}
inline uvec4 floatBitsToUint(const vec4 &values)
{
    return each([](float x) { return floatBitsToUint(x); }, values);
}
inline vec2 uintBitsToFloat(const uvec2 &bits)
{
    return each([](uint x) { return uintBitsToFloat(x); }, bits);
}
inline vec3 uintBitsToFloat(const uvec3 &bits)
{
    return each([](uint x) { return uintBitsToFloat(x); }, bits);
}
inline vec4 uintBitsToFloat(const uvec4 &bits)
{
    return each([](uint x) { return uintBitsToFloat(x); }, bits);
}
/* Of one half of the bits, by the format's definition (OpenGL 4.6, section 2.3.4.2). */
inline float half_value(uint bits)
{
    const int exponent = int(bits >> 10 & 31u), mantissa = int(bits & 1023u);
    const float sign = bits & 0x8000u ? -1.0f : 1.0f;
    if (exponent == 31)
        return mantissa ? std::nanf("") : sign * HUGE_VALF;
    return sign * (exponent ? std::ldexp(float(1024 + mantissa), exponent - 25) : std::ldexp(float(mantissa), -24));
}
inline vec2 unpackHalf2x16(uint bits)
{
    return {half_value(bits & 0xffffu), half_value(bits >> 16)};
}
} // namespace glsl

#endif

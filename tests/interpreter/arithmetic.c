/* SPDX-License-Identifier: MIT */
/* Arithmetic on 32-bit numbers and vectors of them, and what GLSL.std.450 has of it. */
#include <math.h>
#include <string.h>

#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/spirv.h>

#include "interpreter.h"

static bool one_operand(uint32_t opcode, uint32_t a, uint32_t *to)
{
    const float f = in_float(a);
    const bool fits = f > -2147483648.0f && f < 2147483648.0f;
    switch (opcode) {
    case SpvOpConvertFToU:
        *to = f > 0 && f < 4294967296.0f ? (uint32_t)f : 0;
        return true;
    case SpvOpConvertFToS:
        *to = fits ? (uint32_t)(int32_t)f : 0;
        return true;
    case SpvOpConvertSToF:
        *to = in_bits((float)(int32_t)a);
        return true;
    case SpvOpConvertUToF:
        *to = in_bits((float)a);
        return true;
    case SpvOpSNegate:
        *to = 0u - a;
        return true;
    case SpvOpFNegate:
        *to = a ^ 0x80000000u;
        return true;
    case SpvOpNot:
        *to = ~a;
        return true;
    case SpvOpLogicalNot:
        *to = !a;
        return true;
    case SpvOpIsNan:
        *to = isnan(f) ? 1u : 0u;
        return true;
    case SpvOpIsInf:
        *to = isinf(f) ? 1u : 0u;
        return true;
    case SpvOpBitCount:
        *to = (uint32_t)__builtin_popcount(a);
        return true;
    case SpvOpBitcast:
    case SpvOpCopyObject:
    case SpvOpUConvert:
    case SpvOpSConvert:
    case SpvOpFConvert:
    case SpvOpQuantizeToF16:
        *to = a;
        return true;
    /* A share of the value: linear, as derivatives are. */
    case SpvOpDPdx:
    case SpvOpDPdxFine:
    case SpvOpDPdxCoarse:
        *to = in_bits(f * 0.0625f);
        return true;
    case SpvOpDPdy:
    case SpvOpDPdyFine:
    case SpvOpDPdyCoarse:
        *to = in_bits(f * 0.03125f);
        return true;
    case SpvOpFwidth:
    case SpvOpFwidthFine:
    case SpvOpFwidthCoarse:
        *to = in_bits(fabsf(f) * 0.09375f);
        return true;
    default:
        return false;
    }
}

static bool of_floats(uint32_t opcode, float a, float b, uint32_t *to)
{
    const bool unordered = isnan(a) || isnan(b);
    switch (opcode) {
    case SpvOpFAdd:
        *to = in_bits(a + b);
        return true;
    case SpvOpFSub:
        *to = in_bits(a - b);
        return true;
    case SpvOpFMul:
        *to = in_bits(a * b);
        return true;
    case SpvOpFDiv:
        *to = in_bits(a / b);
        return true;
    case SpvOpFRem:
        *to = in_bits(fmodf(a, b));
        return true;
    case SpvOpFMod:
        *to = in_bits(a - b * floorf(a / b));
        return true;
    case SpvOpFOrdEqual:
    case SpvOpFUnordEqual:
        *to = (a >= b && a <= b) || (unordered && opcode == SpvOpFUnordEqual);
        return true;
    case SpvOpFOrdNotEqual:
    case SpvOpFUnordNotEqual:
        *to = unordered ? opcode == SpvOpFUnordNotEqual : a < b || a > b;
        return true;
    case SpvOpFOrdLessThan:
    case SpvOpFUnordLessThan:
        *to = a < b || (unordered && opcode == SpvOpFUnordLessThan);
        return true;
    case SpvOpFOrdGreaterThan:
    case SpvOpFUnordGreaterThan:
        *to = a > b || (unordered && opcode == SpvOpFUnordGreaterThan);
        return true;
    case SpvOpFOrdLessThanEqual:
    case SpvOpFUnordLessThanEqual:
        *to = a <= b || (unordered && opcode == SpvOpFUnordLessThanEqual);
        return true;
    case SpvOpFOrdGreaterThanEqual:
    case SpvOpFUnordGreaterThanEqual:
        *to = a >= b || (unordered && opcode == SpvOpFUnordGreaterThanEqual);
        return true;
    default:
        return false;
    }
}

static bool of_integers(uint32_t opcode, uint32_t a, uint32_t b, uint32_t *to)
{
    const int32_t x = (int32_t)a, y = (int32_t)b;
    const bool divides = b != 0 && !(a == 0x80000000u && y == -1);
    switch (opcode) {
    case SpvOpIAdd:
        return *to = a + b, true;
    case SpvOpISub:
        return *to = a - b, true;
    case SpvOpIMul:
        return *to = a * b, true;
    case SpvOpUDiv:
        return *to = b ? a / b : 0, true;
    case SpvOpUMod:
        return *to = b ? a % b : 0, true;
    case SpvOpSDiv:
        return *to = divides ? (uint32_t)(x / y) : 0, true;
    case SpvOpSRem:
        return *to = divides ? (uint32_t)(x % y) : 0, true;
    case SpvOpSMod:
        return *to = divides ? (uint32_t)(x % y + (x % y != 0 && (x % y < 0) != (y < 0) ? y : 0)) : 0, true;
    case SpvOpShiftRightLogical:
        return *to = b < 32 ? a >> b : 0, true;
    case SpvOpShiftRightArithmetic:
        return *to = (uint32_t)(x >> (b < 31 ? b : 31)), true;
    case SpvOpShiftLeftLogical:
        return *to = b < 32 ? a << b : 0, true;
    case SpvOpBitwiseOr:
        return *to = a | b, true;
    case SpvOpBitwiseXor:
        return *to = a ^ b, true;
    case SpvOpBitwiseAnd:
        return *to = a & b, true;
    case SpvOpLogicalOr:
        return *to = a || b, true;
    case SpvOpLogicalAnd:
        return *to = a && b, true;
    case SpvOpLogicalEqual:
        return *to = !a == !b, true;
    case SpvOpLogicalNotEqual:
        return *to = !a != !b, true;
    case SpvOpIEqual:
        return *to = a == b, true;
    case SpvOpINotEqual:
        return *to = a != b, true;
    case SpvOpUGreaterThan:
        return *to = a > b, true;
    case SpvOpSGreaterThan:
        return *to = x > y, true;
    case SpvOpUGreaterThanEqual:
        return *to = a >= b, true;
    case SpvOpSGreaterThanEqual:
        return *to = x >= y, true;
    case SpvOpULessThan:
        return *to = a < b, true;
    case SpvOpSLessThan:
        return *to = x < y, true;
    case SpvOpULessThanEqual:
        return *to = a <= b, true;
    case SpvOpSLessThanEqual:
        return *to = x <= y, true;
    default:
        return false;
    }
}

/* Vectors and matrices; columns lie one behind the other. */
static bool products(struct interpreter *in, const uint32_t *inst, uint32_t *to, uint32_t size)
{
    const uint32_t *a = in_value(in, inst[3]), *b = in_value(in, inst[4]);
    const uint32_t left = in_size(in, inst[3]), right = in_size(in, inst[4]);
    switch (inst[0] & 0xffffu) {
    case SpvOpVectorTimesScalar:
    case SpvOpMatrixTimesScalar:
        for (uint32_t i = 0; i < size && i < left; i++)
            to[i] = in_bits(in_float(a[i]) * in_float(b[0]));
        return true;
    case SpvOpDot: {
        float sum = 0;
        for (uint32_t i = 0; i < left && i < right; i++)
            sum += in_float(a[i]) * in_float(b[i]);
        *to = in_bits(sum);
        return true;
    }
    case SpvOpMatrixTimesVector:
        for (uint32_t row = 0; row < size; row++) {
            float sum = 0;
            for (uint32_t column = 0; column < right && column * size + row < left; column++)
                sum += in_float(a[column * size + row]) * in_float(b[column]);
            to[row] = in_bits(sum);
        }
        return true;
    case SpvOpVectorTimesMatrix:
        for (uint32_t column = 0; column < size; column++) {
            float sum = 0;
            for (uint32_t row = 0; row < left && column * left + row < right; row++)
                sum += in_float(a[row]) * in_float(b[column * left + row]);
            to[column] = in_bits(sum);
        }
        return true;
    default:
        return false;
    }
}

bool in_arithmetic(struct interpreter *in, const uint32_t *inst, uint32_t *to, uint32_t size)
{
    const uint32_t opcode = inst[0] & 0xffffu, length = inst[0] >> 16;
    const uint32_t *a = length > 3 ? in_value(in, inst[3]) : NULL, *b = length > 4 ? in_value(in, inst[4]) : a;
    bool known = length > 3;
    if (length == 5 && products(in, inst, to, size))
        return true;
    if (opcode == SpvOpAny || opcode == SpvOpAll) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < in_size(in, inst[3]); i++)
            count += a[i] != 0;
        *to = opcode == SpvOpAny ? count != 0 : count == in_size(in, inst[3]);
        return true;
    }
    for (uint32_t i = 0; known && i < size && i < in_size(in, inst[3]); i++)
        known = length == 4 ? one_operand(opcode, a[i], &to[i])
                            : length == 5 && i < in_size(in, inst[4]) &&
                                  (of_floats(opcode, in_float(a[i]), in_float(b[i]), &to[i]) ||
                                   of_integers(opcode, a[i], b[i], &to[i]));
    return known;
}

static float length_of(const uint32_t *v, uint32_t size)
{
    float sum = 0;
    for (uint32_t i = 0; i < size; i++)
        sum += in_float(v[i]) * in_float(v[i]);
    return sqrtf(sum);
}

static bool of_three(uint32_t number, uint32_t a, uint32_t b, uint32_t c, uint32_t *to)
{
    const float x = in_float(a), y = in_float(b), z = in_float(c);
    switch (number) {
    case GLSLstd450Round:
    case GLSLstd450RoundEven:
        return *to = in_bits(rintf(x)), true;
    case GLSLstd450Trunc:
        return *to = in_bits(truncf(x)), true;
    case GLSLstd450FAbs:
        return *to = in_bits(fabsf(x)), true;
    case GLSLstd450SAbs:
        return *to = (int32_t)a < 0 ? 0u - a : a, true;
    case GLSLstd450FSign:
        return *to = in_bits((float)((x > 0) - (x < 0))), true;
    case GLSLstd450Floor:
        return *to = in_bits(floorf(x)), true;
    case GLSLstd450Ceil:
        return *to = in_bits(ceilf(x)), true;
    case GLSLstd450Fract:
        return *to = in_bits(x - floorf(x)), true;
    case GLSLstd450Sin:
        return *to = in_bits(sinf(x)), true;
    case GLSLstd450Cos:
        return *to = in_bits(cosf(x)), true;
    case GLSLstd450Pow:
        return *to = in_bits(powf(x, y)), true;
    case GLSLstd450Exp:
        return *to = in_bits(expf(x)), true;
    case GLSLstd450Log:
        return *to = in_bits(logf(x)), true;
    case GLSLstd450Exp2:
        return *to = in_bits(exp2f(x)), true;
    case GLSLstd450Log2:
        return *to = in_bits(log2f(x)), true;
    case GLSLstd450Sqrt:
        return *to = in_bits(sqrtf(x)), true;
    case GLSLstd450InverseSqrt:
        return *to = in_bits(1 / sqrtf(x)), true;
    case GLSLstd450FMin:
    case GLSLstd450NMin:
        return *to = in_bits(fminf(x, y)), true;
    case GLSLstd450FMax:
    case GLSLstd450NMax:
        return *to = in_bits(fmaxf(x, y)), true;
    case GLSLstd450UMin:
        return *to = a < b ? a : b, true;
    case GLSLstd450UMax:
        return *to = a > b ? a : b, true;
    case GLSLstd450SMin:
        return *to = (int32_t)a < (int32_t)b ? a : b, true;
    case GLSLstd450SMax:
        return *to = (int32_t)a > (int32_t)b ? a : b, true;
    case GLSLstd450FClamp:
    case GLSLstd450NClamp:
        return *to = in_bits(fminf(fmaxf(x, y), z)), true;
    case GLSLstd450UClamp:
        return *to = a < b ? b : a > c ? c : a, true;
    case GLSLstd450SClamp:
        return *to = (int32_t)a < (int32_t)b ? b : (int32_t)a > (int32_t)c ? c : a, true;
    case GLSLstd450FMix:
        return *to = in_bits(x + (y - x) * z), true;
    case GLSLstd450Step:
        return *to = in_bits(y < x ? 0.0f : 1.0f), true;
    case GLSLstd450SmoothStep: {
        const float t = fminf(fmaxf((z - x) / (y - x), 0), 1);
        return *to = in_bits(t * t * (3 - 2 * t)), true;
    }
    case GLSLstd450Fma:
        return *to = in_bits(x * y + z), true;
    default:
        return false;
    }
}

bool in_extended(struct interpreter *in, const uint32_t *inst, uint32_t *to, uint32_t size)
{
    const uint32_t number = inst[4], operands = (inst[0] >> 16) - 5;
    const uint32_t *v[3] = {NULL};
    uint32_t least = size;
    bool known = operands > 0 && operands < 4;
    if (inst[3] != in->glsl)
        return false;
    for (uint32_t i = 0; known && i < 3; i++) {
        const uint32_t id = inst[5 + (i < operands ? i : 0)];
        v[i] = in_value(in, id);
        least = in_size(in, id) < least ? in_size(in, id) : least;
    }
    if (known && (number == GLSLstd450Length || number == GLSLstd450Normalize)) {
        const float length = length_of(v[0], in_size(in, inst[5]));
        for (uint32_t i = 0; i < least; i++)
            to[i] = in_bits(number == GLSLstd450Length ? length : in_float(v[0][i]) / length);
        return true;
    }
    for (uint32_t i = 0; known && i < least; i++)
        known = of_three(number, v[0][i], v[1][i], v[2][i], &to[i]);
    return known;
}

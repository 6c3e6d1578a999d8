/* SPDX-License-Identifier: MIT */
/* Runs functions, instruction by instruction. */
#include "run.h"

#include <string.h>

#include <spirv/unified1/spirv.h>

enum { DEEPEST_CALL = 24, MOST_PHI_WORDS = 2048 };

static bool is_position(uint32_t opcode)
{
    return opcode == SpvOpLine || opcode == SpvOpNoLine || opcode == SpvOpNop;
}

/* ---- Memory ---- */

static uint32_t *at_pointer(struct interpreter *in, uint32_t id, uint32_t count)
{
    const uint32_t *pointer = in_value(in, id);
    uint32_t size = 0;
    uint32_t *storage = pointer[0] < in->bound ? in_storage(in, pointer[0], &size) : NULL;
    if (!storage || count > size || pointer[1] > size - count) {
        in_stuck(in, "memory that is not there");
        return NULL;
    }
    return storage + pointer[1];
}

static uint32_t pointee_of(const struct interpreter *in, uint32_t pointer)
{
    const uint32_t *type = in_definition(in, in_type(in, pointer));
    return (type[0] & 0xffffu) == SpvOpTypePointer ? type[3] : 0;
}

/* Steps into a part of a type; what lies before it in words. */
static uint32_t step_into(struct interpreter *in, uint32_t *type, uint32_t index)
{
    const uint32_t *inst = in_definition(in, *type), length = inst[0] >> 16;
    uint32_t before = 0;
    switch (inst[0] & 0xffffu) {
    case SpvOpTypeStruct:
        if (index + 2 >= length)
            break;
        for (uint32_t i = 0; i < index; i++)
            before += in_type_size(in, inst[2 + i]);
        *type = inst[2 + index];
        return before;
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
    case SpvOpTypeArray:
    case SpvOpTypeRuntimeArray: {
        const uint32_t all = in_type_size(in, *type), each = in_type_size(in, inst[2]);
        if (each == 0 || index >= all / each)
            break;
        *type = inst[2];
        return index * each;
    }
    default:
        break;
    }
    in_stuck(in, "a part that is not there");
    return 0;
}

static void access_chain(struct interpreter *in, const uint32_t *inst, uint32_t *to)
{
    const uint32_t *base = in_value(in, inst[3]);
    uint32_t type = pointee_of(in, inst[3]), at = base[1];
    for (uint32_t i = 4; i < inst[0] >> 16 && !in->stuck; i++)
        at += step_into(in, &type, in_value(in, inst[i])[0]);
    to[0] = base[0];
    to[1] = at;
}

static void move(struct interpreter *in, const uint32_t *inst, uint32_t opcode)
{
    const uint32_t size = in_type_size(in, pointee_of(in, inst[1]));
    uint32_t *to = at_pointer(in, inst[1], size);
    const uint32_t *from = opcode == SpvOpStore ? in_value(in, inst[2]) : at_pointer(in, inst[2], size);
    if (opcode == SpvOpStore && in_size(in, inst[2]) < size)
        in_stuck(in, "a value that is too small");
    if (to && from && !in->stuck)
        memmove(to, from, size * sizeof(*to));
}

/* ---- Composites ---- */

static bool composite(struct interpreter *in, const uint32_t *inst, uint32_t *to, uint32_t size)
{
    const uint32_t length = inst[0] >> 16, opcode = inst[0] & 0xffffu;
    uint32_t at = 0, type = 0;
    switch (opcode) {
    case SpvOpCompositeConstruct:
        for (uint32_t i = 3; i < length; at += in_size(in, inst[i++])) {
            if (in_size(in, inst[i]) > size - at)
                return false;
            memcpy(to + at, in_value(in, inst[i]), in_size(in, inst[i]) * sizeof(*to));
        }
        return at == size;
    case SpvOpCompositeExtract:
        type = in_type(in, inst[3]);
        for (uint32_t i = 4; i < length && !in->stuck; i++)
            at += step_into(in, &type, inst[i]);
        if (at + size > in_size(in, inst[3]))
            return false;
        memcpy(to, in_value(in, inst[3]) + at, size * sizeof(*to));
        return true;
    case SpvOpCompositeInsert: {
        type = in_type(in, inst[4]);
        for (uint32_t i = 5; i < length && !in->stuck; i++)
            at += step_into(in, &type, inst[i]);
        const uint32_t part = in_size(in, inst[3]);
        if (in_size(in, inst[4]) != size || at + part > size)
            return false;
        memmove(to, in_value(in, inst[4]), size * sizeof(*to));
        memcpy(to + at, in_value(in, inst[3]), part * sizeof(*to));
        return true;
    }
    case SpvOpVectorShuffle: {
        const uint32_t first = in_size(in, inst[3]), second = in_size(in, inst[4]);
        for (uint32_t i = 0; i < size && 5 + i < length; i++) {
            const uint32_t which = inst[5 + i];
            to[i] = which < first            ? in_value(in, inst[3])[which]
                    : which - first < second ? in_value(in, inst[4])[which - first]
                                             : 0;
        }
        return true;
    }
    case SpvOpVectorExtractDynamic:
    case SpvOpVectorInsertDynamic: {
        const bool extract = opcode == SpvOpVectorExtractDynamic;
        const uint32_t index = in_value(in, inst[extract ? 4 : 5])[0];
        if (index >= in_size(in, inst[3]))
            return false;
        if (extract) {
            to[0] = in_value(in, inst[3])[index];
            return true;
        }
        memmove(to, in_value(in, inst[3]), size * sizeof(*to));
        to[index] = in_value(in, inst[4])[0];
        return index < size;
    }
    case SpvOpSelect: {
        const uint32_t *condition = in_value(in, inst[3]), *yes = in_value(in, inst[4]), *no = in_value(in, inst[5]);
        const bool each = in_size(in, inst[3]) > 1;
        if (in_size(in, inst[4]) < size || in_size(in, inst[5]) < size || (each && in_size(in, inst[3]) < size))
            return false;
        for (uint32_t i = 0; i < size; i++)
            to[i] = condition[each ? i : 0] ? yes[i] : no[i];
        return true;
    }
    case SpvOpCopyObject:
    case SpvOpCopyLogical:
        if (in_size(in, inst[3]) < size)
            return false;
        memmove(to, in_value(in, inst[3]), size * sizeof(*to));
        return true;
    default:
        return false;
    }
}

/* ---- Functions ---- */

static void pass_arguments(struct interpreter *in, const uint32_t *call)
{
    const uint32_t *at = in_definition(in, call[3]);
    for (uint32_t i = 4; i < call[0] >> 16; i++) {
        do
            at += at[0] >> 16;
        while (is_position(at[0] & 0xffffu));
        uint32_t *to = (at[0] & 0xffffu) == SpvOpFunctionParameter ? in_place(in, at[2]) : NULL;
        const uint32_t count = to ? in_size(in, at[2]) : 0;
        if (!to || in_size(in, call[i]) < count) {
            in_stuck(in, "an argument that does not fit");
            return;
        }
        memcpy(to, in_value(in, call[i]), count * sizeof(*to));
    }
}

/* All phis at once, since they may read each other. Returns the first instruction behind them. */
static const uint32_t *enter_block(struct interpreter *in, uint32_t label, uint32_t before)
{
    static uint32_t values[MOST_PHI_WORDS];
    const uint32_t *first = in_definition(in, label) + 2, *inst = first;
    uint32_t used = 0;
    for (; (inst[0] & 0xffffu) == SpvOpPhi || is_position(inst[0] & 0xffffu); inst += inst[0] >> 16) {
        for (uint32_t i = 3; (inst[0] & 0xffffu) == SpvOpPhi && i + 1 < inst[0] >> 16; i += 2) {
            const uint32_t size = in_size(in, inst[i]);
            if (inst[i + 1] != before)
                continue;
            const uint32_t *value = in_value(in, inst[i]);
            uint32_t *to = in_place(in, inst[2]);
            if (!to || size != in_size(in, inst[2]) || size > MOST_PHI_WORDS - used) {
                in_stuck(in, "a phi that does not fit");
                return inst;
            }
            memcpy(values + used, value, size * sizeof(*values));
            used += size;
            break;
        }
    }
    used = 0;
    for (inst = first; (inst[0] & 0xffffu) == SpvOpPhi || is_position(inst[0] & 0xffffu); inst += inst[0] >> 16) {
        bool named = false;
        for (uint32_t i = 3; (inst[0] & 0xffffu) == SpvOpPhi && i + 1 < inst[0] >> 16; i += 2)
            named |= inst[i + 1] == before;
        if (!named)
            continue;
        memcpy(in_place(in, inst[2]), values + used, in_size(in, inst[2]) * sizeof(*values));
        used += in_size(in, inst[2]);
    }
    return inst;
}

static uint32_t next_block(struct interpreter *in, const uint32_t *inst)
{
    uint32_t to = inst[1];
    if ((inst[0] & 0xffffu) == SpvOpBranchConditional)
        return in_value(in, inst[1])[0] ? inst[2] : inst[3];
    if ((inst[0] & 0xffffu) == SpvOpSwitch) {
        to = inst[2];
        for (uint32_t i = 3; i + 1 < inst[0] >> 16; i += 2) {
            if (inst[i] == in_value(in, inst[1])[0])
                to = inst[i + 1];
        }
    }
    return to;
}

/* An instruction that is no branch. */
static void run_one(struct interpreter *in, const uint32_t *inst, uint32_t depth)
{
    const uint32_t opcode = inst[0] & 0xffffu;
    switch (opcode) {
    case SpvOpSelectionMerge:
    case SpvOpLoopMerge:
    case SpvOpLine:
    case SpvOpNoLine:
    case SpvOpNop:
    case SpvOpControlBarrier:
    case SpvOpMemoryBarrier:
        return;
    case SpvOpVariable:
        in_open_variable(in, inst);
        return;
    case SpvOpStore:
    case SpvOpCopyMemory:
        move(in, inst, opcode);
        return;
    case SpvOpImageWrite:
        in->writes = in_hash(in->writes, in_value(in, inst[1])[0]);
        return;
    default:
        break;
    }
    /* What debuggers read says nothing of what is drawn. */
    if (opcode == SpvOpExtInst && inst[3] != in->glsl && in_type_size(in, inst[1]) == 0)
        return;
    uint32_t *to = inst[0] >> 16 > 2 ? in_place(in, inst[2]) : NULL;
    if (!to || in->stuck)
        return;
    const uint32_t size = in_size(in, inst[2]);
    bool known = true;
    if (opcode == SpvOpFunctionCall) {
        pass_arguments(in, inst);
        if (!in->stuck)
            in_call(in, inst[3], to, depth + 1);
    } else if (opcode == SpvOpLoad) {
        const uint32_t *from = at_pointer(in, inst[3], size);
        if (from)
            memcpy(to, from, size * sizeof(*to));
    } else if (opcode == SpvOpAccessChain || opcode == SpvOpInBoundsAccessChain) {
        access_chain(in, inst, to);
    } else if (opcode == SpvOpUndef) {
        memset(to, 0, size * sizeof(*to));
    } else {
        known = opcode == SpvOpExtInst ? in_extended(in, inst, to, size)
                                       : composite(in, inst, to, size) || in_image(in, inst, to, size) ||
                                             in_arithmetic(in, inst, to, size);
    }
    if (!known)
        in_stuck(in, "an instruction that is not known here");
}

void in_call(struct interpreter *in, uint32_t function, uint32_t *result, uint32_t depth)
{
    const uint32_t *inst = in_definition(in, function);
    uint32_t label = 0;
    if ((inst[0] & 0xffffu) != SpvOpFunction || depth > DEEPEST_CALL) {
        in_stuck(in, "a function that is not there, or calls too deep");
        return;
    }
    while ((inst[0] & 0xffffu) != SpvOpLabel && (inst[0] & 0xffffu) != SpvOpFunctionEnd)
        inst += inst[0] >> 16;
    label = inst[1];
    for (inst += 2; !in->stuck && !in->killed;) {
        if (++in->steps > INTERPRETER_MOST_STEPS)
            in_stuck(in, "more steps than are taken");
        switch (inst[0] & 0xffffu) {
        case SpvOpBranch:
        case SpvOpBranchConditional:
        case SpvOpSwitch: {
            const uint32_t next = next_block(in, inst);
            if (in_opcode(in, next) != SpvOpLabel) {
                in_stuck(in, "a block that is not there");
                return;
            }
            inst = enter_block(in, next, label);
            label = next;
            break;
        }
        case SpvOpReturnValue:
            if (result && in_size(in, inst[1]) == in_type_size(in, in_definition(in, function)[1]))
                memcpy(result, in_value(in, inst[1]), in_size(in, inst[1]) * sizeof(*result));
            else
                in_stuck(in, "a result that does not fit");
            return;
        case SpvOpReturn:
            return;
        case SpvOpKill:
        case 4416: /* OpTerminateInvocation */
            in->killed = true;
            return;
        case SpvOpUnreachable:
        case SpvOpFunctionEnd:
            in_stuck(in, "code that nothing reaches");
            return;
        default:
            run_one(in, inst, depth);
            inst += inst[0] >> 16;
            break;
        }
    }
}

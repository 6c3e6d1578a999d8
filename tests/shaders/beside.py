# SPDX-License-Identifier: MIT
"""
Lookups put beside whatever a module has: each function gets one of a combined descriptor at its beginning, and an OpSampledImage
there whose use stands at the end of the first block, so that the block's own instructions stand between the two. So a module
without lookups, whatever it is about, is one that must be rewritten.

Also which instructions of the machine's newest grammar stood in such modules.
"""
import array
import collections
import json

HEADER, MAGIC, BOUND = 5, 0x07230203, 3
(OP_NAME, OP_LINE, OP_CAPABILITY, OP_ENTRY_POINT, OP_TYPE_FLOAT, OP_TYPE_VECTOR, OP_TYPE_IMAGE, OP_TYPE_SAMPLER,
 OP_TYPE_SAMPLED_IMAGE, OP_TYPE_POINTER, OP_CONSTANT, OP_CONSTANT_COMPOSITE, OP_FUNCTION, OP_FUNCTION_END, OP_VARIABLE, OP_LOAD,
 OP_DECORATE, OP_SAMPLED_IMAGE, OP_SAMPLE_EXPLICIT_LOD, OP_LABEL) = (
     5, 8, 17, 15, 22, 23, 25, 26, 27, 32, 43, 44, 54, 56, 59, 61, 71, 86, 88, 248)
OP_UNTYPED_VARIABLE, OP_NO_LINE = 4418, 317
MERGES = 246, 247
# What stands in front of types: capabilities to decorations.
PREAMBLE = {2, 3, 4, 5, 6, 7, 10, 11, 14, 15, 16, 17, 71, 72, 73, 74, 75, 330, 331, 332, 5632, 5633}
SHADER, BINDING, DESCRIPTOR_SET, UNIFORM_CONSTANT, LOD = 1, 33, 34, 0, 2
VERSION_1_4 = 0x00010400
MOST_BOUND = 4000000  # below SPIR-V's own limit (section 2.17), with room for what is added


def instructions(words):
    """Tuples of words; None where they do not add up."""
    found, at = [], HEADER
    while at < len(words):
        length = words[at] >> 16
        if not length or at + length > len(words):
            return None
        found.append(tuple(words[at:at + length]))
        at += length
    return found


def instruction(opcode, *operands):
    return ((len(operands) + 1) << 16 | opcode, *operands)


def opcode_of(one):
    return one[0] & 0xffff


class Ids:
    """Declarations of a module, and those that are added to it."""

    def __init__(self, bound, module):
        self.bound, self.added = bound, []
        self.known = {}  # types that may stand but once
        for one in module:
            if opcode_of(one) in (OP_TYPE_FLOAT, OP_TYPE_VECTOR, OP_TYPE_IMAGE, OP_TYPE_SAMPLER, OP_TYPE_SAMPLED_IMAGE):
                self.known[(opcode_of(one), *one[2:])] = one[1]

    def new(self):
        self.bound += 1
        return self.bound - 1

    def type(self, opcode, *operands):
        key = (opcode, *operands)
        if key not in self.known:
            self.known[key] = self.new()
            self.added.append(instruction(opcode, self.known[key], *operands))
        return self.known[key]

    def declare(self, opcode, kind, *operands):
        result = self.new()
        self.added.append(instruction(opcode, kind, result, *operands))
        return result

    def pointer_to(self, kind):
        result = self.new()
        self.added.append(instruction(OP_TYPE_POINTER, result, UNIFORM_CONSTANT, kind))
        return result


def binding_above(module):
    bindings = [one[3] for one in module if opcode_of(one) == OP_DECORATE and one[2] == BINDING and len(one) > 3]
    return max(bindings, default=-1) + 1


def with_lookups(data):
    """The module with lookups beside what it has; None where it is no shader, or has no functions."""
    words = array.array("I", data)
    module = instructions(words) if len(words) > HEADER and words[0] == MAGIC else None
    if not module or instruction(OP_CAPABILITY, SHADER) not in module or OP_FUNCTION not in map(opcode_of, module):
        return None
    if words[BOUND] > MOST_BOUND:
        return None
    ids = Ids(words[BOUND], module)
    number = ids.type(OP_TYPE_FLOAT, 32)
    pair, four = ids.type(OP_TYPE_VECTOR, number, 2), ids.type(OP_TYPE_VECTOR, number, 4)
    image = ids.type(OP_TYPE_IMAGE, number, 1, 0, 0, 0, 1, 0)
    sampler, sampled = ids.type(OP_TYPE_SAMPLER), ids.type(OP_TYPE_SAMPLED_IMAGE, image)
    zero = ids.declare(OP_CONSTANT, number, 0)
    place = ids.declare(OP_CONSTANT_COMPOSITE, pair, zero, zero)
    variables = [ids.declare(OP_VARIABLE, ids.pointer_to(kind), UNIFORM_CONSTANT) for kind in (image, sampler, sampled)]
    decorations, binding = [], binding_above(module)
    for i, variable in enumerate(variables):
        decorations += [instruction(OP_DECORATE, variable, DESCRIPTOR_SET, 0),
                        instruction(OP_DECORATE, variable, BINDING, binding + i)]
    result = []
    types_at = next(i for i, one in enumerate(module) if opcode_of(one) not in PREAMBLE)
    functions_at = next(i for i, one in enumerate(module) if opcode_of(one) == OP_FUNCTION)
    while functions_at > types_at and opcode_of(module[functions_at - 1]) in (OP_LINE, OP_NO_LINE):
        functions_at -= 1
    for one in module[:types_at]:
        if opcode_of(one) == OP_ENTRY_POINT and words[1] >= VERSION_1_4:
            one = instruction(OP_ENTRY_POINT, *one[1:], *variables)
        result.append(one)
    result += decorations + module[types_at:functions_at] + ids.added
    result += in_functions(module[functions_at:], ids, (image, sampler, sampled, four), variables, place, zero)
    words[BOUND] = ids.bound
    header = words[:HEADER]
    for one in result:
        header.extend(one)
    return header.tobytes()


def in_functions(module, ids, types, variables, place, zero):
    image, sampler, sampled, four = types
    result, at = [], 0
    while at < len(module):
        result.append(module[at])
        at += 1
        if opcode_of(module[at - 1]) != OP_LABEL or not first_block(result):
            continue
        end = next(i for i in range(at, len(module)) if opcode_of(module[i]) in (OP_LABEL, OP_FUNCTION_END)) - 1
        while opcode_of(module[end]) in (OP_LINE, OP_NO_LINE):
            end -= 1
        while end > at and opcode_of(module[end - 1]) in (*MERGES, OP_LINE, OP_NO_LINE):
            end -= 1
        begin = at
        for i in range(at, end):
            if opcode_of(module[i]) in (OP_VARIABLE, OP_UNTYPED_VARIABLE):
                begin = i + 1
        loaded = [ids.new() for _ in variables]
        both, first, last = ids.new(), ids.new(), ids.new()
        result += module[at:begin]
        result += [instruction(OP_LOAD, kind, one, variable)
                   for kind, one, variable in zip((image, sampler, sampled), loaded, variables)]
        result += [instruction(OP_SAMPLE_EXPLICIT_LOD, four, first, loaded[2], place, LOD, zero),
                   instruction(OP_SAMPLED_IMAGE, sampled, both, loaded[0], loaded[1])]
        result += module[begin:end] + [instruction(OP_SAMPLE_EXPLICIT_LOD, four, last, both, place, LOD, zero)]
        at = end
    return result


def first_block(before):
    """Whether the label at the end of a list is its function's first."""
    for one in reversed(before[:-1]):
        if opcode_of(one) in (OP_LABEL, OP_FUNCTION):
            return opcode_of(one) == OP_FUNCTION
    return False


def opcodes(data):
    module = instructions(array.array("I", data))
    return {opcode_of(one) for one in module or ()}


def grammar():
    """Name and capabilities of each instruction of the installed grammar, by its number."""
    with open("/usr/include/spirv/unified1/spirv.core.grammar.json", encoding="utf-8") as file:
        known = collections.OrderedDict()
        for one in json.load(file)["instructions"]:
            known.setdefault(one["opcode"], (one["opname"], one.get("capabilities", [])))
    return known

# SPDX-License-Identifier: MIT
"""
Lookups put beside whatever a module has, so that a module without lookups, whatever it is about, is one that must be
rewritten.

    with_lookups()  each function gets one of a combined descriptor at its beginning, and an OpSampledImage there whose
                    use stands at the end of the first block: the block's own instructions stand between the two
    with_operands() behind what has a result, a lookup takes this: numbers as its coordinate and level, what pointers
                    lead to likewise, images, samplers and both together as such

Also which instructions of the machine's grammar stood in such modules.
"""
import array
import collections
import json

HEADER, MAGIC, BOUND = 5, 0x07230203, 3
(OP_NAME, OP_LINE, OP_CAPABILITY, OP_ENTRY_POINT, OP_TYPE_FLOAT, OP_TYPE_VECTOR, OP_TYPE_IMAGE, OP_TYPE_SAMPLER,
 OP_TYPE_SAMPLED_IMAGE, OP_TYPE_POINTER, OP_CONSTANT, OP_CONSTANT_COMPOSITE, OP_FUNCTION, OP_FUNCTION_END, OP_VARIABLE, OP_LOAD,
 OP_DECORATE, OP_SAMPLED_IMAGE, OP_SAMPLE_EXPLICIT_LOD, OP_LABEL) = (
     5, 8, 17, 15, 22, 23, 25, 26, 27, 32, 43, 44, 54, 56, 59, 61, 71, 86, 88, 248)
OP_UNTYPED_VARIABLE, OP_NO_LINE, OP_EXT_INST, OP_CONDITIONAL_ENTRY_POINT = 4418, 317, 12, 6249
(OP_TYPE_BOOL, OP_TYPE_INT, OP_TYPE_MATRIX, OP_TYPE_ARRAY, OP_TYPE_STRUCT, OP_COMPOSITE_CONSTRUCT, OP_COMPOSITE_EXTRACT,
 OP_CONVERT_S_TO_F, OP_CONVERT_U_TO_F, OP_F_CONVERT, OP_SELECT, OP_PHI, OP_UNDEF, OP_CONSTANT_TRUE, OP_CONSTANT_NULL) = (
     20, 21, 24, 28, 30, 80, 81, 111, 112, 115, 169, 245, 1, 41, 46)
# Constants, and what may take their place; pointers to such places can be loaded from.
CONSTANTS = {OP_UNDEF, *range(OP_CONSTANT_TRUE, 53), 4461, 4462, 5129}
LOADED = {1, 2, 4, 6, 7, 9, 12}  # classes whose pointers lead to numbers
MERGES = 246, 247
MOST_OPERANDS, MOST_CONSTANTS = 64, 16  # of a module, so that it does not become another one
TYPES = {OP_TYPE_BOOL, OP_TYPE_INT, OP_TYPE_FLOAT, OP_TYPE_VECTOR, OP_TYPE_MATRIX, OP_TYPE_IMAGE, OP_TYPE_SAMPLER,
         OP_TYPE_SAMPLED_IMAGE, OP_TYPE_ARRAY, OP_TYPE_STRUCT, OP_TYPE_POINTER}
# What stands in front of types: capabilities to decorations.
PREAMBLE = {2, 3, 4, 5, 6, 7, 10, 11, 14, 15, 16, 17, 71, 72, 73, 74, 75, 330, 331, 332, 5127, 5397, 5632, 5633,
            5911, 5912, 5913, 6248, 6249, 6250}
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


class Frame:
    """What lookups need, declared in a module: two constants, an image, a sampler, and both together."""

    def __init__(self, words, module):
        self.words, self.module = words, module
        self.ids = ids = Ids(words[BOUND], module)
        self.number = ids.type(OP_TYPE_FLOAT, 32)
        self.pair, self.four = ids.type(OP_TYPE_VECTOR, self.number, 2), ids.type(OP_TYPE_VECTOR, self.number, 4)
        self.image = ids.type(OP_TYPE_IMAGE, self.number, 1, 0, 0, 0, 1, 0)
        self.sampler, self.sampled = ids.type(OP_TYPE_SAMPLER), ids.type(OP_TYPE_SAMPLED_IMAGE, self.image)
        self.zero = ids.declare(OP_CONSTANT, self.number, 0)
        self.place = ids.declare(OP_CONSTANT_COMPOSITE, self.pair, self.zero, self.zero)
        self.kinds = self.image, self.sampler, self.sampled
        self.variables = [ids.declare(OP_VARIABLE, ids.pointer_to(kind), UNIFORM_CONSTANT) for kind in self.kinds]

    def loads(self):
        """Instructions that load the three, and their results."""
        loaded = [self.ids.new() for _ in self.variables]
        return [instruction(OP_LOAD, kind, one, variable)
                for kind, one, variable in zip(self.kinds, loaded, self.variables)], loaded

    def lookup(self, both, place=None, level=None):
        return instruction(OP_SAMPLE_EXPLICIT_LOD, self.four, self.ids.new(), both, place or self.place, LOD,
                           level or self.zero)

    def whole(self, change):
        """The module with what is declared, and with functions as `change` makes them."""
        decorations, binding = [], binding_above(self.module)
        for i, variable in enumerate(self.variables):
            decorations += [instruction(OP_DECORATE, variable, DESCRIPTOR_SET, 0),
                            instruction(OP_DECORATE, variable, BINDING, binding + i)]
        module, result = self.module, []
        types_at = next(i for i, one in enumerate(module) if opcode_of(one) not in PREAMBLE)
        functions_at = next(i for i, one in enumerate(module) if opcode_of(one) == OP_FUNCTION)
        while functions_at > types_at and opcode_of(module[functions_at - 1]) in (OP_LINE, OP_NO_LINE):
            functions_at -= 1
        for one in module[:types_at]:
            if opcode_of(one) in (OP_ENTRY_POINT, OP_CONDITIONAL_ENTRY_POINT) and self.words[1] >= VERSION_1_4:
                one = instruction(opcode_of(one), *one[1:], *self.variables)
            result.append(one)
        functions = change(module[functions_at:], self)
        result += decorations + module[types_at:functions_at] + self.ids.added + functions
        self.words[BOUND] = self.ids.bound
        header = self.words[:HEADER]
        for one in result:
            header.extend(one)
        return header.tobytes()


def frame_of(data):
    """None where the module is no shader, or has no functions."""
    words = array.array("I", data)
    module = instructions(words) if len(words) > HEADER and words[0] == MAGIC else None
    if not module or instruction(OP_CAPABILITY, SHADER) not in module or OP_FUNCTION not in map(opcode_of, module):
        return None
    return Frame(words, module) if words[BOUND] <= MOST_BOUND else None


class Made:
    """A module that was made of another, and the opcodes that stand in it, between a pair and its use, and as operands."""

    def __init__(self, data, between=(), operands=()):
        self.data, self.between, self.operands = data, set(between), set(operands)
        self.opcodes = {opcode_of(one) for one in instructions(array.array("I", data))}


def with_lookups(data):
    """The module with lookups beside what it has; None where it is no shader, or has no functions."""
    frame = frame_of(data)
    if not frame:
        return None
    made = frame.whole(in_functions)
    return Made(made, between=frame.between)


def with_operands(data):
    """The module with lookups whose operands are what its instructions make; None where there is nothing to take."""
    frame = frame_of(data)
    operands = Operands(frame) if frame else None
    made = frame.whole(lambda module, _: operands.in_functions(module)) if frame else None
    return Made(made, operands=operands.opcodes) if made and operands.count else None


class Operands:
    """Numbers of ids, by their types, and lookups that take them."""

    def __init__(self, frame):
        self.frame, self.count, self.opcodes = frame, 0, set()
        self.types, self.constants = {}, []
        for one in frame.module:
            if opcode_of(one) == OP_FUNCTION:
                break
            if opcode_of(one) in TYPES and len(one) > 1:
                self.types[one[1]] = one
            elif opcode_of(one) in CONSTANTS:
                self.constants.append(one)

    def shape(self, kind):
        one = self.types.get(kind)
        return (opcode_of(one), one) if one else (0, ())

    def number_of(self, kind, value, depth=0):
        """Instructions that make a float of a value, and its id; None: there is no number in it."""
        ids, number = self.frame.ids, self.frame.number
        shape, one = self.shape(kind)
        made = ids.new()
        if shape == OP_TYPE_FLOAT:
            if one[2:] == (32,):
                return [], value
            return [instruction(OP_F_CONVERT, number, made, value)], made
        if shape == OP_TYPE_INT:
            return [instruction(OP_CONVERT_S_TO_F if one[3] else OP_CONVERT_U_TO_F, number, made, value)], made
        if shape == OP_TYPE_BOOL:
            return [instruction(OP_SELECT, number, made, value, self.frame.zero, self.frame.zero)], made
        if shape in (OP_TYPE_VECTOR, OP_TYPE_MATRIX, OP_TYPE_ARRAY, OP_TYPE_STRUCT) and len(one) > 2 and depth < 8:
            rest = self.number_of(one[2], made, depth + 1)
            return ([instruction(OP_COMPOSITE_EXTRACT, one[2], made, value, 0), *rest[0]], rest[1]) if rest else None
        if shape == OP_TYPE_POINTER and one[2] in LOADED and depth == 0:
            rest = self.number_of(one[3], made, 1)
            return ([instruction(OP_LOAD, one[3], made, value), *rest[0]], rest[1]) if rest else None
        return None

    def taken(self, kind, value):
        """Instructions of a lookup that takes a value; none where it cannot."""
        frame, ids = self.frame, self.frame.ids
        shape, one = self.shape(kind)
        loads, loaded = frame.loads()
        if shape == OP_TYPE_POINTER and one[2] == UNIFORM_CONSTANT and self.shape(one[3])[0] in (
                OP_TYPE_IMAGE, OP_TYPE_SAMPLER, OP_TYPE_SAMPLED_IMAGE):
            made = ids.new()
            rest = self.taken(one[3], made)
            return [instruction(OP_LOAD, one[3], made, value), *rest] if rest else []
        if kind == frame.sampled:
            return [frame.lookup(value)]
        if kind in (frame.image, frame.sampler):
            both = ids.new()
            parts = (value, loaded[1]) if kind == frame.image else (loaded[0], value)
            return [*loads[:2], instruction(OP_SAMPLED_IMAGE, frame.sampled, both, *parts), frame.lookup(both)]
        number = self.number_of(kind, value)
        if not number:
            return []
        place = ids.new()
        return [*number[0], instruction(OP_COMPOSITE_CONSTRUCT, frame.pair, place, number[1], number[1]), loads[2],
                frame.lookup(loaded[2], place, number[1])]

    def take(self, one):
        """The lookup behind an instruction."""
        if self.count == MOST_OPERANDS or len(one) < 3 or one[1] not in self.types:
            return []
        lookup = self.taken(one[1], one[2])
        if lookup:
            self.count += 1
            self.opcodes.add(opcode_of(one))
        return lookup

    def in_functions(self, module):
        result, waiting, pending, inside = [], self.constants[:MOST_CONSTANTS], [], False
        for i, one in enumerate(module):
            opcode = opcode_of(one)
            result.append(one)
            if opcode == OP_LABEL:
                pending = [] if inside else pending + waiting
                waiting = waiting if inside else []
                inside = True
            elif opcode == OP_FUNCTION:
                pending, inside = [], False
            else:
                pending.append(one)
            # Behind variables and phis, and never between a merge and a branch.
            following = opcode_of(module[i + 1]) if i + 1 < len(module) else OP_FUNCTION
            if inside and opcode not in MERGES and following not in (OP_PHI, OP_VARIABLE, OP_UNTYPED_VARIABLE, OP_LABEL,
                                                                     OP_LINE,
                                                                     OP_NO_LINE, OP_FUNCTION_END, OP_FUNCTION):
                for made in pending:
                    result += self.take(made)
                pending = []
        return result


def in_functions(module, frame):
    frame.between = set()  # what stands between an OpSampledImage and its use
    ids = frame.ids
    result, at = [], 0
    while at < len(module):
        result.append(module[at])
        at += 1
        if opcode_of(module[at - 1]) != OP_LABEL or not first_block(result):
            continue
        end = next(i for i in range(at, len(module)) if opcode_of(module[i]) in (OP_LABEL, OP_FUNCTION_END)) - 1
        while opcode_of(module[end]) in (OP_LINE, OP_NO_LINE, OP_EXT_INST):  # glslang ends scopes behind the block's end
            end -= 1
        while end > at and opcode_of(module[end - 1]) in (*MERGES, OP_LINE, OP_NO_LINE):
            end -= 1
        begin = at
        for i in range(at, end):
            if opcode_of(module[i]) in (OP_VARIABLE, OP_UNTYPED_VARIABLE):
                begin = i + 1
        loads, loaded = frame.loads()
        both = ids.new()
        frame.between.update(map(opcode_of, module[begin:end]))
        result += [*module[at:begin], *loads, frame.lookup(loaded[2]),
                   instruction(OP_SAMPLED_IMAGE, frame.sampled, both, loaded[0], loaded[1]), *module[begin:end],
                   frame.lookup(both)]
        at = end
    return result


def first_block(before):
    """Whether the label at the end of a list is its function's first."""
    for one in reversed(before[:-1]):
        if opcode_of(one) in (OP_LABEL, OP_FUNCTION):
            return opcode_of(one) == OP_FUNCTION
    return False


def grammar():
    """Name and capabilities of each instruction of the installed grammar, by its number."""
    with open("/usr/include/spirv/unified1/spirv.core.grammar.json", encoding="utf-8") as file:
        known = collections.OrderedDict()
        for one in json.load(file)["instructions"]:
            known.setdefault(one["opcode"], (one["opname"], one.get("capabilities", [])))
    return known

# SPDX-License-Identifier: MIT
"""Tidies functions of a SPIR-V module, given as lists of words: compilers of drivers take their time by the call and by the
instruction, and what is the same in every program can be done once.

Only straight functions are touched: one block, no variable. Calls of them are replaced by what they do, constants are folded,
values that are taken out of a composite are taken from where they come, what is computed twice is computed once, and what nobody
uses goes.
"""
OP_CONSTANT_TRUE, OP_CONSTANT_FALSE, OP_CONSTANT, OP_CONSTANT_COMPOSITE = 41, 42, 43, 44
OP_FUNCTION, OP_FUNCTION_PARAMETER, OP_FUNCTION_END, OP_FUNCTION_CALL, OP_VARIABLE = 54, 55, 56, 57, 59
OP_VECTOR_SHUFFLE, OP_COMPOSITE_CONSTRUCT, OP_COMPOSITE_EXTRACT = 79, 80, 81
OP_LOGICAL_OR, OP_LOGICAL_AND, OP_LOGICAL_NOT, OP_SELECT = 166, 167, 168, 169
OP_LABEL, OP_RETURN_VALUE = 248, 254
OP_TYPE_INT, OP_TYPE_VECTOR = 21, 23
FRAME = (OP_FUNCTION, OP_FUNCTION_PARAMETER, OP_LABEL, OP_RETURN_VALUE, OP_FUNCTION_END)


def signed(value):
    return value - (1 << 32) if value >> 31 else value


# Of constant words; results are words or bools.
FOLDED = {128: lambda a, b: (a + b) & 0xffffffff, 130: lambda a, b: (a - b) & 0xffffffff, 196: lambda a, b: (a << b) & 0xffffffff,
          199: lambda a, b: a & b, 170: lambda a, b: a == b, 171: lambda a, b: a != b,
          173: lambda a, b: signed(a) > signed(b), 175: lambda a, b: signed(a) >= signed(b),
          177: lambda a, b: signed(a) < signed(b), 179: lambda a, b: signed(a) <= signed(b)}


def opcode(inst):
    return inst[0] & 0xffff


def is_straight(function):
    opcodes = [opcode(inst) for inst in function]
    return opcodes.count(OP_LABEL) == 1 and opcodes[-2] == OP_RETURN_VALUE and OP_VARIABLE not in opcodes


class Tidier:
    """`globals_` are the module's types and constants; it grows by constants that turn up."""

    def __init__(self, grammar, globals_, functions):
        self.grammar = grammar
        self.globals = globals_
        self.functions = functions
        self.next_id = 1 + max(word for inst in globals_ + [i for f in functions for i in f]
                               for word, is_id in zip(inst, grammar.id_mask(inst)) if is_id)
        self.width = {inst[1]: inst[3] for inst in globals_ if opcode(inst) == OP_TYPE_VECTOR}
        self.integers = {inst[1] for inst in globals_ if opcode(inst) == OP_TYPE_INT}
        self.bools = {inst[2]: opcode(inst) == OP_CONSTANT_TRUE for inst in globals_
                      if opcode(inst) in (OP_CONSTANT_TRUE, OP_CONSTANT_FALSE)}
        self.composites = {inst[2]: inst[3:] for inst in globals_ if opcode(inst) == OP_CONSTANT_COMPOSITE}
        self.words = {inst[2]: inst[3] for inst in globals_ if opcode(inst) == OP_CONSTANT and inst[1] in self.integers}

    def new_id(self):
        self.next_id += 1
        return self.next_id - 1

    def constant(self, kind, value):
        if isinstance(value, bool):
            known, inst = self.bools, [3 << 16 | (OP_CONSTANT_TRUE if value else OP_CONSTANT_FALSE), kind, 0]
        else:
            known, inst = self.words, [4 << 16 | OP_CONSTANT, kind, 0, value]
        for identity, other in known.items():
            if other == value and any(g[2:3] == [identity] and g[1] == kind for g in self.globals):
                return identity
        inst[2] = self.new_id()
        known[inst[2]] = value
        self.globals.append(inst)
        return inst[2]

    def renamed(self, inst, names):
        mask = self.grammar.id_mask(inst)
        return [names.get(word, word) if is_id else word for word, is_id in zip(inst, mask)]

    def inline(self, function, straight):
        """With the bodies of straight functions in the place of calls."""
        names, result = {}, []
        for inst in function:
            inst = self.renamed(inst, names)
            if opcode(inst) != OP_FUNCTION_CALL or inst[3] not in straight:
                result.append(inst)
                continue
            callee = straight[inst[3]]
            own = dict(zip([i[2] for i in callee if opcode(i) == OP_FUNCTION_PARAMETER], inst[4:]))
            for line in callee:
                if opcode(line) == OP_RETURN_VALUE:
                    names[inst[2]] = own.get(line[1], line[1])
                elif opcode(line) not in FRAME:
                    own[line[2]] = self.new_id()
                    result.append(self.renamed(line, own))
        return result

    def same_bool(self, value, definition):
        """True or False if all components of a condition are that."""
        inst = definition.get(value, [0])
        parts = inst[3:] if opcode(inst) == OP_COMPOSITE_CONSTRUCT else self.composites.get(value, [value])
        return self.bools.get(parts[0]) if len({self.bools.get(part) for part in parts}) == 1 else None

    def component(self, inst, definition, width_of):
        """Where the value of an extraction comes from, as an id or as another extraction."""
        source = definition.get(inst[3], [0])
        if inst[3] in self.composites and len(inst) == 5:
            return self.composites[inst[3]][inst[4]]
        if opcode(source) == OP_COMPOSITE_EXTRACT:
            more = source[4:] + inst[4:]
            return [(4 + len(more)) << 16 | OP_COMPOSITE_EXTRACT, inst[1], inst[2], source[3]] + more
        if opcode(source) == OP_VECTOR_SHUFFLE:
            first, index = width_of(source[3]), source[5 + inst[4]]
            vector, index = (source[3], index) if index < first else (source[4], index - first)
            return [5 << 16 | OP_COMPOSITE_EXTRACT, inst[1], inst[2], vector, index]
        if opcode(source) == OP_COMPOSITE_CONSTRUCT:
            index = inst[4]
            for part in source[3:]:
                count = width_of(part) if source[1] in self.width else 1
                if index < count:
                    rest = ([index] if count > 1 else []) + inst[5:]
                    return part if not rest else [(4 + len(rest)) << 16 | OP_COMPOSITE_EXTRACT, inst[1], inst[2], part] + rest
                index -= count
        return None

    def folded(self, inst, definition, width_of):
        """An id that has the value of the instruction, another instruction for it, or None."""
        op = opcode(inst)
        if op == OP_COMPOSITE_EXTRACT:
            return self.component(inst, definition, width_of)
        if op == OP_SELECT:
            condition = self.same_bool(inst[3], definition)
            return inst[5] if inst[4] == inst[5] else None if condition is None else inst[4] if condition else inst[5]
        if op == OP_LOGICAL_NOT and inst[3] in self.bools:
            return self.constant(inst[1], not self.bools[inst[3]])
        if op in (OP_LOGICAL_AND, OP_LOGICAL_OR):
            for known, other in ((inst[3], inst[4]), (inst[4], inst[3])):
                if known in self.bools:
                    return other if self.bools[known] == (op == OP_LOGICAL_AND) else known
        if op in FOLDED and len(inst) == 5 and inst[3] in self.words and inst[4] in self.words and inst[1] not in self.width:
            return self.constant(inst[1], FOLDED[op](self.words[inst[3]], self.words[inst[4]]))
        return None

    def simplify(self, function):
        names, definition, types, seen, result = {}, {}, {}, {}, []

        def width_of(value):
            return self.width.get(types.get(value), 1)

        for g in self.globals:
            if len(g) > 2 and 41 <= opcode(g) <= 52:
                types[g[2]] = g[1]
        for inst in function:
            inst = self.renamed(inst, names)
            if opcode(inst) in FRAME or opcode(inst) == OP_FUNCTION_CALL:
                if opcode(inst) in (OP_FUNCTION_PARAMETER, OP_FUNCTION_CALL):
                    types[inst[2]] = inst[1]
                result.append(inst)
                continue
            value = self.folded(inst, definition, width_of)
            while isinstance(value, list):
                inst, value = value, self.folded(value, definition, width_of)
            key = tuple(inst[:2] + inst[3:])
            value = seen.get(key) if value is None else value
            if value is not None:
                names[inst[2]] = value
                continue
            seen[key] = inst[2]
            definition[inst[2]], types[inst[2]] = inst, inst[1]
            result.append(inst)
        used, kept = set(), []
        for inst in reversed(result):
            if opcode(inst) in FRAME or opcode(inst) == OP_FUNCTION_CALL or inst[2] in used:
                kept.append(inst)
                used.update(word for word, is_id in zip(inst[3:] if opcode(inst) != OP_RETURN_VALUE else inst[1:],
                                                        self.grammar.id_mask(inst)[3 if opcode(inst) != OP_RETURN_VALUE else 1:])
                            if is_id)
        return kept[::-1]

    def tidy(self):
        """The functions, in the same order. A function stands behind those that it calls."""
        straight, result = {}, []
        for function in self.functions:
            function = self.inline(function, straight)
            if is_straight(function):
                function = self.simplify(function)
                straight[function[0][2]] = function
            result.append(function)
        return result

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""generate_shader_library.py OPTIONS: digests the GLSL of shaders/ into tables that the rewriter links from.

  --glslang PATH         glslangValidator
  --grammar FILE         spirv.core.grammar.json
  --source FILE          shaders/library.glsl
  --instructions FILE    layer/rewriter/spirv/module/instructions.txt
  --output-header FILE   library_table.h
  --output FILE          library_table.c

The library becomes one table: words with local ids, a byte for each word of a type or constant that says whether it is an id,
an entry for each of them and for each function. Local ids: 0 is the import of GLSL.std.450, then types and constants in order, then functions. A function's own ids are
counted from 0 for each function; where they and the others stand in its words is listed apart, so that linking is a copy
and two loops.

It also writes what the scanner must know of SPIR-V opcodes: least word count, whether there is a result and a type, whether
a block ends, whether operands may be images. That is the same whatever grammar the build has: it comes from the list of instructions in the tree.
"""
import json
import os
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "internal"))
import help_text  # noqa: E402
import list_instructions  # noqa: E402
from tidy_spirv import Tidier, is_straight  # noqa: E402

OP_EXT_INST_IMPORT, OP_NAME, OP_ENTRY_POINT = 11, 5, 15
OP_FUNCTION, OP_FUNCTION_PARAMETER, OP_FUNCTION_END = 54, 55, 56
OP_VARIABLE, OP_LOAD, OP_STORE, OP_ACCESS_CHAIN = 59, 61, 62, 65
OP_CONSTANT, OP_SPEC_CONSTANT, OP_COMPOSITE_EXTRACT = 43, 50, 81
OP_TYPE_POINTER, OP_TYPE_FUNCTION, OP_TYPE_VOID = 32, 33, 19

ID_KINDS = {"IdResultType", "IdResult", "IdRef", "IdMemorySemantics", "IdScope"}
WHOLE_REST = {"LiteralString", "LiteralContextDependentNumber"}

class Grammar:
    def __init__(self, path):
        with open(path) as f:
            data = json.load(f)
        self.instructions = {}
        for inst in data["instructions"]:
            self.instructions.setdefault(inst["opcode"], inst)

    def id_mask(self, words):
        """True for each word of the instruction that is an id."""
        operands = self.instructions[words[0] & 0xffff].get("operands", [])
        mask = [False] * len(words)
        at = 1
        for operand in operands:
            kind = operand["kind"]
            repeat = operand.get("quantifier") == "*"
            while at < len(words):
                if kind in WHOLE_REST:
                    return mask
                if kind == "PairIdRefIdRef":
                    mask[at] = mask[at + 1] = True
                    at += 2
                elif kind.startswith("Pair"):
                    sys.exit(f"operand kind {kind} is not expected in the library")
                else:
                    mask[at] = kind in ID_KINDS
                    at += 1
                if not repeat:
                    break
        if at != len(words):
            sys.exit(f"instruction {words} has operands that the digest does not know")
        return mask

    def shape(self, opcode):
        """(least word count, has type, has result)"""
        least, has_type, has_result = 1, False, False
        for operand in self.instructions[opcode].get("operands", []):
            has_type |= operand["kind"] == "IdResultType"
            has_result |= operand["kind"] == "IdResult"
            if "quantifier" not in operand:
                least += 1
        return least, has_type, has_result


def compile_glsl(glslang, source):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "library.spv")
        command = [glslang, "-V", "-g0", "--keep-uncalled", "-S", "comp", "--target-env", "vulkan1.0", source, "-o", path]
        # -g0 would strip the functions' names too.
        command.remove("-g0")
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode != 0:
            sys.exit(result.stdout + result.stderr)
        with open(path, "rb") as f:
            data = f.read()
    words = struct.unpack(f"<{len(data) // 4}I", data)
    instructions, at = [], 5
    while at < len(words):
        count = words[at] >> 16
        instructions.append(list(words[at:at + count]))
        at += count
    return instructions


def text(words):
    return struct.pack(f"<{len(words)}I", *words).split(b"\0")[0].decode()


def substitute(grammar, inst, replaced):
    mask = grammar.id_mask(inst)
    for i, is_id in enumerate(mask):
        while is_id and inst[i] in replaced:
            inst[i] = replaced[inst[i]]


def promote_variables(grammar, function, constants):
    """Variables that are written once, whole, become the value that is written: GLSL's const locals."""
    uses = {}
    for inst in function:
        mask = grammar.id_mask(inst)
        _, has_type, has_result = grammar.shape(inst[0] & 0xffff)
        first = 1 + has_type + has_result
        for i in range(first, len(inst)):
            if mask[i]:
                uses.setdefault(inst[i], []).append(inst)
    value, dropped, replaced = {}, [], {}
    for inst in function:
        if inst[0] & 0xffff != OP_VARIABLE:
            continue
        variable, stores, simple = inst[2], [], len(inst) == 4
        for use in uses.get(variable, []):
            op = use[0] & 0xffff
            if op == OP_STORE and use[1] == variable:
                stores.append(use)
            elif op == OP_ACCESS_CHAIN:
                simple &= all(i in constants for i in use[4:])
                simple &= all(u[0] & 0xffff == OP_LOAD for u in uses.get(use[2], []))
            elif op != OP_LOAD:
                simple = False
        if simple and len(stores) == 1:
            value[variable] = stores[0][2]
            dropped += [inst, stores[0]]
    chains, result = {}, []
    for inst in function:
        op = inst[0] & 0xffff
        if any(inst is d for d in dropped):
            continue
        if op == OP_ACCESS_CHAIN and inst[3] in value:
            chains[inst[2]] = (value[inst[3]], [constants[i] for i in inst[4:]])
            continue
        if op == OP_LOAD and inst[3] in value:
            replaced[inst[2]] = value[inst[3]]
            continue
        if op == OP_LOAD and inst[3] in chains:
            base, indices = chains[inst[3]]
            inst = [(4 + len(indices)) << 16 | OP_COMPOSITE_EXTRACT, inst[1], inst[2], base] + indices
        result.append(inst)
    for inst in result:
        substitute(grammar, inst, replaced)
    return result


def digest(grammar, instructions):
    names, imports, globals_, functions = {}, [], [], []
    for inst in instructions:
        if inst[0] & 0xffff == OP_ENTRY_POINT:
            main = inst[2]
    body = None
    for inst in instructions:
        op = inst[0] & 0xffff
        if body is not None:
            body.append(inst)
            if op == OP_FUNCTION_END:
                if body[0][2] != main:
                    functions.append(body)
                body = None
        elif op == OP_FUNCTION:
            body = [inst]
        elif op == OP_NAME:
            names[inst[1]] = text(inst[2:])
        elif op == OP_EXT_INST_IMPORT:
            imports.append(inst[1])
        elif op in grammar.instructions and (19 <= op <= 33 or 41 <= op <= 52 or op == 1):
            globals_.append(inst)
    constants = {i[2]: i[3] for i in globals_ if i[0] & 0xffff == OP_CONSTANT}
    functions = Tidier(grammar, globals_, [promote_variables(grammar, f, constants) for f in functions]).tidy()

    # Only what the functions reach is kept.
    used, work = set(), []

    def reach(inst):
        for word, is_id in zip(inst[1:], grammar.id_mask(inst)[1:]):
            if is_id and word not in used:
                used.add(word)
                work.append(word)

    definition = {}
    for inst in globals_:
        _, has_type, _ = grammar.shape(inst[0] & 0xffff)
        definition[inst[1 + has_type]] = inst
    for f in functions:
        for inst in f:
            reach(inst)
    while work:
        word = work.pop()
        if word in definition:
            reach(definition[word])
    order, kept = [], []
    for inst in globals_:
        _, has_type, _ = grammar.shape(inst[0] & 0xffff)
        if inst[1 + has_type] in used:
            order.append(inst[1 + has_type])
            kept.append(inst)
    local = {imports[0]: 0}
    for i in order:
        local[i] = len(local)
    for f in functions:
        local[f[0][2]] = len(local)
    words, ids, inner, outer, global_table, function_table = [], [], [], [], [], []

    def put(inst, table):
        mask = grammar.id_mask(inst)
        for word, is_id in zip(inst, mask):
            words.append(table[word] if is_id else word)
            ids.append(1 if is_id else 0)

    for inst in kept:
        global_table.append((len(words), len(inst)))
        if inst[0] & 0xffff == OP_SPEC_CONSTANT:
            sys.exit("the library has no specialization constants")
        put(inst, local)
    first_inner = len(local)
    global_words = len(words)
    for f in functions:
        table = dict(local)
        for inst in f:
            _, has_type, has_result = grammar.shape(inst[0] & 0xffff)
            if has_result and inst[1 + has_type] not in table:
                table[inst[1 + has_type]] = len(table)
        start, first_own, first_other = len(words), len(inner), len(outer)
        for inst in f:
            put(inst, table)
        for i in range(start, len(words)):
            if ids[i] and words[i] >= first_inner:
                words[i] -= first_inner
                inner.append(i - start)
            elif ids[i]:
                outer.append(i - start)
        function_type = definition[f[0][4]]
        if any(definition[p][0] & 0xffff == OP_TYPE_POINTER for p in function_type[3:]):
            sys.exit(f"{names[f[0][2]]}: parameters of linked functions are `const in`")
        function_table.append({"name": names[f[0][2]].split("(")[0], "offset": start, "count": len(words) - start,
                               "type": local[f[0][1]], "ids": len(table) - first_inner,
                               "parameters": sum(i[0] & 0xffff == OP_FUNCTION_PARAMETER for i in f), "straight": is_straight(f),
                               "inner": (first_own, len(inner) - first_own),
                               "outer": (first_other, len(outer) - first_other)})
    return {"words": words, "ids": ids[:global_words], "inner": inner, "outer": outer, "globals": global_table, "functions": function_table,
            "first_inner": first_inner}


def c_array(kind, name, values, form):
    lines = [f"static const {kind} {name}[{max(len(values), 1)}] = {{"]
    row = []
    for value in values:
        row.append(form % value)
        if len(row) == 12:
            lines.append("    " + ", ".join(row) + ",")
            row = []
    if row:
        lines.append("    " + ", ".join(row) + ",")
    return "\n".join(lines + ["};"])


def write_table(name, table):
    parts = [c_array("uint32_t", f"{name}_words", table["words"], "0x%x"),
             c_array("uint8_t", f"{name}_ids", table["ids"], "%d"),
             c_array("uint16_t", f"{name}_inner", table["inner"], "%d"),
             c_array("uint16_t", f"{name}_outer", table["outer"], "%d"),
             f"static const struct library_global {name}_globals[] = {{"]
    parts += [f"    {{{offset}, {count}}}," for offset, count in table["globals"]]
    parts += ["};", f"static const struct library_function {name}_functions[] = {{"]
    for f in table["functions"]:
        parts.append(f"    {{\"clampler_{f['name']}\", {f['offset']}, {f['count']}, {f['type']}, {f['ids']}, "
                     f"{f['parameters']}, {'true' if f['straight'] else 'false'}, "
                     f"{f['inner'][0]}, {f['inner'][1]}, {f['outer'][0]}, {f['outer'][1]}}},")
    parts += ["};", f"const struct library_table {name} = {{",
              f"    {name}_words, {name}_ids, {name}_inner, {name}_outer, {name}_globals, {name}_functions, {len(table['globals'])}, "
              f"{len(table['functions'])}}};"]
    return "\n".join(parts) + "\n"


def write_opcodes(instructions):
    """A number for each opcode; its bits are OPCODE_LEAST_MASK and those behind it in opcodes.h. 0: not known."""
    bits = {"e": 32, "t": 64, "r": 128, "i": 256}
    rows = [0] * (max(instructions) + 1)
    for opcode, (least, letters, _) in instructions.items():
        rows[opcode] = min(least, 31) | sum(bits[letter] for letter in letters)
    return c_array("uint16_t", "opcode_shapes", rows, "%d").replace("static ", "", 1)


def main():
    parser = help_text.parser(__doc__)
    for option in ("glslang", "grammar", "instructions", "source", "output", "output-header"):
        parser.add_argument("--" + option, required=True)
    options = parser.parse_args()
    grammar = Grammar(options.grammar)
    instructions = list_instructions.read(options.instructions)
    library = digest(grammar, compile_glsl(options.glslang, options.source))
    names = [f["name"] for f in library["functions"]]
    if len(set(names)) != len(names):
        sys.exit("a function of the library is overloaded")
    banner = "/* Generated by scripts/generate/generate_shader_library.py: edit shaders/ instead. */\n"
    with open(options.output_header, "w") as f:
        f.write(banner + "#ifndef CLAMPLER_LIBRARY_TABLE_H\n#define CLAMPLER_LIBRARY_TABLE_H\n\nenum library_name {\n")
        for name in names:
            f.write(f"    LIBRARY_{name.upper()},\n")
        f.write("    LIBRARY_FUNCTION_COUNT\n};\n")
        f.write(f"#define LIBRARY_LOCAL_COUNT {library['first_inner']}\n")
        f.write(f"#define OPCODE_SHAPE_COUNT {max(instructions) + 1}\n\n#endif\n")
    with open(options.output, "w") as f:
        f.write(banner + '#include "spirv/write/library.h"\n#include "spirv/module/opcodes.h"\n\n')
        f.write(write_opcodes(instructions) + "\n\n")
        f.write(write_table("shader_library", library))


if __name__ == "__main__":
    main()

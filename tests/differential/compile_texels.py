#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles shaders/tests/texel_buffer.glsl for every class of texels, stage and form of array.

    compile_texels.py COMPILE_MODULES SOURCE OUTPUT.h
"""
import os
import subprocess
import sys
import tempfile

CLASSES = ["samplerBuffer", "isamplerBuffer", "usamplerBuffer"]
STAGES = [("COMPUTE", "comp"), ("VERTEX", "vert"), ("FRAGMENT", "frag"), ("GEOMETRY", "geom"),
          ("TESS_CONTROL", "tesc"), ("TESS_EVALUATION", "tese")]
PASSES = [("texel_pass", "PASS", "vert"), ("texel_tess_pass", "TESS_PASS", "tesc"), ("texel_evaluate", "EVALUATE", "tese")]


def compile_all(program, source, modules):
    """The words of each module, (stage, defines), by tests/harness/compile/compile_modules.cpp."""
    with tempfile.TemporaryDirectory() as folder:
        listed = os.path.join(folder, "list")
        with open(listed, "w", encoding="ascii") as file:
            file.writelines("\t".join((stage, *defines)) + "\n" for stage, defines in modules)
        subprocess.run([program, source, listed, folder], check=True)
        words = []
        for number in range(len(modules)):
            with open(os.path.join(folder, "%u.spv" % number), "rb") as file:
                data = file.read()
            words.append([int.from_bytes(data[i:i + 4], "little") for i in range(0, len(data), 4)])
    return words


def array(name, words):
    rows = [", ".join("0x%x" % w for w in words[i:i + 16]) for i in range(0, len(words), 16)]
    return "static const uint32_t %s[] = {\n    %s};\n" % (name, ",\n    ".join(rows))


def main():
    program, source, output = sys.argv[1:]
    out = ["/* Written by compile_texels.py from shaders/tests/texel_buffer.glsl. */"]
    names, modules, cases = [], [], []
    for c, sampler in enumerate(CLASSES):
        for s, (stage, suffix) in enumerate(STAGES):
            for form in range(4 if s == 0 else 1):
                names.append("texel_%u_%u_%u" % (c, s, form))
                modules.append((suffix, ["SAMPLER=" + sampler, "STAGE_" + stage, "ARRAY=%u" % form]))
                cases.append("    [%u][%u][%u] = {%s, sizeof %s}," % (c, s, form, names[-1], names[-1]))
    for name, stage, suffix in PASSES:
        names.append(name)
        modules.append((suffix, ["SAMPLER=samplerBuffer", "STAGE_" + stage, "ARRAY=0"]))
    out += [array(name, words) for name, words in zip(names, compile_all(program, source, modules))]
    out.append("static const struct harness_spirv texel_modules[3][6][4] = {\n%s\n};\n" % "\n".join(cases))
    out.append("static inline struct harness_spirv texel_module(unsigned class, unsigned stage, unsigned form)\n"
               "{\n    return texel_modules[class][stage][form];\n}\n")
    with open(output, "w", encoding="utf-8") as file:
        file.write("\n".join(out))


if __name__ == "__main__":
    main()

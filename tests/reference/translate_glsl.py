#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns the shaders' GLSL into C++ that tests/reference/glsl.hpp's types compile, so that the very text which is linked into
programs' shaders can run beside the reference sampler. Usage: translate_glsl.py OUTPUT FILE.glsl...

Only what these files need: includes are dropped (the files come in order), `in` parameters become plain ones, float literals
get their suffix, and structure constructors become braces."""

import re
import sys


def close_of(text, opening):
    """Index of the parenthesis that closes the one at `opening`."""
    depth = 0
    for i in range(opening, len(text)):
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        if depth == 0:
            return i
    raise SystemExit("unbalanced parentheses")


def braces_for(text, structure):
    """Structure(a, b) -> Structure{a, b}."""
    at = 0
    while (found := re.search(rf"\b{structure}\(", text[at:])) is not None:
        opening = at + found.end() - 1
        closing = close_of(text, opening)
        text = f"{text[:opening]}{{{text[opening + 1:closing]}}}{text[closing + 1:]}"
        at = opening
    return text


def translate(text, structures):
    text = re.sub(r"^#include.*$", "", text, flags=re.M)
    text = re.sub(r"\bconst in\b", "const", text)
    text = re.sub(r"(?<![\w.])(\d+\.\d+(?:e-?\d+)?)(?![\w.])", r"\1f", text)
    text = re.sub(r"\b(\w+)\.xxx\b", r"uvec3(\1.x)", text)
    text = re.sub(r"\b(\w+)\.xxxx\b", r"uvec4(\1.x)", text)
    for structure in structures:
        text = braces_for(text, structure)
    return re.sub(r"^(\w+ \w+\(const )", r"inline \1", text, flags=re.M)


def main():
    output, *inputs = sys.argv[1:]
    with open(output, "w", encoding="utf-8") as out:
        out.write('#include "record/layout.h"\n#include "reference/glsl.hpp"\n\nnamespace shader\n{\nusing namespace glsl;\n')
        texts = [open(name, encoding="utf-8").read() for name in inputs]
        structures = [name for text in texts for name in re.findall(r"^struct (\w+)", text, flags=re.M)]
        for text in texts:
            out.write(translate(text, structures))
        out.write("}\n")


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""OpenGL's numbers in layer/semantics/gl are those of OpenGL's own headers: the tokens, and the runs of internal formats, whose
comments name what they hold. The layer's other tests take the numbers from the same place as the layer.

    gl_tokens_test.py SOURCE_FOLDER HEADER_FOLDER

77: there are no headers.
"""
import os
import re
import sys

SUFFIXES = ("", "_EXT", "_ARB", "_ATI", "_OES", "_IMG", "_SGIX", "_NV")
# OpenGL ES has these alone (GL_IMG_texture_filter_cubic).
ES = {"CUBIC_IMG": 0x9139, "CUBIC_MIPMAP_NEAREST_IMG": 0x913A, "CUBIC_MIPMAP_LINEAR_IMG": 0x913B}
wrong = 0


def check(good, what):
    global wrong
    if not good:
        print("wrong: " + what)
        wrong += 1


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def main():
    source, folder = sys.argv[1:]
    if not os.path.exists(os.path.join(folder, "GL", "glext.h")):
        print("skipped: there is no GL/glext.h in", folder)
        return 77
    values = dict(ES)
    for header in ("gl.h", "glext.h"):
        for name, value in re.findall(r"^#define\s+GL_(\w+)\s+(0x[0-9A-Fa-f]+|\d+)\s*$", read(folder, "GL", header), re.M):
            values[name] = int(value, 0)

    def value_of(name):
        return next((values[name + suffix] for suffix in SUFFIXES if name + suffix in values), None)

    tokens = re.findall(r"^\s+TOKEN_(\w+) = (\w+),", read(source, "layer", "semantics", "gl", "gl_tokens.h"), re.M)
    check(len(tokens) > 40, f"{len(tokens)} tokens")
    for name, value in tokens:
        check(value_of(name) == int(value, 0), f"TOKEN_{name} is {value}, GL_{name} {value_of(name)}")

    rows = re.findall(r"^    \{(0x[0-9A-F]+|0x[0-9a-f]+), (\d+), .*?\{([^}]*)\}, \w+\},(?: +/\* (.*?) \*/)?$",
                      read(source, "layer", "semantics", "gl", "gl_format.c"), re.M)
    named, end = 0, 0
    for first, count, bases, comment in rows:
        first, count, bases = int(first, 0), int(count), bases.split(",")
        what = f"0x{first:X}, {count}: {comment}"
        check(first >= end and count > 0, what + " stands behind the runs before it")
        end = first + count
        check(len(bases) in (1, count), f"{what} has {len(bases)} base formats")
        if not comment:
            continue
        names = re.split(r", | \.\. ", comment)
        if " .. " not in comment:
            check(len(names) == count, f"{what} names {len(names)}")
        for i, name in enumerate(names):
            value = value_of(name)
            named += value is not None
            place = count - 1 if " .. " in comment and i else i
            check(value is None or value == first + place, f"{what}: GL_{name} is 0x{value or 0:X}")
    check(len(rows) > 70 and named > 80, f"{named} names in {len(rows)} runs")
    print(f"{len(tokens)} tokens, {named} formats in {len(rows)} runs")
    return 1 if wrong else 0


sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles shaders/tests/lookup.glsl for every lookup the tests make into one C file (see tests/harness/lookups/lookup.h).

compile_lookups.py COMPILE_MODULES SOURCE OUTPUT
compile_lookups.py GLSLANG_VALIDATOR SOURCE OUTPUT DIMENSION OPERATION KIND STAGE

The second form compiles one lookup alone, through a combined image sampler, without a program of the tests' own.
"""
import itertools
import os
import struct
import subprocess
import sys
import tempfile

# Dimension: GLSL's name for it, coordinates in d.p, derivative and offset width, constant offset.
DIMENSIONS = {
    "1D": ("1D", "d.p.x", 1),
    "1D_ARRAY": ("1DArray", "d.p.xw", 1),
    "2D": ("2D", "d.p.xy", 2),
    "2D_ARRAY": ("2DArray", "d.p.xyw", 2),
    "3D": ("3D", "d.p.xyz", 3),
    "RECTANGLE": ("2D", "d.p.xy", 2),
    "CUBE": ("Cube", "d.p.xyz", 3),
    "CUBE_ARRAY": ("CubeArray", "d.p", 3),
}
OPERATIONS = ["IMPLICIT", "BIAS", "LOD", "GRAD", "PROJ", "PROJ_LOD", "PROJ_GRAD", "MIN_LOD", "MIN_LOD_BIAS",
              "MIN_LOD_GRAD", "QUERY_LOD", "FETCH", "OFFSET", "BIAS_OFFSET", "LOD_OFFSET", "GRAD_OFFSET", "PROJ_OFFSET",
              "PROJ_GRAD_OFFSET", "MIN_LOD_OFFSET",
              "GATHER", "GATHER_OFFSET", "GATHER_OFFSETS"]
IMPLICIT_LOD = {"IMPLICIT", "BIAS", "PROJ", "OFFSET", "BIAS_OFFSET", "PROJ_OFFSET", "MIN_LOD", "MIN_LOD_BIAS",
                "MIN_LOD_OFFSET", "QUERY_LOD"}
STAGES = ["FRAGMENT", "VERTEX", "COMPUTE"]
KINDS = ["FLOAT", "UINT", "SHADOW", "INT"]
PREFIX = {"FLOAT": "", "UINT": "u", "SHADOW": "", "INT": "i"}
# What is compiled for integers, which are never filtered.
INTEGER_OPERATIONS = {"IMPLICIT", "LOD", "GRAD", "OFFSET", "GATHER"}

OFFSETS = {1: "2", 2: "ivec2(2, -3)", 3: "ivec3(2, -3, 1)"}
DERIVATIVES = {1: "d.{}.x", 2: "d.{}.xy", 3: "d.{}.xyz"}


# What is compiled with other lookups in front (enum lookup_company).
COMPANIES = ["BEHIND", "DEPENDENT"]
COMPANY_KINDS = {"1D": ["FLOAT"], "2D": ["FLOAT", "SHADOW"], "2D_ARRAY": ["FLOAT"], "3D": ["FLOAT"]}

FETCHED_LEVEL = "clamp(int(d.extra.x), 0, textureQueryLevels(S) - 1)"


def texel(dimension):
    """A texel's place in the texture and the level, from the fraction of a coordinate."""
    width = DIMENSIONS[dimension][2]
    size, p = f"textureSize(S, {FETCHED_LEVEL})", DERIVATIVES[width].format("p")
    integers, floats, axes = (("int", "float", ".x"), ("ivec2", "vec2", ".xy"), ("ivec3", "vec3", ".xyz"))[width - 1]
    own = size + axes if dimension.endswith("_ARRAY") else size
    place = f"min({integers}(fract({p}) * {floats}({own})), {own} - 1)"
    if dimension.endswith("_ARRAY"):
        place = f"ivec{width + 1}({place}, clamp(int(d.p.w), 0, {size}.{'xyz'[width]} - 1))"
    return f"{place}, {FETCHED_LEVEL}"


def arguments(dimension, operation, kind):
    """Coordinate argument (with the compare value where it belongs), or None where GLSL has no such lookup."""
    _, coordinate, width = DIMENSIONS[dimension]
    array, cube, shadow = dimension.endswith("_ARRAY"), dimension.startswith("CUBE"), kind == "SHADOW"
    if operation == "QUERY_LOD":
        return None if dimension == "RECTANGLE" or shadow else DERIVATIVES[width].format("p")
    if operation == "FETCH":
        return None if dimension == "RECTANGLE" or cube or shadow else texel(dimension)
    projective, gather, min_lod = operation.startswith("PROJ"), "GATHER" in operation, operation.startswith("MIN_LOD")
    if gather:
        if dimension not in ("2D", "2D_ARRAY", "CUBE", "CUBE_ARRAY", "RECTANGLE") or (cube and operation != "GATHER"):
            return None
        return coordinate + (", d.extra.y" if shadow else "")
    if projective and (array or cube):
        return None
    if (cube and "OFFSET" in operation) or (min_lod and (shadow or dimension == "RECTANGLE")):
        return None
    if shadow and dimension == "3D":
        return None
    if shadow and dimension == "CUBE_ARRAY":
        return "d.p, d.extra.y" if operation == "IMPLICIT" else None
    if shadow and dimension in ("2D_ARRAY", "CUBE") and operation not in ("IMPLICIT", "GRAD", "OFFSET", "GRAD_OFFSET"):
        return None
    if shadow and dimension == "2D_ARRAY" and "OFFSET" in operation:
        return None
    if shadow and dimension == "1D_ARRAY" and operation == "BIAS_OFFSET":
        return None
    if projective and shadow:
        return f"vec4({coordinate}, {'0.0, ' if width == 1 else ''}d.extra.y, d.p.w)"
    if projective:
        return f"vec{width + 1}({coordinate}, d.p.w)"
    if shadow:
        middle = ", 0.0" if dimension == "1D" else ""
        components = width + array + 1 + (dimension == "1D")
        return f"vec{components}({coordinate}{middle}, d.extra.y)"
    return coordinate


def expression(dimension, operation, kind, component=0):
    """The GLSL expression of a lookup, or None."""
    coordinate = arguments(dimension, operation, kind)
    if coordinate is None:
        return None
    width = DIMENSIONS[dimension][2]
    gradient = ", " + DERIVATIVES[width].format("dx") + ", " + DERIVATIVES[width].format("dy")
    offset = ", " + OFFSETS[width]
    chosen = f", {component}" if component else ""
    if operation == "GATHER":
        return f"textureGather(S, {coordinate}{chosen})"
    if operation == "GATHER_OFFSET":
        return f"textureGatherOffset(S, {coordinate}, ivec2(d.extra.zw){chosen})"
    if operation == "GATHER_OFFSETS":
        four = "ivec2[4](ivec2(0, 0), ivec2(3, -2), ivec2(-4, 1), ivec2(1, 5))"
        return f"textureGatherOffsets(S, {coordinate}, {four}{chosen})"
    if operation == "QUERY_LOD":
        return f"textureQueryLod(S, {coordinate}), 0.0, 1.0"
    if operation == "FETCH":
        return f"texelFetch(S, {coordinate})"
    min_lod = operation.startswith("MIN_LOD")
    explicit_lod = "LOD" in operation and not min_lod
    name = "texture" + ("Proj" if operation.startswith("PROJ") else "")
    name += "Lod" if explicit_lod else "Grad" if "GRAD" in operation else ""
    name += ("Offset" if "OFFSET" in operation else "") + ("ClampARB" if min_lod else "")
    text = f"{name}(S, {coordinate}"
    text += ", d.extra.x" if explicit_lod else gradient if "GRAD" in operation else ""
    text += offset if "OFFSET" in operation else ""
    text += ", d.dx.w" if min_lod else ""
    text += ", d.extra.x" if "BIAS" in operation else ""
    return text + ")"


def expression_gl(dimension, operation, text):
    """The same for OpenGL, whose rectangle textures have one level and no function that names it."""
    if dimension == "RECTANGLE" and "LOD" in operation:
        return text.replace("Lod", "").replace(", d.extra.x", "")
    return text


def variants():
    """Every lookup that is compiled: dimension, operation, kind, stage, separate, component, company, expression."""
    for dimension, operation, kind in itertools.product(DIMENSIONS, OPERATIONS, KINDS):
        integer = kind in ("UINT", "INT")
        if dimension == "RECTANGLE" and "BIAS" in operation:
            continue
        if integer and operation not in INTEGER_OPERATIONS:
            continue
        components = range(4) if "GATHER" in operation and kind != "SHADOW" else (0,)
        for stage, separate, component in itertools.product(STAGES, (False, True), components):
            text = expression(dimension, operation, kind, component)
            if text is None or (stage != "FRAGMENT" and (operation in IMPLICIT_LOD or integer or component)):
                continue
            yield dimension, operation, kind, stage, separate, component, "ALONE", text
    for dimension, kinds in COMPANY_KINDS.items():
        for kind, separate, company in itertools.product(kinds, (False, True), COMPANIES):
            yield dimension, "IMPLICIT", kind, "FRAGMENT", separate, 0, company, expression(dimension, "IMPLICIT", kind)


def sampler_type(dimension, kind):
    return PREFIX[kind] + "sampler" + DIMENSIONS[dimension][0] + ("Shadow" if kind == "SHADOW" else "")


def defines_of(variant):
    """What the source is compiled with: lookups with the same defines share one module."""
    dimension, operation, kind, stage, separate, _, company, text = variant
    # No texture has this, but compilers do not know it.
    never = "ahead.x > 1e30"
    own = {"ALONE": text, "BEHIND": f"mix(vec4({text}), ahead, bvec4({never}))",
           "DEPENDENT": text.replace("d.p", f"(d.p + vec4({never}))")}[company]
    defines = [f"STAGE_{stage}", f"SAMPLER={sampler_type(dimension, kind)}", f"LOOKUP={own}"]
    if operation.startswith("MIN_LOD"):
        defines += ["MIN_LOD"]
    if company != "ALONE":
        defines += ["ELSEWHERE=" + text.replace("d.p", "(d.p * vec4(1.7, 0.6, 1.3, 1.0))")]
    if separate:
        defines += ["SEPARATE", f"TEXTURE={PREFIX[kind]}texture{DIMENSIONS[dimension][0]}",
                    f"SAMPLER_STATE={'samplerShadow' if kind == 'SHADOW' else 'sampler'}"]
    return tuple(defines)


STAGE_NAMES = {"STAGE_FRAGMENT": "frag", "STAGE_VERTEX": "vert", "STAGE_COMPUTE": "comp"}


def compile_one(program, source, folder, defines):
    output = os.path.join(folder, "0.spv")
    subprocess.run([program, "--quiet", "-V", "--target-env", "vulkan1.0", "-S", STAGE_NAMES[defines[0]],
                    *(f"-D{define}" for define in defines), "-o", output, source], check=True)
    with open(output, "rb") as file:
        return file.read()


def compile_all(program, source, folder, different):
    """The modules of each tuple of defines, as bytes."""
    listed = os.path.join(folder, "list")
    with open(listed, "w", encoding="ascii") as file:
        file.writelines("\t".join((STAGE_NAMES[defines[0]], *defines)) + "\n" for defines in different)
    subprocess.run([program, source, listed, folder], check=True)
    modules = []
    for number in range(len(different)):
        with open(os.path.join(folder, f"{number}.spv"), "rb") as file:
            modules.append(file.read())
    return modules


def main():
    program, source, output, *only = sys.argv[1:]
    every = [variant for variant in variants() if not only or (list(variant[:4]) == only and not variant[4] and variant[6] == "ALONE")]
    different = list(dict.fromkeys(defines_of(variant) for variant in every))
    place = {defines: number for number, defines in enumerate(different)}
    with tempfile.TemporaryDirectory() as folder:
        modules = ([compile_one(program, source, folder, different[0])] if only
                   else compile_all(program, source, folder, different))
    lines = ["/* Generated by tests/harness/compile/compile_lookups.py from shaders/tests/lookup.glsl. */",
             '#include "harness/lookups/lookup_table.h"', ""]
    for number, code in enumerate(modules):
        words = struct.unpack(f"<{len(code) // 4}I", code)
        lines.append(f"static const uint32_t words_{number}[] = {{")
        for start in range(0, len(words), 12):
            lines.append("    " + ", ".join(f"{word:#x}" for word in words[start:start + 12]) + ",")
        lines.append("};")
    lines.append("\nconst struct lookup_module lookup_modules[] = {")
    for variant in every:
        dimension, operation, kind, stage, separate, component, company, text = variant
        number = place[defines_of(variant)]
        lines.append(f"    {{LOOKUP_{dimension}, LOOKUP_{operation}, LOOKUP_{kind}, LOOKUP_{stage}, {int(separate)}, "
                     f"{component}, LOOKUP_{company}, words_{number}, sizeof words_{number}, \"{sampler_type(dimension, kind)}\", "
                     f"\"{expression_gl(dimension, operation, text)}\"}},")
    lines.append("};")
    lines.append(f"const size_t lookup_module_count = {len(every)};")
    with open(output, "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()

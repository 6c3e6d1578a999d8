#!/usr/bin/env python3
"""Compiles shaders/tests/lookup.glsl for every lookup the tests make into one C file (see tests/harness/lookup.h).

compile_lookups.py GLSLANG SOURCE OUTPUT
"""
import concurrent.futures
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
}
OPERATIONS = ["IMPLICIT", "BIAS", "LOD", "GRAD", "PROJ", "PROJ_LOD", "PROJ_GRAD", "OFFSET", "BIAS_OFFSET", "LOD_OFFSET",
              "GRAD_OFFSET", "PROJ_OFFSET", "GATHER", "GATHER_OFFSET", "GATHER_OFFSETS"]
IMPLICIT_LOD = {"IMPLICIT", "BIAS", "PROJ", "OFFSET", "BIAS_OFFSET", "PROJ_OFFSET"}
STAGES = ["FRAGMENT", "VERTEX", "COMPUTE"]
KINDS = ["FLOAT", "UINT", "SHADOW"]

OFFSETS = {1: "2", 2: "ivec2(2, -3)", 3: "ivec3(2, -3, 1)"}
DERIVATIVES = {1: "d.{}.x", 2: "d.{}.xy", 3: "d.{}.xyz"}


def arguments(dimension, operation, kind):
    """Coordinate argument (with the compare value where it belongs), or None where GLSL has no such lookup."""
    _, coordinate, width = DIMENSIONS[dimension]
    array, cube, shadow = dimension.endswith("_ARRAY"), dimension == "CUBE", kind == "SHADOW"
    projective, gather = operation.startswith("PROJ"), operation.startswith("GATHER")
    if gather:
        if dimension not in ("2D", "2D_ARRAY", "CUBE") or (cube and operation != "GATHER"):
            return None
        return coordinate + (", d.extra.y" if shadow else "")
    if projective and (array or cube):
        return None
    if cube and "OFFSET" in operation:
        return None
    if shadow and dimension == "3D":
        return None
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


def expression(dimension, operation, kind):
    """The GLSL expression of a lookup, or None."""
    if dimension == "RECTANGLE" and (operation != "LOD" or kind != "FLOAT"):
        return None
    coordinate = arguments(dimension, operation, kind)
    if coordinate is None:
        return None
    width = DIMENSIONS[dimension][2]
    gradient = ", " + DERIVATIVES[width].format("dx") + ", " + DERIVATIVES[width].format("dy")
    offset = ", " + OFFSETS[width]
    if operation == "GATHER":
        return f"textureGather(S, {coordinate})"
    if operation == "GATHER_OFFSET":
        return f"textureGatherOffset(S, {coordinate}, ivec2(d.extra.zw))"
    if operation == "GATHER_OFFSETS":
        return f"textureGatherOffsets(S, {coordinate}, ivec2[4](ivec2(0, 0), ivec2(3, -2), ivec2(-4, 1), ivec2(1, 5)))"
    name = "texture" + ("Proj" if operation.startswith("PROJ") else "")
    name += "Lod" if "LOD" in operation else "Grad" if "GRAD" in operation else ""
    name += "Offset" if "OFFSET" in operation else ""
    text = f"{name}(S, {coordinate}"
    text += ", d.extra.x" if "LOD" in operation else gradient if "GRAD" in operation else ""
    text += offset if "OFFSET" in operation else ""
    text += ", d.extra.x" if "BIAS" in operation else ""
    return text + ")"


def variants():
    """Every lookup that is compiled: dimension, operation, kind, stage, separate, expression."""
    for dimension, operation, kind in itertools.product(DIMENSIONS, OPERATIONS, KINDS):
        text = expression(dimension, operation, kind)
        if text is None:
            continue
        if kind == "UINT" and operation not in ("IMPLICIT", "LOD", "GATHER", "OFFSET"):
            continue
        for stage, separate in itertools.product(STAGES, (False, True)):
            if stage != "FRAGMENT" and (operation in IMPLICIT_LOD or kind == "UINT"):
                continue
            if separate and (kind == "UINT" or operation.startswith("PROJ")):
                continue
            yield dimension, operation, kind, stage, separate, text


def sampler_type(dimension, kind):
    prefix = "u" if kind == "UINT" else ""
    return prefix + "sampler" + DIMENSIONS[dimension][0] + ("Shadow" if kind == "SHADOW" else "")


def compile_one(glslang, source, folder, number, variant):
    dimension, _, kind, stage, separate, text = variant
    output = os.path.join(folder, f"{number}.spv")
    name = DIMENSIONS[dimension][0]
    defines = [f"-DSTAGE_{stage}", f"-DSAMPLER={sampler_type(dimension, kind)}", f"-DLOOKUP={text}"]
    if separate:
        defines += ["-DSEPARATE", f"-DTEXTURE={'u' if kind == 'UINT' else ''}texture{name}",
                    f"-DSAMPLER_STATE={'samplerShadow' if kind == 'SHADOW' else 'sampler'}"]
    short = {"FRAGMENT": "frag", "VERTEX": "vert", "COMPUTE": "comp"}[stage]
    done = subprocess.run([glslang, "--quiet", "-V", "--target-env", "vulkan1.0", "-S", short, *defines, "-o", output,
                           source], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{glslang} failed on {variant}:\n{done.stdout}")
    with open(output, "rb") as file:
        return file.read()


def main():
    glslang, source, output = sys.argv[1:]
    every = list(variants())
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        modules = list(pool.map(lambda item: compile_one(glslang, source, folder, *item), enumerate(every)))
    lines = ["/* Generated by tests/harness/compile_lookups.py from shaders/tests/lookup.glsl. */",
             '#include "harness/lookup_table.h"', ""]
    for number, code in enumerate(modules):
        words = struct.unpack(f"<{len(code) // 4}I", code)
        lines.append(f"static const uint32_t words_{number}[] = {{")
        for start in range(0, len(words), 12):
            lines.append("    " + ", ".join(f"{word:#x}" for word in words[start:start + 12]) + ",")
        lines.append("};")
    lines.append("\nconst struct lookup_module lookup_modules[] = {")
    for number, (dimension, operation, kind, stage, separate, text) in enumerate(every):
        lines.append(f"    {{LOOKUP_{dimension}, LOOKUP_{operation}, LOOKUP_{kind}, LOOKUP_{stage}, {int(separate)}, "
                     f"words_{number}, sizeof words_{number}, \"{sampler_type(dimension, kind)}\", \"{text}\"}},")
    lines.append("};")
    lines.append(f"const size_t lookup_module_count = {len(every)};")
    with open(output, "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()

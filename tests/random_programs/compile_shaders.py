#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles lookup.glsl for every target, type, function and stage, and paint.glsl, with the harness's compile_modules.

    compile_shaders.py COMPILE_MODULES FOLDER OUTPUT

OUTPUT is a C file: the table that program.h declares, with SPIR-V for Vulkan and what OpenGL defines instead.
"""

import os
import struct
import subprocess
import sys
import tempfile

# Target: name of samplers, coordinate, components of gradients and offsets, of sizes.
TARGETS = {
    "1D": ("1D", "c.x", 1, 1),
    "2D": ("2D", "c.xy", 2, 2),
    "3D": ("3D", "c.xyz", 3, 3),
    "CUBE": ("Cube", "c.xyz", 3, 2),
    "1D_ARRAY": ("1DArray", "c.xy", 1, 2),
    "2D_ARRAY": ("2DArray", "c.xyz", 2, 3),
    "CUBE_ARRAY": ("CubeArray", "c", 3, 3),
    "RECTANGLE": ("2D", "c.xy", 2, 2),
    "BUFFER": ("Buffer", "c.x", 1, 1),
}
SHADOW = {"1D": "vec3(c.x, 0.0, ref)", "2D": "vec3(c.xy, ref)", "CUBE": "vec4(c.xyz, ref)", "1D_ARRAY": "vec3(c.xy, ref)",
          "2D_ARRAY": "vec4(c.xyz, ref)", "CUBE_ARRAY": "c, ref", "RECTANGLE": "vec3(c.xy, ref)"}
PROJ = {"1D": "vec2(c.x, c.w)", "2D": "vec3(c.xy, c.w)", "3D": "c", "RECTANGLE": "vec3(c.xy, c.w)"}
PROJ_SHADOW = {"1D": "vec4(c.x, 0.0, ref * c.w, c.w)", "2D": "vec4(c.xy, ref * c.w, c.w)",
               "RECTANGLE": "vec4(c.xy, ref * c.w, c.w)"}
KINDS = {"FLOAT": "", "INT": "i", "UINT": "u"}
STAGES = ["FRAG", "VERT", "TESC", "TESE", "GEOM", "COMP"]
# Descriptors: of one combined image sampler, of image and sampler, of an element of an array.
STAGES_OF = {"COMBINED": STAGES, "SEPARATE": ("FRAG", "COMP", "VERT"), "ARRAY": ("FRAG",)}
FUNCTIONS = ["TEXTURE", "BIAS", "LOD", "GRAD", "PROJ", "PROJ_LOD", "OFFSET", "LOD_OFFSET", "GRAD_OFFSET", "GATHER",
             "GATHER_ALPHA", "GATHER_OFFSET", "FETCH", "SIZE", "DECODED", "BIASED_GRAD"]
ONLY_FRAG = ("BIAS", "OFFSET", "PROJ", "DECODED", "BIASED_GRAD")
OFFSETS = {1: "3", 2: "ivec2(3, -2)", 3: "ivec3(3, -2, 1)"}
GRADS = {1: "gx.x, gy.x", 2: "gx.xy, gy.xy", 3: "gx, gy"}
FETCH = {1: ("int", "c.x", "float"), 2: ("ivec2", "c.xy", "vec2"), 3: ("ivec3", "c.xyz", "vec3")}


def lookup(target, shadow, function, opengl):
    """The GLSL of a lookup, or None where there is none."""
    _, plain, dims, size_dims = TARGETS[target]
    rectangle, cube, array = target == "RECTANGLE", target.startswith("CUBE"), target.endswith("ARRAY")
    size = "textureSize(S)" if target == "BUFFER" or rectangle and opengl else "textureSize(S, {})"
    if function == "SIZE":
        found = size.format(0)
        levels = "" if target == "BUFFER" else ", 1" if rectangle else ", textureQueryLevels(S)"
        zeros = ", 0" * (4 - size_dims - (1 if levels else 0))
        return f"uvec4({found}{levels}{zeros})"
    if function == "DECODED": # as shaders/filter.glsl does
        if target != "2D" or shadow:
            return None
        texel = lookup(target, shadow, "FETCH", opengl)
        return f"pow(({texel} + 0.055) / 1.055, vec4(2.4))"
    if function == "BIASED_GRAD":
        scaled = GRADS[dims].replace(",", " * exp2(extra),")
        return f"textureGrad(S, {plain}, {scaled} * exp2(extra))" if target in ("1D", "2D", "3D", "CUBE") and not shadow else None
    if target == "BUFFER" or function == "FETCH":
        if function != "FETCH" or cube or shadow:
            return None
        integers, place, floats = FETCH[size_dims]
        texel = f"clamp({integers}(mod(floor({place}), {floats}({size.format('level')}))), {integers}(0), {size.format('level')} - 1)"
        level = "" if target == "BUFFER" or rectangle and opengl else ", level"
        return f"texelFetch(S, {texel}{level})"
    if cube and "OFFSET" in function:
        return None
    if target == "CUBE_ARRAY" and shadow and function != "TEXTURE":
        return None
    p = SHADOW[target] if shadow else plain
    off = OFFSETS[dims]
    if function == "TEXTURE":
        return f"texture(S, {p})"
    if function == "BIAS":
        return None if rectangle or shadow and target == "2D_ARRAY" else f"texture(S, {p}, extra)"
    if function in ("LOD", "LOD_OFFSET"):
        # Not in OpenGL: shadow samplers of cubes and arrays, and rectangles.
        if rectangle or shadow and target not in ("1D", "2D", "1D_ARRAY"):
            return None
        return f"textureLod(S, {p}, extra)" if function == "LOD" else f"textureLodOffset(S, {p}, extra, {off})"
    if function == "GRAD":
        return f"textureGrad(S, {p}, {GRADS[dims]})"
    if function == "GRAD_OFFSET":
        return f"textureGradOffset(S, {p}, {GRADS[dims]}, {off})"
    if function in ("PROJ", "PROJ_LOD"):
        if target not in PROJ or function == "PROJ_LOD" and rectangle:
            return None
        p = (PROJ_SHADOW if shadow else PROJ).get(target)
        if not p:
            return None
        return f"textureProj(S, {p})" if function == "PROJ" else f"textureProjLod(S, {p}, extra)"
    if function == "OFFSET":
        return f"textureOffset(S, {p}, {off})"
    # Gathers: of two-dimensional images.
    if target not in ("2D", "2D_ARRAY", "CUBE", "RECTANGLE"):
        return None
    if shadow:
        if function == "GATHER":
            return f"textureGather(S, {plain}, ref)"
        return f"textureGatherOffset(S, {plain}, ref, off)" if function == "GATHER_OFFSET" else None
    if function == "GATHER_OFFSET":
        return f"textureGatherOffset(S, {plain}, off, 1)"
    return f"textureGather(S, {plain}, {3 if function == 'GATHER_ALPHA' else 0})"


def result(text, kind, shadow):
    if text.startswith("uvec4("):
        return text
    if kind == "FLOAT":
        return f"floatBitsToUint(vec4({text}))"
    return f"uvec4({text})"


def variants():
    for target, (name, *_) in TARGETS.items():
        for kind, prefix in KINDS.items():
            for shadow in (False, True):
                if shadow and (kind != "FLOAT" or target not in SHADOW):
                    continue
                for function in FUNCTIONS:
                    vulkan, opengl = (lookup(target, shadow, function, gl) for gl in (False, True))
                    if not vulkan or function in ("DECODED", "BIASED_GRAD") and kind != "FLOAT":
                        continue
                    for stage in STAGES:
                        if stage != "FRAG" and function in ONLY_FRAG or stage in ("TESC", "TESE", "GEOM") and function == "TEXTURE":
                            continue
                        for form in ("COMBINED", "SEPARATE", "ARRAY"):
                            if form != "COMBINED" and target == "BUFFER" or stage not in STAGES_OF[form]:
                                continue
                            end = "Shadow" if shadow else ""
                            defines = [f"STAGE_{stage}", f"SAMPLER={prefix}sampler{name}{end}", f"RESULT={result(vulkan, kind, shadow)}"]
                            if form == "ARRAY":
                                defines += [form]
                            if form == "SEPARATE":
                                defines += ["SEPARATE", f"TEXTURE={prefix}texture{name}", f"STATE=sampler{end}"]
                            rect = "2DRect" if target == "RECTANGLE" else name
                            text = (f"#define STAGE_{stage}\\n#define SAMPLER {prefix}sampler{rect}{end}\\n"
                                    f"#define RESULT {result(opengl, kind, shadow)}\\n"
                                    f"#define PROJECTED {'c.w' if function.startswith('PROJ') else '1.0'}\\n"
                                    f"{'#define FACES' if target.startswith('CUBE') else ''}\\n")
                            head = (f"RANDOM_{target}, SAMPLE_{kind}, {str(shadow).lower()}, FUNCTION_{function}, STAGE_{stage}, "
                                    f"FORM_{form}")
                            yield stage.lower(), tuple(defines), head, text


# What one shader looks up with another: target, type, does it compare, function.
TOGETHER = [("2D", "FLOAT", False, "TEXTURE"), ("2D", "FLOAT", True, "TEXTURE"), ("3D", "FLOAT", False, "TEXTURE"),
            ("2D", "FLOAT", False, "LOD"), ("CUBE", "FLOAT", False, "TEXTURE"), ("2D", "UINT", False, "TEXTURE"),
            ("2D", "FLOAT", False, "GATHER"), ("1D", "FLOAT", False, "LOD"), ("2D_ARRAY", "FLOAT", False, "TEXTURE"),
            ("2D", "FLOAT", False, "GRAD"), ("2D", "INT", False, "LOD"), ("2D", "FLOAT", False, "LOD_OFFSET"),
            ("CUBE", "FLOAT", True, "TEXTURE"), ("RECTANGLE", "FLOAT", False, "TEXTURE"), ("2D", "FLOAT", True, "GATHER"),
            ("3D", "FLOAT", False, "LOD"), ("1D_ARRAY", "FLOAT", False, "GRAD"), ("2D", "FLOAT", False, "BIAS"),
            ("CUBE_ARRAY", "FLOAT", False, "LOD"), ("2D", "FLOAT", False, "OFFSET"), ("2D", "FLOAT", True, "LOD"),
            ("3D", "UINT", False, "GRAD"), ("2D_ARRAY", "FLOAT", False, "LOD"), ("2D", "FLOAT", False, "GATHER_ALPHA")]
TOGETHER_FORMS = ("BINDINGS", "SETS", "BESIDE", "SAMPLERS", "IMAGES", "ARRAY", "ARRAYS")


def together():
    """Every lookup with two others in each form; those that share an image or a sampler with what can share it."""
    for number, form in enumerate(TOGETHER_FORMS):
        for i, one in enumerate(TOGETHER):
            if form in ("ARRAY", "ARRAYS"):
                yield form, [one] * 3
                continue
            like = [other for other in TOGETHER if other != one and
                    (form != "SAMPLERS" or other[:3] == one[:3]) and (form != "IMAGES" or other[1:3] == one[1:3])]
            for k in range(2 if len(like) > 1 else len(like)):
                yield form, [one, like[(7 * i + number + 5 * k) % len(like)]]


def together_stage(number, lookups):
    """Fragment shaders, and every third one of another stage where its functions are there."""
    other = ("COMP", "VERT")[number // 3 % 2]
    return "FRAG" if number % 3 or any(function in ONLY_FRAG for *_, function in lookups) else other


def together_modules():
    for number, (form, lookups) in enumerate(together()):
        stage = together_stage(number, lookups)
        arrays = form in ("ARRAY", "ARRAYS")
        defines = [f"STAGE_{stage}", "TOGETHER", f"TOGETHER_{form}"]
        for k, (target, kind, shadow, function) in enumerate(lookups[:1] if arrays else lookups):
            name, prefix, end = TARGETS[target][0], KINDS[kind], "Shadow" if shadow else ""
            text = result(lookup(target, shadow, function, False), kind, shadow).replace("(S,", f"(S{k},")
            defines += [f"SAMPLER{k}={prefix}sampler{name}{end}", f"TEXTURE{k}={prefix}texture{name}", f"STATE{k}=sampler{end}",
                        f"RESULT{k}={text}"]
        heads = ", ".join(f"{{RANDOM_{target}, SAMPLE_{kind}, {str(shadow).lower()}, FUNCTION_{function}, STAGE_{stage}, "
                          f"FORM_COMBINED, .words = NULL}}" for target, kind, shadow, function in lookups)
        yield (stage.lower(), tuple(defines), f"TOGETHER_{form}, {len(lookups)}, {{{heads}}}",
               f"STAGE_{stage}, .function = FUNCTION_{lookups[0][3]}")


HELPERS = [
    ("vert", "lookup.glsl", ["STAGE_VERT", "HELPER", "FULL"]),
    ("vert", "lookup.glsl", ["STAGE_VERT", "HELPER"]),
    ("frag", "lookup.glsl", ["STAGE_FRAG", "HELPER"]),
    ("tesc", "lookup.glsl", ["STAGE_TESC", "HELPER"]),
    ("tese", "lookup.glsl", ["STAGE_TESE", "HELPER"]),
    ("frag", "paint.glsl", ["TYPE=vec4"]),
    ("frag", "paint.glsl", ["TYPE=ivec4"]),
    ("frag", "paint.glsl", ["TYPE=uvec4"]),
    ("frag", "paint.glsl", ["TYPE=vec4", "LOOKUP"]),
    ("frag", "paint.glsl", ["TYPE=vec4", "LOOKUP", "SEPARATE"]),
]


def compile_all(program, source, listed):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "list")
        with open(path, "w", encoding="ascii") as file:
            file.writelines("\t".join((stage, *defines)) + "\n" for stage, defines in listed)
        subprocess.run([program, source, path, folder], check=True)
        for number in range(len(listed)):
            with open(os.path.join(folder, f"{number}.spv"), "rb") as file:
                yield file.read()


def array(text):
    """A string of any length: C99 has none above 4095 characters."""
    return "{" + ",".join(str(byte) for byte in text.encode("ascii")) + ",0}"


def main():
    program, folder, output = sys.argv[1:]
    every = list(variants())
    shared = list(together_modules())
    different = list(dict.fromkeys((stage, defines) for stage, defines, _, _ in every))
    place = {key: number for number, key in enumerate(different)}
    modules = list(compile_all(program, os.path.join(folder, "lookup.glsl"), different))
    helpers = [next(compile_all(program, os.path.join(folder, source), [(stage, tuple(defines))]))
               for stage, source, defines in HELPERS]
    lines = ["/* Generated by tests/random_programs/compile_shaders.py. */", '#include "program.h"', ""]

    def words(name, code):
        numbers = struct.unpack(f"<{len(code) // 4}I", code)
        lines.append(f"static const uint32_t {name}[] = {{" + ",".join(f"{number:#x}" for number in numbers) + "};")

    for number, code in enumerate(modules):
        words(f"words_{number}", code)
    for number, code in enumerate(compile_all(program, os.path.join(folder, "lookup.glsl"), [(row[0], row[1]) for row in shared])):
        words(f"together_{number}", code)
    for number, code in enumerate(helpers):
        words(f"helper_{number}", code)
    lines.append("const struct random_shader random_shaders[] = {")
    for stage, defines, head, text in every:
        number = place[(stage, defines)]
        lines.append(f'    {{{head}, words_{number}, sizeof words_{number}, "{text}"}},')
    lines.append("};\nconst size_t random_shader_count = sizeof random_shaders / sizeof random_shaders[0];")
    lines.append("const struct random_together_shader random_togethers[] = {")
    for number, (stage, _, head, enum) in enumerate(shared):
        lines.append(f"    {{{head}, {{.stage = {enum}, .words = together_{number}, .bytes = sizeof together_{number}}}}},")
    lines.append("};\nconst size_t random_together_count = sizeof random_togethers / sizeof random_togethers[0];")
    lines.append("const struct random_shader random_helpers[RANDOM_HELPERS] = {")
    for number, (stage, _, defines) in enumerate(HELPERS):
        text = "".join("#define " + define.replace("=", " ", 1) + "\\n" for define in defines if define != "SEPARATE")
        lines.append(f'    {{.stage = STAGE_{stage.upper()}, .words = helper_{number}, .bytes = sizeof helper_{number}, .defines = "{text}"}},')
    lines.append("};")
    for name in ("lookup", "paint"):
        with open(os.path.join(folder, f"{name}.glsl"), encoding="ascii") as file:
            lines.append(f"const char random_{name}_source[] = {array(file.read())};")
    with open(output, "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")
    print(f"{len(every)} lookups, {len(modules)} modules") if os.environ.get("VERBOSE") else None


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the part of the corpus that is a table: lookups x dimensions, stages, and ways to reach a sampler.

    generate.py FOLDER

Every file is one shader, NAME.STAGE. The same call always writes the same files.
"""

import os
import shutil
import sys

# Name: components of the coordinate without layer, has layers, is a cube.
DIMENSIONS = {
    "1D": (1, False, False),
    "2D": (2, False, False),
    "3D": (3, False, False),
    "Cube": (3, False, True),
    "1DArray": (1, True, False),
    "2DArray": (2, True, False),
    "CubeArray": (3, True, True),
}
KINDS = [(dim, False) for dim in DIMENSIONS] + [(dim, True) for dim in DIMENSIONS if dim != "3D"]
SPARSE = ("2D", "3D", "Cube", "2DArray", "CubeArray")


def vec(count, swizzle):
    """The first `count` components of p, in an order that differs per use."""
    return f"p.{swizzle[:count]}"


class Kind:
    """A sampler type and how its lookups are written."""

    def __init__(self, dim, shadow, element=""):
        self.dim, self.shadow, self.element = dim, shadow, element
        self.size, self.array, self.cube = DIMENSIONS[dim]
        self.axes = self.size + self.array
        self.suffix = dim + ("Shadow" if shadow else "")
        self.sampler = element + "sampler" + self.suffix
        self.texture = element + "texture" + dim
        self.pure_sampler = "samplerShadow" if shadow else "sampler"
        self.result = "float" if shadow else element + "vec4"
        self.far = shadow and dim == "CubeArray"  # the comparison value is an argument of its own

    def offset(self, sign=1):
        return ("ivec%d(%s)" % (self.size, ", ".join(str(sign * (i + 1)) for i in range(self.size)))
                if self.size > 1 else str(sign))

    def coord(self, swizzle="xyzw"):
        """The coordinate as texture() takes it, with layer and comparison value."""
        if self.shadow and self.dim == "1D":
            return "vec3(p.x, 0.0, p.w)"
        parts = self.axes + (1 if self.shadow and not self.far else 0)
        return vec(parts, swizzle)

    def plain_coord(self, swizzle="xyzw"):
        return vec(self.axes, swizzle)

    def gradient(self, name):
        return f"{name}.{'xyz'[:self.size]}"


def plain(k, s):
    if k.far:
        yield f"texture({s}, p, p.w)"
        return
    yield f"texture({s}, {k.coord()})"
    if not (k.shadow and k.dim == "2DArray"):
        yield f"texture({s}, {k.coord('yxwz')}, 1.25)"
        yield f"texture({s}, {k.coord('wzyx')}, p.z)"


def lod(k, s):
    if k.shadow and (k.cube or k.dim == "2DArray"):
        return
    yield f"textureLod({s}, {k.coord()}, 0.0)"
    yield f"textureLod({s}, {k.coord('zwxy')}, p.w * 4.0)"


def grad(k, s):
    if k.far:
        return
    yield f"textureGrad({s}, {k.coord()}, {k.gradient('dx')}, {k.gradient('dy')})"
    yield f"textureGrad({s}, {k.coord('yzwx')}, {k.gradient('dy')} * 2.0, {k.gradient('dx')})"


def offset(k, s):
    if k.cube:
        return
    yield f"textureOffset({s}, {k.coord()}, {k.offset()})"
    if not (k.shadow and k.dim == "2DArray"):
        yield f"textureOffset({s}, {k.coord('yxwz')}, {k.offset(-1)}, 0.5)"
        yield f"textureLodOffset({s}, {k.coord()}, 2.0, {k.offset()})"
    yield f"textureGradOffset({s}, {k.coord()}, {k.gradient('dx')}, {k.gradient('dy')}, {k.offset(-1)})"


def proj(k, s):
    if k.cube or k.array:
        return
    forms = ["p"] if k.shadow or k.dim == "3D" else ["p", vec(k.size + 1, "xyzw")]
    for form in forms:
        yield f"textureProj({s}, {form})"
        yield f"textureProj({s}, {form}, -0.75)"
        yield f"textureProjLod({s}, {form}, 1.5)"
        yield f"textureProjGrad({s}, {form}, {k.gradient('dx')}, {k.gradient('dy')})"
    yield f"textureProjOffset({s}, p, {k.offset()})"
    yield f"textureProjOffset({s}, p, {k.offset()}, 1.0)"
    yield f"textureProjLodOffset({s}, p, 0.25, {k.offset(-1)})"
    yield f"textureProjGradOffset({s}, p, {k.gradient('dx')}, {k.gradient('dy')}, {k.offset()})"


def gather(k, s):
    if k.size == 1 or k.dim == "3D":
        return
    last = ", p.w" if k.shadow else ""
    yield f"textureGather({s}, {k.plain_coord()}{last})"
    if not k.shadow:
        for component in (1, 2, 3):
            yield f"textureGather({s}, {k.plain_coord('yxwz')}, {component})"
    if not k.cube:
        yield f"textureGatherOffset({s}, {k.plain_coord()}{last}, {k.offset()})"
        yield f"textureGatherOffset({s}, {k.plain_coord()}{last}, ivec2(p.zw * 3.0))"
        four = "ivec2[4](ivec2(-1, 0), ivec2(2, 1), ivec2(-2, 3), ivec2(1, -1))"
        yield f"textureGatherOffsets({s}, {k.plain_coord()}{last}, {four})"


def sparse(k, s):
    if k.dim not in SPARSE:
        return
    out = f"t_{k.result}"
    dx, dy = k.gradient("dx"), k.gradient("dy")
    if k.far:
        yield f"sparseTextureARB({s}, p, p.w, {out})"
    else:
        yield f"sparseTextureARB({s}, {k.coord()}, {out})"
        yield f"sparseTextureGradARB({s}, {k.coord('yxwz')}, {dx}, {dy}, {out})"
    if not (k.shadow and (k.cube or k.dim == "2DArray")):
        yield f"sparseTextureLodARB({s}, {k.coord()}, 1.0, {out})"
    if not k.cube:
        yield f"sparseTextureOffsetARB({s}, {k.coord()}, {k.offset()}, {out})"
        yield f"sparseTextureGradOffsetARB({s}, {k.coord()}, {dx}, {dy}, {k.offset()}, {out})"
    if k.dim != "3D":
        four = "t_vec4" if k.shadow else out
        last = ", p.w" if k.shadow else ""
        yield f"sparseTextureGatherARB({s}, {k.plain_coord()}{last}, {four})"
        if not k.cube:
            yield f"sparseTextureGatherOffsetARB({s}, {k.plain_coord()}{last}, {k.offset()}, {four})"


def clamped(k, s):
    dx, dy = k.gradient("dx"), k.gradient("dy")
    if k.far:
        yield f"textureClampARB({s}, p, p.w, 1.5)"
        return
    yield f"textureClampARB({s}, {k.coord()}, 1.5)"
    yield f"textureGradClampARB({s}, {k.coord()}, {dx}, {dy}, p.w)"
    if not (k.shadow and k.dim == "2DArray"):
        yield f"textureClampARB({s}, {k.coord('yxwz')}, 0.5, 2.0)"
    if not k.cube:
        yield f"textureOffsetClampARB({s}, {k.coord()}, {k.offset()}, 0.75)"
        yield f"textureGradOffsetClampARB({s}, {k.coord()}, {dx}, {dy}, {k.offset(-1)}, 1.0)"


def sparse_clamped(k, s):
    if k.dim not in SPARSE:
        return
    out = f"t_{k.result}"
    if k.far:
        yield f"sparseTextureClampARB({s}, p, p.w, 1.0, {out})"
        return
    yield f"sparseTextureClampARB({s}, {k.coord()}, 1.0, {out})"
    yield f"sparseTextureGradClampARB({s}, {k.coord()}, {k.gradient('dx')}, {k.gradient('dy')}, 2.0, {out})"
    if not k.cube:
        yield f"sparseTextureOffsetClampARB({s}, {k.coord()}, {k.offset()}, 0.5, {out})"


FAMILIES = {
    "plain": (plain, ""),
    "lod": (lod, ""),
    "grad": (grad, ""),
    "offset": (offset, ""),
    "proj": (proj, ""),
    "gather": (gather, ""),
    "sparse": (sparse, "GL_ARB_sparse_texture2"),
    "clamp": (clamped, "GL_ARB_sparse_texture_clamp"),
    "sparse_clamp": (sparse_clamped, "GL_ARB_sparse_texture_clamp"),
}

RAY_PAYLOAD = "layout(location = 0) rayPayloadInEXT vec4 result;\nhitAttributeEXT vec2 barycentric;"
STAGES = {
    # stage: (extensions, since, declarations, before the lookups, after them)
    "vert": ("", "1.0", "layout(location = 0) in vec4 position;\nlayout(location = 0) out vec4 color;",
             "vec4 p = position;", "color = r; gl_Position = p + r;"),
    "tesc": ("", "1.0", "layout(vertices = 3) out;\nlayout(location = 0) out vec4 color[];",
             "vec4 p = gl_in[gl_InvocationID].gl_Position;",
             "color[gl_InvocationID] = r; gl_out[gl_InvocationID].gl_Position = p;\n"
             "    gl_TessLevelInner[0] = r.x; gl_TessLevelOuter[0] = r.y; gl_TessLevelOuter[1] = r.z;\n"
             "    gl_TessLevelOuter[2] = r.w;"),
    "tese": ("", "1.0", "layout(triangles, fractional_odd_spacing, ccw) in;\nlayout(location = 0) out vec4 color;",
             "vec4 p = gl_TessCoord.x * gl_in[0].gl_Position + gl_TessCoord.y * gl_in[1].gl_Position;",
             "color = r; gl_Position = p + vec4(0.0, r.x, 0.0, 0.0);"),
    "geom": ("", "1.0", "layout(triangles) in;\nlayout(triangle_strip, max_vertices = 3) out;\n"
             "layout(location = 0) out vec4 color;",
             "vec4 p = gl_in[0].gl_Position;",
             "for (int i = 0; i < 3; i++) {\n        color = r; gl_Position = gl_in[i].gl_Position + r;\n"
             "        EmitVertex();\n    }\n    EndPrimitive();"),
    "frag": ("", "1.0", "layout(location = 0) in vec4 position;\nlayout(location = 0) out vec4 color;",
             "vec4 p = position;", "color = r;"),
    "comp": ("", "1.0", "layout(local_size_x = 8, local_size_y = 8) in;\n"
             "layout(set = 3, binding = 0, rgba8) writeonly uniform image2D target;",
             "vec4 p = vec4(gl_GlobalInvocationID.xy, gl_LocalInvocationID.xy) / 64.0;",
             "imageStore(target, ivec2(gl_GlobalInvocationID.xy), r);"),
    "rgen": ("GL_EXT_ray_tracing", "1.2", "layout(location = 0) rayPayloadEXT vec4 result;\n"
             "layout(set = 3, binding = 0) uniform accelerationStructureEXT scene;",
             "vec4 p = vec4(gl_LaunchIDEXT, 1.0) / vec4(gl_LaunchSizeEXT, 1.0);",
             "result = r; traceRayEXT(scene, 0u, 0xffu, 0u, 1u, 0u, r.xyz, 0.1, p.xyz, 100.0, 0);"),
    "rchit": ("GL_EXT_ray_tracing", "1.2", RAY_PAYLOAD, "vec4 p = vec4(barycentric, gl_HitTEXT, 1.0);", "result = r;"),
    "rahit": ("GL_EXT_ray_tracing", "1.2", RAY_PAYLOAD, "vec4 p = vec4(barycentric, barycentric);",
              "if (r.a < 0.5)\n        ignoreIntersectionEXT;\n    result = r;"),
    "rmiss": ("GL_EXT_ray_tracing", "1.2", "layout(location = 0) rayPayloadInEXT vec4 result;",
              "vec4 p = vec4(gl_WorldRayDirectionEXT, 1.0);", "result = r;"),
    "rint": ("GL_EXT_ray_tracing", "1.2", "hitAttributeEXT vec4 hit;", "vec4 p = vec4(gl_ObjectRayOriginEXT, 1.0);",
             "hit = r; reportIntersectionEXT(r.x, 0u);"),
    "rcall": ("GL_EXT_ray_tracing", "1.2", "layout(location = 0) callableDataInEXT vec4 result;",
              "vec4 p = result;", "result = r;"),
    "task": ("GL_EXT_mesh_shader", "1.2", "layout(local_size_x = 32) in;\n"
             "struct Payload { vec4 value; };\ntaskPayloadSharedEXT Payload payload;",
             "vec4 p = vec4(gl_GlobalInvocationID, 1.0) / 256.0;",
             "payload.value = r; EmitMeshTasksEXT(uint(r.x) + 1u, 1u, 1u);"),
    "mesh": ("GL_EXT_mesh_shader", "1.2", "layout(local_size_x = 3) in;\n"
             "layout(triangles, max_vertices = 3, max_primitives = 1) out;\nlayout(location = 0) out vec4 color[];",
             "vec4 p = vec4(gl_GlobalInvocationID, 1.0) / 256.0;",
             "SetMeshOutputsEXT(3u, 1u);\n    color[gl_LocalInvocationIndex] = r;\n"
             "    gl_MeshVerticesEXT[gl_LocalInvocationIndex].gl_Position = p + r;\n"
             "    gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0u, 1u, 2u);"),
}


class Shader:
    def __init__(self, stage="frag"):
        self.stage = stage
        extension, self.since, declarations, self.start, self.end = STAGES[stage]
        self.extensions = {extension} - {""}
        self.declarations = [declarations,
                             "layout(set = 3, binding = 1) uniform Parameters {\n    vec4 dx; vec4 dy; int at; int last;\n};"]
        self.functions = []
        self.body = []

    def look(self, expression, guard=""):
        """Adds the expression to the result."""
        if expression.startswith("sparse"):
            self.body.append(f"{guard}if (sparseTexelsResidentARB({expression}))\n        "
                             f"r += vec4({expression.split()[-1][:-1]});")
        else:
            self.body.append(f"{guard}r += vec4({expression});")

    def text(self):
        lines = ["#version 460"]
        lines += [f"#extension {name} : require" for name in sorted(self.extensions)]
        lines += [f"// since: {self.since}"] + self.declarations + self.functions
        temporaries = [f"    {kind} t_{kind} = {kind}(0);" for kind in ("vec4", "ivec4", "uvec4", "float")]
        lines += ["void main()", "{", f"    {self.start}", "    vec4 r = vec4(0.0);"]
        lines += [line for line in temporaries if line.split()[1] in " ".join(self.body)]
        lines += [f"    {line}" for line in self.body] + [f"    {self.end}", "}", ""]
        return "\n".join(lines)


def lookup_shaders():
    """Each family of lookups on each sampler type, in a fragment shader."""
    number = 0
    for dim, shadow in KINDS:
        for name, (family, extension) in FAMILIES.items():
            kind = Kind(dim, shadow, "" if shadow else ("", "", "i", "u")[number % 4])
            lookups = list(family(kind, "s"))
            if not lookups:
                continue
            number += 1
            shader = Shader()
            shader.extensions |= {extension} - {""}
            if extension == "GL_ARB_sparse_texture_clamp":
                shader.extensions.add("GL_ARB_sparse_texture2")
            shader.declarations.append(f"layout(set = 0, binding = {number % 5}) uniform {kind.sampler} s;")
            for lookup in lookups:
                shader.look(lookup)
            yield f"lookup_{kind.suffix}_{name}", shader


def stage_shaders():
    """Lookups of every stage on three groups of sampler types."""
    groups = {"flat": KINDS[:3], "arrays": KINDS[3:7], "shadows": KINDS[7:]}
    for stage in STAGES:
        if stage == "frag":
            continue
        for group, kinds in groups.items():
            shader = Shader(stage)
            for i, (dim, shadow) in enumerate(kinds):
                kind = Kind(dim, shadow)
                shader.declarations.append(f"layout(set = {i % 3}, binding = {i}) uniform {kind.sampler} s{i};")
                if not kind.far:
                    shader.look(f"texture(s{i}, {kind.coord()})")
                for family in (lod, grad, gather):
                    for lookup in list(family(kind, f"s{i}"))[:1]:
                        shader.look(lookup)
                for lookup in [l for l in offset(kind, f"s{i}") if "Lod" in l]:
                    shader.look(lookup)
            yield f"stage_{group}", shader


def declare(shader, kind, form):
    """Declares what `form` samples from and adds its lookups."""
    combined, texture, sampler = kind.sampler, kind.texture, kind.pure_sampler
    coord, other = kind.coord(), kind.coord("yxwz")
    add, look, function = shader.declarations.append, shader.look, shader.functions.append

    def pair(t, s):
        return f"texture({combined}({t}, {s}), {coord})"

    if form == "sets":
        for i, (where, at) in enumerate(((0, 7), (1, 0), (2, 31), (2, 3))):
            add(f"layout(set = {where}, binding = {at}) uniform {combined} s{i};")
            look(f"texture(s{i}, {coord if i % 2 else other})")
    elif form == "separate":
        add(f"layout(set = 0, binding = 0) uniform {texture} t;\nlayout(set = 0, binding = 1) uniform {sampler} s;")
        look(pair("t", "s"))
        look(f"textureGrad({combined}(t, s), {other}, {kind.gradient('dx')}, {kind.gradient('dy')})")
    elif form == "one_sampler":
        add(f"layout(set = 1, binding = 0) uniform {sampler} s;")
        for i in range(4):
            add(f"layout(set = 0, binding = {i}) uniform {texture} t{i};")
            look(pair(f"t{i}", "s"))
    elif form == "one_texture":
        add(f"layout(set = 1, binding = 4) uniform {texture} t;")
        for i in range(3):
            add(f"layout(set = 0, binding = {2 * i}) uniform {sampler} s{i};")
            look(pair("t", f"s{i}"))
    elif form == "constant_index":
        add(f"layout(set = 0, binding = 0) uniform {combined} s[5];")
        for i in (4, 0, 2):
            look(f"texture(s[{i}], {coord})")
    elif form == "uniform_index":
        add(f"layout(set = 0, binding = 2) uniform {combined} s[8];")
        look(f"texture(s[at], {coord})")
        look(f"texture(s[last - at], {other})")
    elif form == "separate_index":
        add(f"layout(set = 0, binding = 0) uniform {texture} t[6];\nlayout(set = 0, binding = 1) uniform {sampler} s[3];")
        look(pair("t[at]", "s[last]"))
        look(pair("t[5]", "s[0]"))
        look(pair("t[at + 1]", "s[2]"))
    elif form == "nonuniform":
        shader.extensions.add("GL_EXT_nonuniform_qualifier")
        add(f"layout(set = 0, binding = 0) uniform {combined} s[16];")
        look(f"texture(s[nonuniformEXT(int(p.x * 16.0))], {coord})")
        look(f"texture(s[nonuniformEXT(at + int(p.y))], {other})")
    elif form == "nonuniform_separate":
        shader.extensions.add("GL_EXT_nonuniform_qualifier")
        add(f"layout(set = 0, binding = 0) uniform {texture} t[16];\nlayout(set = 0, binding = 1) uniform {sampler} s[4];")
        look(pair("t[nonuniformEXT(int(p.x))]", "s[nonuniformEXT(int(p.y))]"))
        look(pair("t[nonuniformEXT(int(p.z))]", "s[1]"))
    elif form == "runtime":
        shader.extensions.add("GL_EXT_nonuniform_qualifier")
        add(f"layout(set = 0, binding = 9) uniform {combined} s[];")
        look(f"texture(s[at], {coord})")
        look(f"texture(s[nonuniformEXT(int(p.w))], {other})")
    elif form == "runtime_separate":
        shader.extensions.add("GL_EXT_nonuniform_qualifier")
        add(f"layout(set = 0, binding = 0) uniform {sampler} s[4];\nlayout(set = 1, binding = 3) uniform {texture} t[];")
        look(pair("t[nonuniformEXT(at)]", "s[at & 3]"))
    elif form == "computed_index":
        add(f"layout(set = 0, binding = 0) uniform {combined} s[12];")
        shader.body.append("int i = at * 4 + (last > 2 ? 1 : at);")
        look(f"texture(s[i], {coord})")
        shader.body.append("i ^= 3;")
        look(f"texture(s[i], {other})")
    elif form == "specialized_length":
        add("layout(constant_id = 7) const int COUNT = 6;")
        add(f"layout(set = 0, binding = 0) uniform {combined} s[COUNT];")
        look(f"texture(s[at], {coord})")
        look(f"texture(s[COUNT - 1], {other})")
    elif form == "parameter":
        function(f"{kind.result} one({combined} s, vec4 p)\n{{\n    return texture(s, {coord});\n}}")
        for i in range(3):
            add(f"layout(set = 0, binding = {i}) uniform {combined} s{i};")
            look(f"one(s{i}, p * {i + 1}.0)")
    elif form == "array_parameter":
        function(f"{kind.result} one({combined} s[4], int i, vec4 p)\n{{\n    return texture(s[i], {coord});\n}}")
        for i in range(2):
            add(f"layout(set = {i}, binding = {i}) uniform {combined} s{i}[4];")
            look(f"one(s{i}, at, p)")
    elif form == "nested_parameter":
        function(f"{kind.result} inner({combined} a, {combined} b, vec4 p)\n{{\n"
                 f"    return texture(a, {coord}) + texture(b, {other});\n}}")
        function(f"{kind.result} outer({combined} a, {combined} b[3], vec4 p)\n{{\n"
                 "    return inner(a, b[at], p) + inner(b[1], a, p.yxwz);\n}")
        add(f"layout(set = 0, binding = 0) uniform {combined} x;\nlayout(set = 0, binding = 1) uniform {combined} y[3];\n"
            f"layout(set = 1, binding = 0) uniform {combined} z[2];")
        look("outer(x, y, p)")
        look("outer(z[at], y, p.zwxy)")
        look("inner(z[1], y[2], p)")
    elif form == "separate_parameter":
        function(f"{kind.result} one({texture} t, {sampler} s, vec4 p)\n{{\n    return {pair('t', 's')};\n}}")
        add(f"layout(set = 0, binding = 0) uniform {texture} t[4];\nlayout(set = 0, binding = 1) uniform {sampler} a;\n"
            f"layout(set = 0, binding = 2) uniform {sampler} b;")
        look("one(t[0], a, p)")
        look("one(t[at], b, p)")
    elif form == "loop":
        add(f"layout(set = 0, binding = 0) uniform {combined} s[8];")
        shader.body.append(f"for (int i = at; i < last; i++) {{\n        if (p.x * float(i) > 3.0)\n            continue;\n"
                           f"        r += vec4(texture(s[i], {coord}));\n        if (r.x > 4.0)\n            break;\n"
                           "        p = p.yzwx;\n    }")
    elif form == "loop_condition":
        add(f"layout(set = 0, binding = 0) uniform {combined} s;")
        shader.body.append(f"while (vec4(textureLod(s, {coord}, 0.0)).x < 0.5 && r.y < 16.0) {{\n        r.y += 1.0;\n"
                           "        p += 0.01;\n    }"
                           if list(lod(kind, "s")) else
                           f"do {{\n        r.y += 1.0;\n        p += 0.01;\n    }} while (vec4(texture(s, {coord})).x < r.y);")
    elif form == "switch":
        for i in range(3):
            add(f"layout(set = 0, binding = {i}) uniform {combined} s{i};")
        shader.body.append("switch (at) {\n" + "".join(
            f"    case {i}:\n        r += vec4(texture(s{i}, {coord}));\n        {'break;' if i != 1 else ''}\n"
            for i in range(3)) + f"    default:\n        r -= vec4(texture(s0, {other}));\n    }}")
    elif form == "branches":
        add(f"layout(set = 0, binding = 0) uniform {combined} a;\nlayout(set = 0, binding = 1) uniform {combined} b;")
        look(f"p.x > 0.5 ? texture(a, {coord}) : texture(b, {other})")
        shader.body.append(f"if (vec4(texture(a, {coord})).x > 0.5 && vec4(texture(b, {coord})).x < 0.25)\n"
                           f"        r += vec4(texture(a, {other}));\n    else if (at > 3)\n        r.x = 1.0;")
    elif form == "early_return":
        add(f"layout(set = 0, binding = 0) uniform {combined} s;")
        function(f"{kind.result} find(vec4 p)\n{{\n    for (int i = 0; i < 4; i++) {{\n"
                 f"        {kind.result} v = texture(s, {coord});\n        if (vec4(v).x > 0.5)\n            return v;\n"
                 f"        p *= 0.5;\n    }}\n    return texture(s, {other});\n}}")
        look("find(p)")


FORMS = ("sets", "separate", "one_sampler", "one_texture", "constant_index", "uniform_index", "separate_index",
         "nonuniform", "nonuniform_separate", "runtime", "runtime_separate", "computed_index", "specialized_length",
         "parameter", "array_parameter", "nested_parameter", "separate_parameter", "loop", "loop_condition", "switch",
         "branches", "early_return")


def form_shaders():
    """Each way to reach a sampler, for some sampler types; a few in compute shaders too."""
    kinds = [("2D", False), ("1D", False), ("2DArray", False), ("3D", False), ("2D", True), ("Cube", False)]
    for form in FORMS:
        for dim, shadow in kinds:
            shader = Shader()
            declare(shader, Kind(dim, shadow), form)
            yield f"form_{form}_{dim}{'Shadow' if shadow else ''}", shader
        shader = Shader("comp")
        declare(shader, Kind("2D", False), form)
        yield f"form_{form}", shader


def count_shaders():
    """Straight-line shaders with many lookups, and loops over many."""
    for count in (4, 8, 16, 32, 64, 128):
        shader = Shader()
        units = min(count, 16)
        for i in range(units):
            shader.declarations.append(f"layout(set = {i % 3}, binding = {i}) uniform sampler2D s{i};")
        for i in range(count):
            shader.look(f"texture(s{i % units}, p.xy * {1 + i / 8} + {i / count})")
        yield f"many_{count}", shader
    for radius in (2, 3, 5):
        shader = Shader()
        shader.declarations.append(f"layout(constant_id = {radius}) const int RADIUS = {radius};\n"
                                   "layout(set = 0, binding = 0) uniform sampler2D s;")
        shader.body.append("for (int y = -RADIUS; y <= RADIUS; y++)\n        for (int x = -RADIUS; x <= RADIUS; x++)\n"
                           "            r += texture(s, p.xy + vec2(x, y) * dx.xy) / float(1 + x * x + y * y);")
        yield f"kernel_{radius}", shader


def precision_shaders():
    """The embedded dialect, with results and coordinates of lower precision."""
    for precision in ("lowp", "mediump", "highp"):
        for dim, coord in (("2D", "at"), ("3D", "vec3(at, 0.5)"), ("2DArray", "vec3(at, 2.0)"), ("Cube", "vec3(at, 1.0)")):
            text = (f"#version 320 es\nprecision {precision} float;\nprecision {precision} sampler{dim};\n"
                    f"layout(set = 0, binding = 0) uniform sampler{dim} s;\nlayout(location = 0) in vec2 at;\n"
                    f"layout(location = 0) out vec4 color;\nvoid main()\n{{\n"
                    f"    color = texture(s, {coord}) + texture(s, {coord} * 2.0, 0.5) + textureLod(s, {coord}, 1.0);\n}}\n")
            yield f"precision_{precision}_{dim}", text


def main():
    folder = sys.argv[1]
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for source in (lookup_shaders, stage_shaders, form_shaders, count_shaders):
        for name, shader in source():
            with open(os.path.join(folder, f"{name}.{shader.stage}"), "w", encoding="ascii") as file:
                file.write(shader.text())
    for name, text in precision_shaders():
        with open(os.path.join(folder, f"{name}.frag"), "w", encoding="ascii") as file:
            file.write(text)


if __name__ == "__main__":
    main()

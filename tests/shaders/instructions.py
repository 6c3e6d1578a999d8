# SPDX-License-Identifier: MIT
"""
A module for each instruction of SPIR-V's grammar, by an example of it (examples.txt).

An example is a line: the instruction's name, then its operands in their order, without the result.

    KIND     a value of a kind; of the result type, and behind `:`, the type itself
    #N, "S"  a literal
    @N       a constant of 32 bits, as scopes are
    =NAME    at the end: a capability beside those that the grammar asks for, an execution model, an addressing model, or
             a version of SPIR-V

Kinds are numbers (f32, u16x4, bool, bf16, f32m43: a matrix of four columns of three), [KIND] an array of two, [KIND;3] of
three, <KIND> one without end, {KIND,KIND} a structure, CLASS*KIND a pointer, sampler, images (img2D), sampled ones
(both2D), and types by what stands behind OpType, as RayQueryKHR, with operands behind colons.
"""
import array
import json
import os
import struct

from beside import HEADER, MAGIC, instruction

PHYSICAL = "PhysicalStorageBuffer"

# Sampled type, Dim, depth, arrayed, multisampled, sampled, format.
IMAGES = {"1D": ("f32", 0, 0, 0, 0, 1, 0), "2D": ("f32", 1, 0, 0, 0, 1, 0), "3D": ("f32", 2, 0, 0, 0, 1, 0),
          "Cube": ("f32", 3, 0, 0, 0, 1, 0), "Array": ("f32", 1, 0, 1, 0, 1, 0), "Depth": ("f32", 1, 1, 0, 0, 1, 0),
          "MS": ("f32", 1, 0, 0, 1, 1, 0), "Buffer": ("f32", 5, 0, 0, 0, 1, 0), "Subpass": ("f32", 6, 0, 0, 0, 2, 0),
          "Store": ("f32", 1, 0, 0, 0, 2, 3), "StoreU": ("u32", 1, 0, 0, 0, 2, 33), "StoreF": ("f32", 1, 0, 0, 0, 2, 3),
          "StoreS": ("i32", 1, 0, 0, 0, 2, 24), "U": ("u32", 1, 0, 0, 0, 1, 0), "MSArray": ("f32", 1, 0, 1, 1, 1, 0),
          "Kernel": ("void", 1, 0, 0, 0, 0, 0), "Tile": ("f32", 4173, 0, 0, 0, 2, 0), "Weight": ("f32", 1, 0, 1, 0, 1, 0),
          "Block": ("f32", 1, 0, 0, 0, 1, 0)}
# WeightTextureQCOM; BlockMatchTextureQCOM and BlockMatchSamplerQCOM
DECORATIONS_OF_IMAGES = {"Weight": [4487], "Block": [4488, 4499]}
NEEDS_OF_IMAGES = {"1D": "Sampled1D", "Buffer": "SampledBuffer", "Subpass": "InputAttachment", "Kernel": "ImageBasic",
                   "Tile": "TileImageColorReadAccessEXT"}
CLASSES = {"UniformConstant": 0, "Input": 1, "Uniform": 2, "Output": 3, "Workgroup": 4, "CrossWorkgroup": 5, "Private": 6,
           "Function": 7, "Generic": 8, "PushConstant": 9, "Image": 11, "StorageBuffer": 12, "TileImageEXT": 4172,
           "CallableDataKHR": 5328, "IncomingCallableDataKHR": 5329, "RayPayloadKHR": 5338, "HitAttributeKHR": 5339,
           "IncomingRayPayloadKHR": 5342, PHYSICAL: 5349, "HitObjectAttributeNV": 5385, "HitObjectAttributeEXT": 5411,
           "TaskPayloadWorkgroupEXT": 5402}
NEEDS_OF_CLASSES = {"Generic": "GenericPointer", "CallableDataKHR": "RayTracingKHR", "RayPayloadKHR": "RayTracingKHR",
                    "HitAttributeKHR": "RayTracingKHR", "IncomingRayPayloadKHR": "RayTracingKHR",
                    PHYSICAL: "PhysicalStorageBufferAddresses",
                    "HitObjectAttributeNV": "ShaderInvocationReorderNV", "HitObjectAttributeEXT": "ShaderInvocationReorderEXT",
                    "TaskPayloadWorkgroupEXT": "MeshShadingEXT", "TileImageEXT": "TileImageColorReadAccessEXT"}
# Execution models, and the modes that they must have.
MODELS = {"Fragment": (4, [(7,)]), "GLCompute": (5, [(17, 1, 1, 1)]), "Geometry": (3, [(19,), (27,), (26, 1), (0, 1)]),
          "TaskEXT": (5364, [(17, 1, 1, 1)]), "MeshEXT": (5365, [(17, 1, 1, 1), (26, 1), (5270, 1), (27,)]),
          "RayGenerationKHR": (5313, []), "IntersectionKHR": (5314, []), "AnyHitKHR": (5315, []), "ClosestHitKHR": (5316, []),
          "MissKHR": (5317, []), "CallableKHR": (5318, [])}
NEEDS_OF_MODELS = {"Geometry": "Geometry", "TaskEXT": "MeshShadingEXT", "MeshEXT": "MeshShadingEXT", **dict.fromkeys(
    ("RayGenerationKHR", "IntersectionKHR", "AnyHitKHR", "ClosestHitKHR", "MissKHR", "CallableKHR"), "RayTracingKHR")}
MEMORY = {"Logical": (0, 1), "Physical64": (2, 1), "PhysicalStorageBuffer64": (5348, 1), "Vulkan": (0, 3)}
NEEDS_OF_NUMBERS = {"f16": "Float16", "f64": "Float64", "i64": "Int64", "u64": "Int64", "i16": "Int16", "u16": "Int16",
                    "i8": "Int8", "u8": "Int8", "bf16": "BFloat16TypeKHR", "e4m3": "Float8EXT"}


DECLARATIONS = {"Type-Declaration", "Constant-Creation"}


# Not in modules of older grammars, which give them a type of the result; the rewriter has them as newer ones do.
LATER_WITHOUT_TYPE = {"OpAsmTargetINTEL"}


class Grammar:
    """The machine's."""

    def __init__(self, path="/usr/include/spirv/unified1/spirv.core.grammar.json"):
        with open(path, encoding="utf-8") as file:
            text = json.load(file)
        self.instructions = {}
        for one in text["instructions"]:
            self.instructions.setdefault(one["opname"], one)
        self.kinds = {kind["kind"]: kind for kind in text["operand_kinds"]}
        self.capabilities = {one["enumerant"]: one for one in self.kinds["Capability"]["enumerants"]}

    def opcode(self, name):
        return self.instructions[name]["opcode"]

    def operands(self, name):
        """What an example has to say: all but the result."""
        return [one for one in self.instructions[name].get("operands", []) if one["kind"] != "IdResult"]

    def has(self, name, kind):
        return any(one["kind"] == kind for one in self.instructions[name].get("operands", []))

    def left_out(self):
        """What has no module with this grammar, with the reason."""
        return {name: "its result has no type in newer grammars, and in this one it has" for name in LATER_WITHOUT_TYPE
                if name in self.instructions and self.has(name, "IdResultType")}

    def extensions(self, capability):
        return self.capabilities[capability].get("extensions", []) if capability in self.capabilities else []


def string_words(text):
    data = text.encode() + b"\0"
    data += b"\0" * (-len(data) % 4)
    return list(struct.unpack(f"<{len(data) // 4}I", data))


class Builder:
    """One module, with what its single example needs."""

    def __init__(self, grammar):
        self.grammar, self.bound = grammar, 1
        self.capabilities, self.extensions = ["Shader"], []
        self.decorations, self.globals, self.locals, self.body, self.interface = [], [], [], [], []
        self.known, self.model, self.memory, self.bindings = {}, "Fragment", "Logical", 0
        self.version, self.strides = 6, False

    def new(self):
        self.bound += 1
        return self.bound - 1

    def need(self, capability):
        if capability and capability not in self.capabilities:
            self.capabilities.append(capability)
            self.extensions += [one for one in self.grammar.extensions(capability)[:1] if one not in self.extensions]
        if capability in ("VulkanMemoryModel", "CooperativeMatrixKHR") and self.memory == "Logical":
            self.memory = "Vulkan"
            self.need("VulkanMemoryModel")

    def op(self, name, *operands):
        return instruction(self.grammar.opcode(name), *operands)

    def once(self, key, make):
        if key not in self.known:
            self.known[key] = make()
        return self.known[key]

    def declare(self, name, *operands):
        made = self.new()
        self.globals.append(self.op(name, made, *operands))
        return made

    def constant(self, kind, value):
        return self.once(("constant", kind, value), lambda: self.made("OpConstant", kind, value, globally=True))

    def made(self, name, kind, *operands, globally=False):
        """An instruction with a result, which is given back."""
        result_type, made = self.type(kind), self.new()
        (self.globals if globally else self.body).append(self.op(name, result_type, made, *operands))
        return made

    # ---- Types ----

    def type(self, kind):
        return self.once(("type", kind), lambda: self.make_type(kind))

    def make_type(self, kind):
        if kind == "void":
            return self.declare("OpTypeVoid")
        if kind == "bool":
            return self.declare("OpTypeBool")
        if kind == "sampler":
            return self.declare("OpTypeSampler")
        if "*" in kind and kind[0] not in "[{":
            space, to = kind.split("*", 1)
            self.need(NEEDS_OF_CLASSES.get(space))
            if space == PHYSICAL and self.memory == "Logical":
                self.memory = "PhysicalStorageBuffer64"
            if not to:
                self.need("UntypedPointersKHR")
                made = self.declare("OpTypeUntypedPointerKHR", CLASSES[space])
                if self.strides:
                    self.decorations.append(self.op("OpDecorate", made, 6, 4))
                return made
            to = self.type(to)
            made = self.declare("OpTypePointer", CLASSES[space], to)
            if self.strides:
                self.decorations.append(self.op("OpDecorate", made, 6, 4))
            return made
        if kind[0] == "{":
            members = [self.type(one) for one in parts(kind[1:-1])]
            return self.declare("OpTypeStruct", *members)
        if kind[0] == "<":
            made = self.declare("OpTypeRuntimeArray", self.type(kind[1:-1]))
            self.decorations.append(self.op("OpDecorate", made, 6, 4))
            return made
        if kind[0] == "[":
            of, _, count = kind[1:-1].partition(";")
            element, count = self.type(of), self.constant("u32", int(count or 2))
            return self.declare("OpTypeArray", element, count)
        if kind.startswith("img"):
            sampled, *rest = IMAGES[kind[3:]]
            self.need(NEEDS_OF_IMAGES.get(kind[3:]))
            sampled = self.type(sampled)
            return self.declare("OpTypeImage", sampled, *rest)
        if kind.startswith("both"):
            image = self.type("img" + kind[4:])
            return self.declare("OpTypeSampledImage", image)
        if kind[0] in "fiub" and kind[1].isdigit() or kind.startswith(("bool", "bf16", "e4m3")):
            return self.number_type(kind)
        return self.other_type(kind)

    def number_type(self, kind):
        if "x" in kind:
            part, count = kind.rsplit("x", 1)
            if int(count) > 4:
                self.need("Vector16")
            part = self.type(part)
            return self.declare("OpTypeVector", part, int(count))
        if "m" in kind and not kind.startswith("e4m3"):
            part, size = kind.rsplit("m", 1)
            column = self.type(f"{part}x{size[-1]}")
            return self.declare("OpTypeMatrix", column, int(size[0]))
        self.need(NEEDS_OF_NUMBERS.get(kind))
        if kind in ("bf16", "e4m3"):
            return self.declare("OpTypeFloat", *((16, 0) if kind == "bf16" else (8, 4214)))
        if kind[0] == "f":
            return self.declare("OpTypeFloat", int(kind[1:]))
        return self.declare("OpTypeInt", int(kind[1:]), int(kind[0] == "i"))

    def other_type(self, kind):
        """Types that the grammar has by a name, with operands where they must have some."""
        name, *given = kind.split(":")
        name = "OpType" + name
        one = self.grammar.instructions[name]
        self.need_of(one)
        operands = []
        for what in given:
            operands.append(int(what[1:]) if what[0] == "#" else self.constant("u32", int(what)) if what.isdigit() else
                            self.value("bool") if what == "true" else
                            self.type(what))
        if name.startswith("OpTypeHitObjectEXT") or name.startswith("OpTypeHitObjectNV"):
            self.need("RayTracingKHR")
        return self.declare(name, *operands)

    def need_of(self, one):
        known = one.get("capabilities", [])
        if known and not set(known) & (set(self.capabilities) | {"Shader"}):
            self.need(known[0])
        for extension in one.get("extensions", [])[:1]:
            if known and extension not in self.extensions and not self.grammar.extensions(known[0]):
                self.extensions.append(extension)

    # ---- Values ----

    def value(self, kind):
        return self.once(("value", kind), lambda: self.make_value(kind))

    def variable(self, kind, to_globals=True):
        space = kind.split("*", 1)[0]
        pointer, made = self.type(kind), self.new()
        one = self.op("OpVariable", pointer, made, CLASSES[space])
        (self.globals if to_globals else self.locals).append(one)
        if to_globals:
            self.interface.append(made)
        return made

    def bound_variable(self, kind):
        made = self.variable(kind)
        self.place(made)
        image = kind.split("img")[-1].split("both")[-1]
        if image == "Subpass":
            self.decorations.append(self.op("OpDecorate", made, 43, 0))
        self.decorations += [self.op("OpDecorate", made, one) for one in DECORATIONS_OF_IMAGES.get(image, [])]
        return made

    def place(self, variable):
        self.decorations += [self.op("OpDecorate", variable, 34, 0), self.op("OpDecorate", variable, 33, self.bindings)]
        self.bindings += 1

    def lay_out(self, block):
        block = self.type(block)
        self.decorations += [self.op("OpDecorate", block, 2), self.op("OpMemberDecorate", block, 0, 35, 0)]

    def make_value(self, kind):
        if "*" in kind and kind[0] not in "[{":
            return self.pointer(kind)
        if kind == "imgTile":
            pointer = self.variable("TileImageEXT*imgTile")
            self.decorations.append(self.op("OpDecorate", pointer, 30, 0))
            return self.made("OpLoad", kind, pointer)
        if kind.startswith(("img", "both", "sampler", "AccelerationStructureKHR")):
            pointer = self.once(("variable", kind), lambda: self.bound_variable("UniformConstant*" + kind))
            return self.made("OpLoad", kind, pointer)
        if kind == "bool":
            return self.made("OpConstantTrue", kind, globally=True)
        if kind in ("f32", "u32", "i32", "f16", "i16", "u16", "i8", "u8"):
            return self.constant(kind, {"f32": 0x3f800000, "f16": 0x3c00}.get(kind, 1))
        if kind in ("f64", "u64", "i64"):
            return self.made("OpConstant", kind, 1, 0, globally=True)
        if "x" in kind and kind[0] in "fiub":
            part = self.value(kind.rsplit("x", 1)[0])
            return self.made("OpConstantComposite", kind, *[part] * int(kind.rsplit("x", 1)[1]), globally=True)
        if kind[0] in "[{":
            return self.made("OpConstantNull", kind, globally=True)
        return self.made("OpUndef", kind, globally=True)

    def pointer(self, kind):
        space, to = kind.split("*", 1)
        if kind == "StorageBuffer*":
            return self.untyped_block()
        if not to or space in ("Generic", "CrossWorkgroup"):
            return self.made("OpUndef", kind, globally=True)
        if space == "Function":
            return self.variable(kind, to_globals=False)
        if space == PHYSICAL:
            address = self.value("u64")
            return self.made("OpConvertUToPtr", kind, address)
        if space == "Image":
            image = self.once(("variable", "texel", to), lambda: self.bound_variable(
                "UniformConstant*imgStore" + {"u32": "U", "i32": "S"}.get(to, "F")))
            where, sample = self.value("u32x2"), self.constant("u32", 0)
            return self.made("OpImageTexelPointer", kind, image, where, sample)
        if space == "StorageBuffer" and "<" in to:
            return self.block(space, to)
        if space in ("Uniform", "StorageBuffer", "PushConstant"):
            block = "{" + to + "}"
            pointer = self.once(("block", space, to), lambda: self.block(space, block))
            at = self.constant("i32", 0)
            return self.made("OpAccessChain", kind, pointer, at)
        if space == "UniformConstant":
            return self.bound_variable(kind)
        made = self.variable(kind)
        if space in ("Input", "Output"):
            self.decorations.append(self.op("OpDecorate", made, 30, len(self.interface)))
            if space == "Input" and self.model == "Fragment" and to[0] != "f":
                self.decorations.append(self.op("OpDecorate", made, 14))
        return made

    def block(self, space, kind):
        made = self.variable(f"{space}*{kind}") if space == "PushConstant" else self.bound_variable(f"{space}*{kind}")
        self.lay_out(kind)
        return made

    def untyped_block(self):
        pointer, block, made = self.type("StorageBuffer*"), self.type("{<u32>}"), self.new()
        self.globals.append(self.op("OpUntypedVariableKHR", pointer, made, CLASSES["StorageBuffer"], block))
        self.interface.append(made)
        self.place(made)
        self.lay_out("{<u32>}")
        return made

    # ---- The module ----

    def add(self, name, given):
        """The example's instruction, at the end of the only block."""
        one = self.grammar.instructions[name]
        has_type, has_result = self.grammar.has(name, "IdResultType"), self.grammar.has(name, "IdResult")
        words = [self.new()] if has_result and not has_type else []
        for what in given:
            if what[0] == "=":
                continue
            if what[0] == "#":
                words.append(int(what[1:]))
            elif what[0] == '"':
                words += string_words(what[1:-1])
            elif what[0] == ":":
                words.append(self.type(what[1:]))
            elif has_type and not words:
                words += [self.type(what), self.new()] if has_result else [self.type(what)]
            elif what[0] == "@":
                words.append(self.constant("u32", int(what[1:])))
            else:
                words.append(self.value(what))
        (self.globals if one.get("class") in DECLARATIONS else self.body).append(instruction(one["opcode"], *words))

    def module(self, name, given):
        """The words of a module with an example in its middle."""
        for what in given:
            if what[0] != "=":
                continue
            what = what[1:]
            if what.startswith("1."):
                self.version = int(what[2:])
            elif what in MODELS:
                self.model = what
                self.need(NEEDS_OF_MODELS.get(what))
            elif what in MEMORY:
                self.memory = what
                self.need({"Physical64": "Addresses", "PhysicalStorageBuffer64": "PhysicalStorageBufferAddresses",
                           "Vulkan": "VulkanMemoryModel"}.get(what))
            elif not what.isdigit():
                self.need(what)
        self.need_of(self.grammar.instructions[name])
        self.strides = "PtrAccessChain" in name
        void = self.type("void")
        function = self.declare("OpTypeFunction", void)
        main, label = self.new(), self.new()
        self.add(name, given)
        number, modes = MODELS[self.model]
        header = [self.op("OpCapability", self.grammar.capabilities[one]["value"]) for one in self.capabilities]
        header += [self.op("OpExtension", *string_words(one)) for one in self.extensions]
        header += [self.op("OpMemoryModel", *MEMORY[self.memory]),
                   self.op("OpEntryPoint", number, main, *string_words("main"), *self.interface)]
        header += [self.op("OpExecutionMode", main, *mode) for mode in modes]
        words = array.array("I", [MAGIC, 0x00010000 | self.version << 8, 0, self.bound, 0])
        for one in [*header, *self.decorations, *self.globals, self.op("OpFunction", void, main, 0, function),
                    self.op("OpLabel", label),
                    *self.locals, *self.body, self.op("OpReturn"), self.op("OpFunctionEnd")]:
            words.extend(one)
        return words.tobytes()


def parts(text):
    """A list at its own commas."""
    found, depth = [""], 0
    for letter in text:
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return [one for one in found if one]


def module_of(grammar, example):
    name, *given = example.split()
    return Builder(grammar).module(name, given)


HERE = os.path.dirname(os.path.abspath(__file__))


def lines_of(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return [line.strip() for line in file if not line.startswith("#")]


def examples():
    return [line for line in lines_of("examples.txt") if line]


def structures():
    """Names and text of each part of the list."""
    part = []
    for line in [*lines_of("structures.txt"), ""]:
        if line:
            part.append(line)
        elif part:
            yield part[0].split(), assembly_of(part[1:])
            part = []


def names_with_examples():
    return {line.split()[0] for line in examples()} | {name for names, _ in structures() for name in names}


def assembly_of(lines):
    """A module around lines, each of which begins with its place."""
    places = {place: "".join(line[2:].replace("\\n", "\n") + "\n" for line in lines if line[0] == place)
              for place in "vcxedatbfgim"}
    entry = places["e"] if "OpEntryPoint" in places["e"] else (
        f'OpEntryPoint Fragment %main "main" {places["i"]}\nOpExecutionMode %main OriginUpperLeft\n' + places["e"])
    return (f"; Version: {places['v'].strip() or '1.6'}\nOpCapability Shader\n" + places["c"] + places["x"] + "OpMemoryModel " + (places["m"] or "Logical GLSL450\n") + entry +
            places["d"] + places["a"] + "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n"
            "%float = OpTypeFloat 32\n%uint = OpTypeInt 32 0\n%v2float = OpTypeVector %float 2\n%v2uint = OpTypeVector %uint 2\n"
            "%one = OpConstant %float 1\n%three = OpConstant %uint 3\n" + places["t"] +
            "%main = OpFunction %void None %fn\n%first = OpLabel\n" + places["b"] + "OpReturn\nOpFunctionEnd\n" + places["f"] +
            places["g"])


def guess(grammar, name):
    """An example of an instruction that the lists do not have: hardly valid, but one."""
    given = []
    for one in grammar.operands(name):
        if one.get("quantifier") in ("?", "*"):
            continue
        kind = grammar.kinds[one["kind"]]
        given.append("u32" if kind["category"] == "Id" else '"text"' if one["kind"] == "LiteralString" else "#1")
    return " ".join([name, *given])


def built(grammar, example):
    """None where the machine's grammar lacks something of it."""
    try:
        return module_of(grammar, example)
    except KeyError:
        return None


def modules(grammar, maker):
    """Yields a text and a module of each example and structure; None for the module where this machine's tools know none."""
    known, left_out = set(), grammar.left_out()
    for example in examples():
        module = built(grammar, example)
        known.update([example.split()[0]] if module else [])
        yield example, module
    for names, text in structures():
        module = maker.assemble(text)
        known.update(names if module else [])
        yield " ".join(names), module
    for name in grammar.instructions:
        if name not in known and name not in left_out:
            example = guess(grammar, name)
            yield example, built(grammar, example)

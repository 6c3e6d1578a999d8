#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""find_examples.py [OPTIONS] JUDGE [NAME...]: looks for examples of instructions (tests/shaders/examples.txt).

  JUDGE              the program judge_modules, whose SPIRV-Tools are to take the examples
  --tries N          modules that are tried for each instruction (2000)
  NAME               these instructions, not all that have no example

Operands are tried of kinds that their names in the grammar suggest, first all alike, then each for itself. Prints a line
for each example that is found, as the list has it, and `# NAME: REASON` with the validator's most frequent word where none
is. What blocks and modules are made of has no such example: see tests/shaders/instructions.py.
"""
import os
import re
import struct
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "tests", "shaders"), os.path.join(ROOT, "scripts", "internal")]
import help_text  # noqa: E402
import instructions  # noqa: E402

NUMBERS = ["f32", "u32", "i32", "f32x2", "f32x4", "u32x2", "i32x2", "u32x4", "bool", "boolx2", "f16", "f64", "u64", "f16x2",
           "f32m22", "f32m33", "f32x3", "u32x3", "i64", "u16", "u8", "i8", "i16", "boolx4", "u8x4", "i8x4", "u16x4", "u64x2",
           "f16x4",
           "i32x4", "f64x2", "bf16", "bf16x2", "e4m3x4"]
STRUCTURES = ["{u32,u32}", "{i32,i32}", "{f32,f32}", "{f32,i32}", "{u32,f32x4}", "{u32,f32}", "{u32x2,u32x2}"]
IMAGES = ["img2D", "both2D", "imgStore", "imgStoreU", "imgBuffer", "imgSubpass", "imgMS", "bothDepth", "imgKernel", "imgTile",
          "imgMSArray", "bothCube", "sampler"]
MATRIX = ["CooperativeMatrixKHR:f32:3:16:16:0", "CooperativeMatrixKHR:f32:3:16:16:1", "CooperativeMatrixKHR:f32:3:16:16:2",
          "CooperativeMatrixNV:f32:3:16:16", "CooperativeMatrixKHR:f32:3:16:1:2"]
LONG = ["VectorIdEXT:f32:8", "VectorIdEXT:u32:8"]
POINTERS = ["Function*f32", "Function*u32", "StorageBuffer*u32", "StorageBuffer*i32", "StorageBuffer*f32", "Workgroup*u32",
            "Private*f32", "PhysicalStorageBuffer*u32", "Image*u32", "Uniform*f32", "Private*bool", "StorageBuffer*f32x4",
            "StorageBuffer*u64", "StorageBuffer*f64", "StorageBuffer*f16", "Generic*u32", "CrossWorkgroup*u32",
            "CrossWorkgroup*u8",
            "Function*[f32]", "Private*{f32,f32}", "StorageBuffer*", "Function*", "CrossWorkgroup*f32", "Generic*f32",
            "StorageBuffer*f16x2"]
HITS = ["Function*HitObjectNV", "Function*HitObjectEXT"]
OPAQUE = ["Event", "DeviceEvent", "ReserveId", "Queue", "Pipe:#0", "Pipe:#1", "PipeStorage", "NamedBarrier",
          "AccelerationStructureKHR",
          "TensorLayoutNV:2:0", "TensorViewNV:2:0:0:1", "TensorARM:f32:2"]
RAYS = {"RayQuery": ["Function*RayQueryKHR"], "Ray Query": ["Function*RayQueryKHR"], "Hit Object": HITS,
        "Intersection": ["u32", "@0", "@1"],
        "Payload": ["RayPayloadKHR*f32", "Private*f32", "Function*f32"], "Acceleration Structure": ["AccelerationStructureKHR"],
        "Accel": ["AccelerationStructureKHR"], "Ray Origin": ["f32x3"], "Ray Direction": ["f32x3"], "Origin": ["f32x3"],
        "Direction": ["f32x3"], "RayOrigin": ["f32x3"], "RayDirection": ["f32x3"],
        "HitObject Attributes": ["HitObjectAttributeNV*f32", "HitObjectAttributeEXT*f32"],
        "Hit Object Attribute": ["HitObjectAttributeNV*f32", "HitObjectAttributeEXT*f32"],
        "Hit Object Attributes": ["HitObjectAttributeNV*f32", "HitObjectAttributeEXT*f32"],
        **dict.fromkeys(("Ray Tmin", "Ray Tmax", "TMin", "TMax", "RayTMin", "RayTMax", "Current Time", "Time", "HitT", "Hit"),
                        ["f32"]),
        **dict.fromkeys(("Ray Flags", "Cull Mask", "SBT Offset", "SBT Stride", "Miss Index", "SBT Index", "RayFlags",
                         "Cullmask", "CullMask",
                         "SBT Record Offset", "SBT Record Stride", "SBT Record Index", "Hit Kind", "HitKind", "Bits", "Hint",
                         "Index Offset",
                         "Group Count X", "Group Count Y", "Group Count Z", "Vertex Count", "Primitive Count", "Packed Indices",
                         "Num Packets", "Packet Size", "Packet Alignment", "SBT Record Index"), ["u32", "@4"]),
        **dict.fromkeys(("InstanceId", "PrimitiveId", "GeometryIndex", "Instance Id", "Geometry Index", "Primitive Index"),
                        ["i32", "u32"])}
NAMED = {**RAYS, "Pointer": POINTERS, "Ptr": POINTERS,
         "Sampled Image": [one for one in IMAGES if one.startswith("both")] + IMAGES,
         "Image": IMAGES, "Predicate": ["bool"], "Condition": ["bool", "boolx2"], "Queue": ["Queue"], "Event": ["DeviceEvent",
                                                                                                                "Event"],
         "Reserve Id": ["ReserveId"], "Pipe": ["Pipe:#0", "Pipe:#1"], "Named Barrier": ["NamedBarrier"],
         "Pipe Storage": ["PipeStorage"],
         "Texture": ["img2D", "both2D"], "Target Sampled Image": ["both2D"], "Reference Sampled Image": ["both2D"],
         "Target": ["both2D", "u32"],
         "Reference": ["both2D"], "Weights": ["both2D", "img2D"], "Block Size": ["u32x2"], "Target Coordinates": ["u32x2"],
         "Reference Coordinates": ["u32x2"], "Box Size": ["f32x2"], "Tensor": ["TensorARM:f32:2"], "Src Image": ["imgKernel",
                                                                                                                 "img2D"],
         "Ref Image": ["imgKernel", "img2D"], "Fwd Ref Image": ["imgKernel", "img2D"], "Bwd Ref Image": ["imgKernel", "img2D"],
         "TensorLayout": ["TensorLayoutNV:2:0"], "TensorView": ["TensorViewNV:2:0:0:1"], "ClusterSize": ["@4", "@1"],
         "Delta": ["u32"], "Callable Data": ["CallableDataKHR*f32"], "Callable DataId": ["CallableDataKHR*f32", "u32"],
         "Src Pointer": ["CrossWorkgroup*u8"] + POINTERS, "Src Base Pointer": ["CrossWorkgroup*u8"] + POINTERS,
         "Dst Base Pointer": ["CrossWorkgroup*u8"] + POINTERS, "Dst Pointer": ["Function*u8"] + POINTERS,
         "MemoryLayout": ["@0", "@1"], "Structure": ["StorageBuffer*{<f32>}"]}
KERNELS = {"imgKernel", "Generic*u32", "CrossWorkgroup*u32", "CrossWorkgroup*u8", "CrossWorkgroup*f32", "Generic*f32",
           "Function*", *OPAQUE[:8]}
AVC = [f"Avc{kind}INTEL" for kind in ("McePayload", "MceResult", "ImePayload", "ImeResult", "RefPayload", "RefResult",
                                      "SicPayload",
                                      "SicResult", "ImeResultSingleReferenceStreamout", "ImeResultDualReferenceStreamout",
                                      "ImeSingleReferenceStreamin", "ImeDualReferenceStreamin")]
EVERY = NUMBERS + STRUCTURES + POINTERS + IMAGES + MATRIX + LONG + OPAQUE + HITS + ["Function*RayQueryKHR"] + AVC
WIDER = [[], ["=GLCompute"], ["=RayGenerationKHR"], ["=IntersectionKHR"], ["=AnyHitKHR"], ["=MeshEXT"], ["=TaskEXT"],
         ["=Geometry"]]


class Judge:
    def __init__(self, program):
        self.program, self.process = program, None

    def valid(self, module):
        """0: for Vulkan, 1: for SPIR-V alone; or why not."""
        self.process = self.process or subprocess.Popen([self.program, "--check"], stdin=subprocess.PIPE,
                                                        stdout=subprocess.PIPE,
                                                        stderr=subprocess.DEVNULL)
        try:
            self.process.stdin.write(struct.pack("=I", len(module) // 4) + module)
            self.process.stdin.flush()
            kind, rest = self.process.stdout.readline().decode("utf-8", "replace").rstrip("\n").split("\t", 1)
        except (ValueError, BrokenPipeError):
            self.process.kill()
            self.process = None
            return "the validator crashed"
        return int(rest) if kind == "valid" else rest


def choices(grammar, kind, name):
    """Texts that may stand for an operand."""
    if kind == "IdScope":
        return ["@3", "@2", "@1"]
    if kind == "IdMemorySemantics":
        return ["@0", "@264", "@72"]
    if kind in ("LiteralInteger", "LiteralExtInstInteger"):
        return ["#1", "#0", "#2"]
    if kind == "LiteralString":
        return ['"text"']
    if kind == "IdRef":
        return NAMED.get(name.strip("'"), EVERY)
    if kind == "ImageOperands":
        return ["#0", "#2 f32"]
    if kind == "MemoryAccess":
        return ["#0", "#2 #4"]
    values = [one["value"] for one in grammar.kinds[kind].get("enumerants", [])]
    return [f"#{int(value, 0) if isinstance(value, str) else value}" for value in values[:6]] or ["#0"]


def words_of(grammar, name):
    return name + "".join(grammar.instructions[name].get("capabilities", []))


def of_kernels(grammar, name):
    return re.search("Kernel|INTEL|ALTERA|Pipe|DeviceEnqueue|SubgroupDispatch|NamedBarrier|Addresses$", words_of(grammar, name))


def kinds_of(grammar, name):
    """Of ids, without those that an instruction of the other world would fail by."""
    return [kind for kind in EVERY if (kind not in KERNELS or of_kernels(grammar, name)) and (kind not in AVC or "Avc" in name)]


def forms(grammar, name):
    """Operands of an example, and what stands behind them."""
    operands = grammar.operands(name)
    base = [one for one in operands if one.get("quantifier") not in ("?", "*")]
    wide = base + [one for one in operands if one.get("quantifier") == "*"] * 2
    text = words_of(grammar, name)
    if of_kernels(grammar, name):
        extras = [["=Kernel"], ["=Kernel", "=Physical64"]]
    elif re.search("RayTracing|InvocationReorder|Displacement", text):
        extras = [["=RayGenerationKHR"], ["=ClosestHitKHR"], ["=IntersectionKHR"], ["=AnyHitKHR"]]
    elif "MeshShading" in text:
        extras = [["=MeshEXT"], ["=TaskEXT"]]
    else:
        extras = [["=Geometry"]] if "Geometry" in text else [[], ["=GLCompute"], ["=GLCompute", "=Vulkan"]]
    for extra in extras:
        yield base, extra
        if len(wide) > len(base):
            yield wide, extra


def lists_of(grammar, name, form):
    kinds = kinds_of(grammar, name)
    lists = [kinds if one["kind"] == "IdResultType" else choices(grammar, one["kind"], one.get("name", "")) for one in form]
    return [[kind for kind in one if kind in kinds or kind not in EVERY] or one for one in lists]


def alike(grammar, name):
    """Examples whose operands are of one kind, where they may be."""
    for form, extra in forms(grammar, name):
        lists = lists_of(grammar, name, form)
        for kind in EVERY if form else EVERY[:1]:
            yield [name, *(kind if kind in one else one[0] for one in lists), *extra]
        if form:
            break
    if not form:
        yield from ([name, *extra] for extra in WIDER)


class Search:
    """Of one instruction's example."""

    def __init__(self, grammar, judge, name, tries):
        self.grammar, self.judge, self.name, self.left = grammar, judge, name, tries
        self.seen, self.alone, self.reasons = {}, None, {}

    def judged(self, given):
        """0: that is one; None: no module can be made of it; or a reason without ids."""
        text = " ".join(given)
        if text not in self.seen:
            self.left -= 1
            try:
                result = self.judge.valid(instructions.module_of(self.grammar, text))
            except (KeyError, IndexError, ValueError, TypeError, OverflowError):
                result = None
            if result == 1:
                self.alone = self.alone or text
                result = "for SPIR-V alone"
            elif isinstance(result, str):
                self.reasons[result] = self.reasons.get(result, 0) + 1
                result = re.sub(r"'?\d+(\[%?\w*\])?'?|%\w+", "N", result)
            self.seen[text] = result
        return self.seen[text]

    def in_order(self, form, extra, kinds, at=0):
        """Operand by operand: those count for which the validator has another word than for most."""
        if at == len(form) or self.left <= 0:
            return None
        groups = {}
        for kind in form[at]:
            given = [self.name, *kinds[:at], kind, *kinds[at + 1:], *extra]
            reason = self.judged(given)
            if reason == 0:
                return " ".join(given)
            if reason is not None and not re.search("Capability |not allowed|Missing required|requires extension", reason):
                groups.setdefault(reason, []).append(kind)
        for group in sorted(groups.values(), key=len)[:5]:
            for kind in group[:2]:
                found = self.in_order(form, extra, [*kinds[:at], kind, *kinds[at + 1:]], at + 1)
                if found:
                    return found
        return None


def find(grammar, judge, name, tries):
    search = Search(grammar, judge, name, tries)
    for given in alike(grammar, name):
        if search.judged(given) == 0:
            return " ".join(given), None
    search.left = tries
    for form, extra in forms(grammar, name):
        lists = lists_of(grammar, name, form)
        found = None if search.alone else search.in_order(lists, extra, [one[0] for one in lists])
        if found:
            return found, None
    return search.alone, max(search.reasons, key=search.reasons.get) if search.reasons else "nothing could be tried"


def main():
    parser = help_text.parser(__doc__)
    parser.add_argument("judge")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--tries", type=int, default=2000)
    options = parser.parse_args()
    grammar, judge = instructions.Grammar(), Judge(options.judge)
    known = set() if options.names else instructions.names_with_examples()
    for name in options.names or grammar.instructions:
        if name in known:
            continue
        found, reason = find(grammar, judge, name, options.tries)
        print(found or f"# {name}: {reason}", flush=True)


if __name__ == "__main__":
    main()

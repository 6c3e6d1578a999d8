#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""list_instructions.py [OPTIONS] GRAMMAR: prints the shape of every instruction of a SPIR-V grammar.

  GRAMMAR            spirv.core.grammar.json
  --check FILE       prints no shapes: the status is 1 if FILE lacks an instruction of the grammar

The rewriter must know where an instruction has its result, also of instructions that are newer than the headers that it
is built with. So the shapes of the newest grammar stand in the tree, as numbers and names alone. Run this on the newest
grammar (SPIRV-Headers, include/spirv/unified1) when it has new instructions, and write its output to the file.

With --check nothing is written: the status is 1 if FILE lacks an instruction of the grammar, or does not know of one that
it has images or samplers among its operands (tests/spirv/images_test.c says what becomes of each that has). Shapes are
not compared otherwise: grammars of later versions correct those of earlier ones, all of them of INTEL's for kernels so far.
"""
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "internal"))
import help_text  # noqa: E402

# The terminators of SPIR-V 1.6 and of extensions (specification, "Termination Instruction"): grammars do not mark them.
TERMINATORS = {"OpBranch", "OpBranchConditional", "OpSwitch", "OpKill", "OpReturn", "OpReturnValue", "OpUnreachable",
               "OpTerminateInvocation", "OpIgnoreIntersectionKHR", "OpTerminateRayKHR", "OpEmitMeshTasksEXT",
               "OpAbortKHR"}
# What the class Control-Flow has besides: a terminator that is new shows as neither.
NO_TERMINATORS = {"OpPhi", "OpLoopMerge", "OpSelectionMerge", "OpLabel", "OpLifetimeStart", "OpLifetimeStop",
                  "OpDemoteToHelperInvocation", "OpLoopControlINTEL"}

# The least number of words of what had fewer operands in an earlier grammar: modules of that time are to be read as well.
EARLIER = {"OpArbitraryFloatCastToIntALTERA": 8, "OpArbitraryFloatPowNINTEL": 10}

# Instructions that read images besides those of the class Image.
READS_IMAGES = {"OpFragmentMaskFetchAMD", "OpFragmentFetchAMD"}
# What has such operands besides: types, pointers to texels of storage images, and instructions of kernels.
READS_NONE = {"OpTypeSampledImage", "OpImageTexelPointer", "OpUntypedImageTexelPointerEXT"}
KERNELS = re.compile(r"Op(Subgroup|Vme|TypeVme)\w*INTEL$")

HEAD = """\
# The shape of every SPIR-V instruction, by scripts/generate/list_instructions.py from the grammar of SPIR-V {version}.
# Opcode, least number of words, letters, name. Letters: t: it has a result type, r: it has a result, e: it ends a block,
# i: its operands may be images, samplers or sampled images, and all that it must have are ids.
"""


def shape(instruction):
    """(least number of words, letters)"""
    least, letters = 1, ""
    for operand in instruction.get("operands", []):
        letters += {"IdResultType": "t", "IdResult": "r"}.get(operand["kind"], "")
        least += "quantifier" not in operand
    name = instruction["opname"]
    least = EARLIER.get(name, least)
    images = instruction.get("class") == "Image" or name in READS_IMAGES
    return least, letters + ("e" if name in TERMINATORS else "") + ("i" if images else "")


def shapes_of_grammar(data):
    """{opcode: (least number of words, letters, name)}; of instructions with several names the first."""
    found = {}
    for instruction in data["instructions"]:
        name = instruction["opname"]
        if instruction.get("class") == "Control-Flow" and name not in TERMINATORS | NO_TERMINATORS:
            sys.exit(f"list_instructions: is {name} a terminator? Enter it in one of the two lists of this script")
        found.setdefault(instruction["opcode"], (*shape(instruction), name))
    return found


def check_names(instruction):
    """Are operands that are called images or samplers known as such?"""
    name = instruction["opname"]
    operands = " ".join(o.get("name", "") for o in instruction.get("operands", []))
    if (re.search(r"\b(Image|Sampler|Texture)\b", operands) and "i" not in shape(instruction)[1]
            and name not in READS_NONE and not KERNELS.match(name)):
        sys.exit(f"list_instructions: does {name} read images? Enter it in one of the two lists of this script")


def read(path):
    """What the file says, in the form of shapes_of_grammar()."""
    found = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if not line.startswith("#"):
                opcode, least, letters, name = line.split()
                found[int(opcode)] = (int(least), "" if letters == "-" else letters, name)
    return found


def main():
    parser = help_text.parser(__doc__)
    parser.add_argument("grammar")
    parser.add_argument("--check", metavar="FILE")
    options = parser.parse_args()
    with open(options.grammar, encoding="utf-8") as file:
        data = json.load(file)
    for instruction in data["instructions"]:
        check_names(instruction)
    if options.check:
        known = read(options.check)
        images = {opcode for opcode, (_, letters, _) in known.items() if "i" in letters}
        reads = {i["opcode"] for i in data["instructions"] if "i" in shape(i)[1]}
        lacking = sorted({i["opcode"] for i in data["instructions"]} - set(known) | (reads - images))
        print(f"{len(data['instructions'])} instructions, {len(lacking)} of them not listed:", *lacking)
        sys.exit(1 if lacking else 0)
    found = shapes_of_grammar(data)
    print(HEAD.format(version=f"{data['major_version']}.{data['minor_version']}, revision {data['revision']}"), end="")
    for opcode, (least, letters, name) in sorted(found.items()):
        print(opcode, least, letters or "-", name)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The table of what a pipeline of the layer's own disturbs: every dynamic state of the registry, with the commands that set
it, each of which is hooked and put back with a test in track_dynamic or track_blend, or with a reason.

dynamic_states_test.py ROOT vk.xml

A registry that has a new state fails here, until it is known what sets it.
"""
import glob
import importlib.util
import os
import re
import sys
import xml.etree.ElementTree as ET

ROOT, FIRST = sys.argv[1:]

# State: the commands that set it, where they are not called as it is.
SET_BY = {
    "VIEWPORT_W_SCALING_NV": ["SetViewportWScalingNV"], "VIEWPORT_W_SCALING_ENABLE_NV": ["SetViewportWScalingEnableNV"],
    "VIEWPORT_COARSE_SAMPLE_ORDER_NV": ["SetCoarseSampleOrderNV"],
    "DEPTH_BIAS": ["SetDepthBias", "SetDepthBias2EXT"], "LINE_STIPPLE": ["SetLineStippleEXT"],
    "LINE_STIPPLE_EXT": ["SetLineStippleEXT"],
    "FRAGMENT_SHADING_RATE_KHR": ["SetFragmentShadingRateKHR", "SetFragmentShadingRateEnumNV"],
    "VERTEX_INPUT_BINDING_STRIDE": ["BindVertexBuffers", "BindVertexBuffers2", "BindVertexBuffers3KHR"],
}
BLEND = {"COLOR_BLEND_ADVANCED_EXT", "COLOR_BLEND_ENABLE_EXT", "COLOR_BLEND_EQUATION_EXT", "COLOR_WRITE_MASK_EXT"}
REASONS = {
    "RAY_TRACING_PIPELINE_STACK_SIZE_KHR": "no graphics pipeline has it",
}
NEWER = {"SetDepthBias2EXT", "BindVertexBuffers3KHR"}  # than the oldest registry


def registries():
    return [FIRST] + sorted(glob.glob(os.path.join(ROOT, "build-*", "root", "usr", "share", "vulkan", "registry", "vk.xml")))


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def load(path):
    spec = importlib.util.spec_from_file_location("generate", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def states_of(registry):
    names = set()
    for block in registry.iterfind("enums[@name='VkDynamicState']"):
        names |= {e.get("name") for e in block.iterfind("enum") if not e.get("alias")}
    names |= {e.get("name") for e in registry.iter("enum") if e.get("extends") == "VkDynamicState" and not e.get("alias")}
    return {name[len("VK_DYNAMIC_STATE_"):] for name in names}


def command_of(state):
    *words, vendor = state.split("_")
    if vendor not in ("EXT", "NV", "KHR"):
        words, vendor = words + [vendor], ""
    return "Set" + "".join(word.capitalize() for word in words).replace("Wscaling", "WScaling") + vendor


def main():
    wrong = []
    generate = load(os.path.join(ROOT, "scripts", "generate", "generate_vulkan.py"))
    own = [os.path.join(ROOT, "layer", "base", *path) for path in (("vulkan_compat", "newer_vulkan.xml"), ("clampler.xml",))]
    by_hand = read("layer", "entry", "chain", "alpha_entry_points.h")
    assert "STATE_COMMANDS(ALPHA_HOOK)" in by_hand
    by_hand = set(re.findall(r"ALPHA_HOOK\(Cmd(\w+)\)", by_hand))
    tests = read("tests", "unit", "track_dynamic_test.c")
    tested_by_hand = set(re.findall(r"hook_Cmd(\w+)\(COMMANDS", tests))
    for macro in ("SCALAR_STATES(STATE)", "INDEXED_STATES(STATE)"):
        assert macro in tests  # each of the lists
    blends = read("tests", "unit", "track_blend_test.c")
    for path in registries():
        lists = generate.recorded_commands(generate.Registry([path, *own]))
        listed = {name[len("Cmd"):] for names in generate.STATES for name, _ in lists[names]}
        assert len(listed) > 40, path
        hooks, tested = by_hand | listed, tested_by_hand | listed
        registry = ET.parse(path).getroot()
        known = {c.findtext("proto/name") or c.get("name") for c in registry.iterfind("commands/command")}
        states = states_of(registry)
        assert len(states) > 60, path
        for state in sorted(states):
            commands = SET_BY.get(state, [command_of(state)])
            if state in REASONS:
                if any(command in hooks for command in commands):
                    wrong.append(f"{state} has a reason, and {commands} are hooked")
                continue
            for command in commands:
                if f"vkCmd{command}" not in known and command not in NEWER:
                    wrong.append(f"{state} of {path}: what sets it? not vkCmd{command}")
                elif command not in hooks:
                    wrong.append(f"{state} of {path}: vkCmd{command} is not hooked")
                elif command not in tested and not (state in BLEND and f"hook_Cmd{command}" in blends):
                    wrong.append(f"{state}: vkCmd{command} has no test")
    print("\n".join(wrong) or "every dynamic state is put back, or has a reason")
    return bool(wrong)


sys.exit(main())

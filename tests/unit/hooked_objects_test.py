#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every command of the registry that makes an object or ends one is hooked (layer/entry/chain/entry_points.h), as is every one
that takes a swapchain, or a create-info that the layer changes; or there is a reason, for the command or for objects of its
type.

hooked_objects_test.py ROOT vk.xml

A command makes an object where it writes a handle; it ends one where it is called after that and takes it. A query that
takes a create-info answers for the object that the layer would make of it. A registry with a new one fails here, until it
is known whether the layer follows such objects.
"""
import glob
import os
import re
import sys
import xml.etree.ElementTree as ET

ROOT, FIRST = sys.argv[1:]

OTHERS = "nothing of the layer's depends on it"
LOADER = "the loader makes and ends it"
# Objects that the layer does not follow.
TYPES = {name: OTHERS for name in (
    "VkBufferCollectionFUCHSIA", "VkCuFunctionNVX", "VkCuModuleNVX", "VkCudaFunctionNV", "VkCudaModuleNV",
    "VkDataGraphPipelineSessionARM", "VkEvent", "VkExternalComputeQueueNV", "VkFence", "VkGpaSessionAMD", "VkMicromapEXT",
    "VkOpticalFlowSessionNV", "VkPerformanceConfigurationINTEL", "VkPrivateDataSlot", "VkQueryPool", "VkQueue", "VkSemaphore",
    "VkSemaphoreSciSyncPoolNV", "VkShaderInstrumentationARM", "VkTensorARM", "VkTensorViewARM", "VkValidationCacheEXT",
    "VkVideoSessionKHR", "VkVideoSessionParametersKHR", "VkAccelerationStructureKHR", "VkAccelerationStructureNV",
    "VkDisplayKHR", "VkDisplayModeKHR", "VkSurfaceKHR")}
TYPES.update({
    "VkDeferredOperationKHR": "what is deferred is done before the call returns (docs/limits.md)",
    "VkPipelineCache": "it is the driver's, as the program knows it (docs/limits.md)",
    "VkPhysicalDevice": LOADER,
    "VkIndirectCommandsLayoutNV": "it names a pipeline layout, whose handle is the driver's",
})
REASONS = {
    "FreeMemory": "of memory only its flags are changed, when it is allocated",
    "DestroyIndirectCommandsLayoutEXT": "it is made otherwise, and not followed",
    "DestroyIndirectExecutionSetEXT": "it is made otherwise, and not followed",
    "CreateExecutionGraphPipelinesAMDX": "shaders of execution graphs are not rewritten (docs/limits.md)",
    "CreateDataGraphPipelinesARM": "no shader of it samples",
}
# Create-infos that the layer changes for the driver, and commands that may hand on the program's all the same.
CHANGED = {"VkImageCreateInfo", "VkBufferCreateInfo", "VkImageViewCreateInfo", "VkBufferViewCreateInfo", "VkSamplerCreateInfo",
           "VkDescriptorSetLayoutCreateInfo", "VkPipelineLayoutCreateInfo", "VkDescriptorPoolCreateInfo",
           "VkGraphicsPipelineCreateInfo", "VkComputePipelineCreateInfo", "VkMemoryAllocateInfo"}
TAKEN = {
    "SetBufferCollectionBufferConstraintsFUCHSIA": "buffers of collections are shared, and not changed",
    "SetBufferCollectionImageConstraintsFUCHSIA": "images of collections are shared, and not changed",
}
# Commands that take a swapchain, and do not make, end or list it: when images are shown changes nothing.
SWAPCHAINS = re.compile(r"^(Acquire\w+|QueuePresentKHR|ReleaseSwapchainImages\w+|ReleaseFullScreenExclusiveModeEXT|"
                        r"Get(Swapchain\w+|RefreshCycleDuration\w+|PastPresentationTiming\w+|Latency\w+)|"
                        r"Set(Hdr\w+|LocalDimming\w+|Latency\w+|Swapchain\w+)|(Latency|Wait)\w+|QueueNotifyOutOfBandNV)$")


def registries():
    return [FIRST] + sorted(glob.glob(os.path.join(ROOT, "build-*", "root", "usr", "share", "vulkan", "registry", "vk.xml")))


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def commands_of(registry):
    """Names without "vk" -> parameters as (type, text), without other names of the same command."""
    commands = {}
    for command in registry.iterfind("commands/command"):
        if command.get("api") != "vulkansc" and not command.get("alias"):
            commands[command.findtext("proto/name")[2:]] = [
                (p.findtext("type"), "".join(p.itertext())) for p in command.iterfind("param")]
    return commands


def structures_of(registry):
    """Names of structures, in any of their forms -> types of their members."""
    types = registry.findall("types/type")
    found = {t.get("name"): {m.findtext("type") for m in t.iterfind("member")} for t in types
             if t.get("category") in ("struct", "union") and not t.get("alias")}
    for other in types:
        if other.get("alias") in found:
            found[other.get("name")] = found[other.get("alias")]
    return found


def takes_changed(parameters, structures):
    """Whether a create-info that the layer changes is one of the parameters, or somewhere in them."""
    left, seen = [kind for kind, _ in parameters], set()
    while left:
        kind = left.pop()
        if kind in CHANGED:
            return True
        if kind in structures and kind not in seen:
            seen.add(kind)
            left += structures[kind]
    return False


def other_names(registry):
    """Names of commands that have another one in this registry -> that."""
    return {c.get("name")[2:]: c.get("alias")[2:] for c in registry.iterfind("commands/command[@alias]")}


def objects_of(name, parameters, handles):
    """The types of the objects that the command makes or ends."""
    ends = re.match(r"(Destroy|Free)", name)
    owners = ("VkDevice", "VkInstance") if len(parameters) > 2 else ()
    return {kind for kind, text in parameters
            if kind in handles and (("*" in text and "const" not in text) or (ends and kind not in owners))}


def main():
    wrong = []
    hooks = read("layer", "entry", "chain", "entry_points.h") + read("layer", "entry", "chain", "alpha_entry_points.h")
    listed = set(re.findall(r"\b\w+_HOOK\((\w+)\)", hooks))
    needed, used, queries = set(), set(), set()
    for path in registries():
        registry = ET.parse(path).getroot()
        handles = {t.findtext("name") or t.get("name") for t in registry.iterfind("types/type[@category='handle']")}
        commands, structures, others = commands_of(registry), structures_of(registry), other_names(registry)
        hooked = listed | {others.get(name) for name in listed}
        assert len(handles) > 40 and len(commands) > 400, path
        for name, parameters in sorted(commands.items()):
            objects = objects_of(name, parameters, handles)
            reasons = {kind for kind in objects if kind in TYPES}
            used |= reasons | ({name} if name in REASONS else set())
            if objects - reasons and name not in REASONS:
                needed.add(name)
            elif name in hooked and name in REASONS:
                wrong.append(f"{name} is hooked, and has a reason not to be")
            if takes_changed(parameters, structures):
                if name in hooked or name in TAKEN or name in REASONS:
                    used |= {name} & (set(TAKEN) | set(REASONS))
                else:
                    queries.add(name)
            if any(kind == "VkSwapchainKHR" for kind, _ in parameters) and not SWAPCHAINS.match(name):
                needed.add(name)
        for name in sorted(needed & set(commands)):
            if name not in hooked:
                wrong.append(f"{name} of {path} makes, ends or takes an object that the layer follows: it is not hooked")
    for name in sorted(queries):
        wrong.append(f"{name} takes a create-info that the layer changes: it is not hooked")
    for name in ("CreateSwapchainKHR", "CreateSharedSwapchainsKHR", "DestroySwapchainKHR", "GetSwapchainImagesKHR"):
        assert name in needed, name
    newer = {"VkDataGraphPipelineSessionARM", "VkGpaSessionAMD", "VkShaderInstrumentationARM", "VkTensorARM", "VkTensorViewARM",
             "VkExternalComputeQueueNV", "VkCudaFunctionNV", "VkCudaModuleNV", "VkSemaphoreSciSyncPoolNV",
             "DestroyIndirectCommandsLayoutEXT", "DestroyIndirectExecutionSetEXT", "CreateExecutionGraphPipelinesAMDX",
             "CreateDataGraphPipelinesARM"}  # than the oldest registry
    for name in sorted((set(TYPES) | set(REASONS) | set(TAKEN)) - used - newer):
        wrong.append(f"{name} has a reason, and no command needs it")
    print("\n".join(wrong) or f"{len(needed)} commands are hooked, or have a reason")
    return bool(wrong)


sys.exit(main())

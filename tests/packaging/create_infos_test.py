#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the layer reads and keeps of create-infos of pipelines, shader objects, images and buffers.

create_infos_test.py ROOT vk.xml

Flags stand in a create-info in two forms, so layer/device/objects/pipeline_flags.h and resource_flags.h alone read and write
them. A registry in which others have a second form fails here, until it is known what reads those. What is kept
for later names no object of the program's: every structure of the registry that may be part of such a create-info and
has a handle is left out of what is kept, or its handle is replaced, or it is never kept. A registry that has a new one
fails here.
"""
import os
import re
import sys
import xml.etree.ElementTree as ET

# ---- Flags ----

THE_READER = {"device/objects/pipeline_flags.h"}
WIDE = re.compile(r"PIPELINE_CREATE_FLAGS_2_CREATE_INFO|VkPipelineCreateFlags2CreateInfo")
INFO = r"Vk(?:Graphics|Compute|RayTracing)PipelineCreateInfo(?:KHR|NV)?"
DECLARED = re.compile(r"\b" + INFO + r"[\s*]+(?:const\s*)?(\w+)")


def plain(text):
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(\\.|[^"\\\n])*"', " ", text, flags=re.DOTALL)


def functions(text):
    """Texts from a line that begins a declaration to the closing brace in the first column."""
    return re.findall(r"^[A-Za-z_][^;{}#]*\n?{.*?^}", text, flags=re.MULTILINE | re.DOTALL)


def readers(text, members):
    """What reads flags in the text of a file; `members`: names of members that are create-infos."""
    text = plain(text)
    yield from (f"the wide form: {match}" for match in WIDE.findall(text))
    for function in functions(text):
        for name in sorted(set(DECLARED.findall(function))):
            yield from re.findall(rf"(?<![\w.>]){name}(?:\[[^]]*\])?(?:->|\.)flags\b", function)
    for name in sorted(members):
        yield from re.findall(rf"(?:->|\.){name}(?:\[[^]]*\])?(?:->|\.)flags\b", text)


def check_flags(root):
    layer = os.path.join(root, "layer")
    texts = {}
    for folder, _, names in os.walk(layer):
        for name in names:
            if name.endswith((".c", ".h")) and os.path.basename(folder) != "vulkan_compat":
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    texts[os.path.relpath(os.path.join(folder, name), layer)] = file.read()
    assert THE_READER <= texts.keys()
    # Members are told by their names, where no other structure has one that is called so and has flags.
    others = {"shader_objects"}  # struct shader_object: the create-info of a shader object
    for path, text in sorted(texts.items()):
        members = set()
        if path.split("/")[1] not in others:
            for header in (t for p, t in texts.items() if p.endswith(".h") and p.split("/")[1] in ("pipelines", "creation")):
                for structure in re.findall(r"^struct \w+ {.*?^};", plain(header), flags=re.MULTILINE | re.DOTALL):
                    members |= set(DECLARED.findall(structure))
        for found in readers(text, members if path.split("/")[0] in ("pipelines", "creation") else set()):
            if path not in THE_READER:
                yield f"layer/{path} reads flags of a create-info itself: {found}"


def check_the_check():
    """Each of these is seen."""
    for text in ("static void f(const VkComputePipelineCreateInfo *info)\n{\n    g(info->flags);\n}\n",
                 "static void f(void)\n{\n    VkGraphicsPipelineCreateInfo a[2];\n    a[i].flags = 0;\n}\n",
                 "static void f(void)\n{\n    g(part->graphics->flags);\n}\n",
                 "static const int x = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR;\n"):
        assert list(readers(text, {"graphics"})), text
    assert not list(readers("static void f(VkPipelineLayoutCreateInfo *info)\n{\n    g(info->flags);\n}\n", {"graphics"}))


# ---- Flags of images, buffers and views ----

RESOURCES = "device/objects/resource_flags.h"
# Structures and the member that another structure replaces, which is in their chains. None of the layer's hooks has the
# last ones.
NARROW = {
    ("VkImageCreateInfo", "flags"): "VkImageCreateFlags2CreateInfoKHR",
    ("VkImageCreateInfo", "usage"): "VkImageUsageFlags2CreateInfoKHR",
    ("VkSwapchainCreateInfoKHR", "imageUsage"): "VkImageUsageFlags2CreateInfoKHR",
    ("VkBufferCreateInfo", "usage"): "VkBufferUsageFlags2CreateInfo",
    ("VkDescriptorBufferBindingInfoEXT", "usage"): "VkBufferUsageFlags2CreateInfo",
    ("VkPhysicalDeviceImageFormatInfo2", "flags"): "VkImageCreateFlags2CreateInfoKHR",
    ("VkPhysicalDeviceImageFormatInfo2", "usage"): "VkImageUsageFlags2CreateInfoKHR",
    ("VkPhysicalDeviceSparseImageFormatInfo2", "usage"): "VkImageUsageFlags2CreateInfoKHR",
    ("VkPhysicalDeviceExternalBufferInfo", "flags"): "VkBufferUsageFlags2CreateInfo",
    ("VkPhysicalDeviceExternalBufferInfo", "usage"): "VkBufferUsageFlags2CreateInfo",
    ("VkFramebufferAttachmentImageInfo", "flags"): "VkImageCreateFlags2CreateInfoKHR",
    ("VkFramebufferAttachmentImageInfo", "usage"): "VkImageUsageFlags2CreateInfoKHR",
    ("VkPhysicalDeviceVideoFormatInfoKHR", "imageUsage"): "VkImageUsageFlags2CreateInfoKHR",
}
# Those that have a structure for the narrow form, too.
REPLACED = {"VkImageViewUsage2CreateInfoKHR": "IMAGE_VIEW_USAGE_CREATE_INFO",
            "VkImageStencilUsage2CreateInfoKHR": "IMAGE_STENCIL_USAGE_CREATE_INFO"}
PIPELINES = {"VkPipelineCreateFlags2CreateInfo"}
SECOND_FORM = re.compile(r"(?:Flags|Usage)\d+\w*Info")


def without_suffix(name):
    return re.sub(r"(?:KHR|EXT|NV)$", "", name)


def stype(name):
    """VkImageUsageFlags2CreateInfoKHR -> IMAGE_USAGE_FLAGS_2_CREATE_INFO."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[a-z])(?=[0-9])", "_", without_suffix(name)[2:]).upper()


def resource_readers(text):
    """What reads flags of resources in the text of a file."""
    text = re.sub(r"\bROW\(Vk\w+, \d+, \w+\)", "", plain(text))  # tables of what may stand in chains read nothing
    wide = {without_suffix(name) for name in [*NARROW.values(), *REPLACED]}
    for name in sorted(wide):
        yield from re.findall(rf"\b{name}(?:KHR)?\b|\bVK_STRUCTURE_TYPE_{stype(name)}(?:_KHR)?\b", text)
    for narrow in sorted(REPLACED.values()):
        yield from re.findall(rf"pnext_find\([^;]*?VK_STRUCTURE_TYPE_{narrow}\b", text)
    for structure, member in sorted(NARROW):
        declared = re.compile(rf"\b{structure}[\s*]+(?:const\s*)?(\w+)")
        for function in functions(text):
            for name in sorted(set(declared.findall(function))):
                yield from re.findall(rf"(?<![\w.>]){name}(?:\[[^]]*\])?(?:->|\.){member}\b", function)
        for body in re.findall(r"^struct \w+ {.*?^};", text, flags=re.MULTILINE | re.DOTALL):
            for name in sorted(set(declared.findall(body))):
                yield from re.findall(rf"(?:->|\.){name}(?:\[[^]]*\])?(?:->|\.){member}\b", text)


def check_resources(root, registry):
    seen = 0
    layer = os.path.join(root, "layer")
    for folder, _, names in os.walk(layer):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), layer)
            if not name.endswith((".c", ".h")) or os.path.basename(folder) == "vulkan_compat":
                continue
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                found = list(resource_readers(file.read()))
            seen += path == RESOURCES and len(found)
            if path != RESOURCES:
                yield from (f"layer/{path} reads flags that have two forms itself: {f}" for f in found)
    assert seen >= 10, seen
    known = PIPELINES | {without_suffix(name) for name in [*NARROW.values(), *REPLACED]}
    tree = ET.parse(registry).getroot()
    for structure in tree.iterfind("types/type[@category='struct']"):
        name = structure.get("name")
        if SECOND_FORM.search(name) and not structure.get("alias") and without_suffix(name) not in known:
            yield f"{name} is another form of flags: of which, and who reads those?"
        for member in structure.iterfind("member[@flagsextend]"):
            extends = without_suffix(member.get("flagsextend"))
            expected = NARROW.get((name, member.findtext("name")), "")
            if extends not in PIPELINES and extends != without_suffix(expected):
                yield f"{name}::{member.findtext('name')} has another form, {extends}: who reads it?"


def check_the_resource_check():
    """Each of these is seen."""
    for text in ("static void f(const VkImageCreateInfo *info)\n{\n    g(info->flags);\n}\n",
                 "static void f(void)\n{\n    VkBufferCreateInfo a[2];\n    a[i].usage = 0;\n}\n",
                 "struct plan {\n    VkImageCreateInfo info;\n};\nstatic void f(struct plan *p)\n{\n    g(p->info.usage);\n}\n",
                 "static void f(const VkSwapchainCreateInfoKHR *pCreateInfo)\n{\n    g(pCreateInfo->imageUsage);\n}\n",
                 "static const int x = VK_STRUCTURE_TYPE_IMAGE_USAGE_FLAGS_2_CREATE_INFO_KHR;\n",
                 "static const int x = VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO_KHR;\n",
                 "static void f(const void *c)\n{\n    g(pnext_find(c, VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO));\n}\n"):
        assert list(resource_readers(text)), text
    assert not list(resource_readers("static void f(VkBufferCreateInfo *info)\n{\n    g(info->flags);\n}\n"))
    assert stype("VkImageViewUsage2CreateInfoKHR") == "IMAGE_VIEW_USAGE_2_CREATE_INFO"


# ---- Handles ----

# Roots -> structures that may be part of them and name objects, and what becomes of the handle.
ROOTS = ("VkGraphicsPipelineCreateInfo", "VkComputePipelineCreateInfo", "VkPipelineShaderStageCreateInfo",
         "VkShaderCreateInfoEXT")
LEFT_OUT = "left out"  # in left_out of layer/pipelines/pipelines/saved_info.c
KNOWN = {
    "VkGraphicsPipelineCreateInfo": "saved_info_graphics(): layout, pass and base are replaced",
    "VkComputePipelineCreateInfo": "saved_info_compute(): layout and base are replaced",
    "VkPipelineShaderStageCreateInfo": "bare_stages(): no module",
    "VkShaderCreateInfoEXT": "keep_info(): duplicates of the set layouts",
    "VkShaderModuleValidationCacheCreateInfoEXT": LEFT_OUT,
    "VkDebugUtilsObjectNameInfoEXT": LEFT_OUT,
    "VkPipelineBinaryInfoKHR": LEFT_OUT,
    "VkPipelineLibraryCreateInfoKHR": LEFT_OUT,
    "VkSubpassShadingPipelineCreateInfoHUAWEI": "keep_shaded_pass(): the pass is replaced",
    "VkGraphicsPipelineShaderGroupsCreateInfoNV": "must_be_fixed(): such pipelines have no recipe",
    "VkSamplerYcbcrConversionInfo": "embed() of layouts/heap_layout.c: held as long as the stage's layout",
}
# Whose members are copied with what they stand in, and have no sType of their own in left_out.
STYPES = {"VkShaderModuleValidationCacheCreateInfoEXT": "SHADER_MODULE_VALIDATION_CACHE_CREATE_INFO_EXT",
          "VkDebugUtilsObjectNameInfoEXT": "DEBUG_UTILS_OBJECT_NAME_INFO_EXT",
          "VkPipelineBinaryInfoKHR": "PIPELINE_BINARY_INFO_KHR",
          "VkPipelineLibraryCreateInfoKHR": "PIPELINE_LIBRARY_CREATE_INFO_KHR"}


def with_handles(path):
    """Structures that may be part of the roots, by members or in chains, and have handles."""
    registry = ET.parse(path).getroot()
    handles = {t.findtext("name") or t.get("name") for t in registry.iterfind("types/type[@category='handle']")}
    structures = {t.get("name"): t for t in registry.iterfind("types/type") if t.get("category") in ("struct", "union")}
    extended = {}
    for name, structure in structures.items():
        for base in (structure.get("structextends") or "").split(","):
            extended.setdefault(base, []).append(name)
    waiting, met = list(ROOTS), set()
    while waiting:
        name = waiting.pop()
        if name in met or name not in structures:
            continue
        met.add(name)
        members = structures[name].findall("member")
        types = {member.findtext("type") for member in members}
        if types & handles or any(member.get("objecttype") for member in members):
            yield name
        waiting += [*types, *extended.get(name, ())]


def check_handles(root, registry):
    with open(os.path.join(root, "layer", "pipelines", "pipelines", "saved_info.c"), encoding="utf-8") as file:
        left_out = re.search(r"left_out\[\] = {(.*?)};", file.read(), flags=re.DOTALL).group(1)
    found = sorted(set(with_handles(registry)))
    assert "VkShaderModuleValidationCacheCreateInfoEXT" in found and len(found) >= 6, found
    for name in found:
        if name not in KNOWN:
            yield f"{name} names an object: what becomes of it in what is kept of a create-info?"
        elif KNOWN[name] == LEFT_OUT and f"VK_STRUCTURE_TYPE_{STYPES[name]}," not in left_out:
            yield f"{name} is not in left_out of layer/pipelines/pipelines/saved_info.c"


def main():
    root, registry = sys.argv[1:]
    check_the_check()
    check_the_resource_check()
    problems = [*check_flags(root), *check_resources(root, registry), *check_handles(root, registry)]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

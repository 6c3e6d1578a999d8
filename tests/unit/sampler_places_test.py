#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every place of the registry where a program hands a sampler to the driver is known (layer/resources/sampling/surplus.h): the
driver has never seen the handles of surplus samplers, so that a place that is missed hands it a number of the layer's.

sampler_places_test.py ROOT vk.xml

A place is a member or a parameter that is a VkSampler, or an object of any type by its number. Each has the hooks that
resolve it, or a reason. A registry with a new one fails here. Every active device has them, because any may have surplus
samplers.
"""
import glob
import os
import re
import sys
import xml.etree.ElementTree as ET

ROOT, FIRST = sys.argv[1:]

WRITES = ("UpdateDescriptorSets", "UpdateDescriptorSetWithTemplate", "CmdPushDescriptorSetKHR", "CmdPushDescriptorSet2KHR",
          "CmdPushDescriptorSetWithTemplateKHR", "CmdPushDescriptorSetWithTemplate2KHR", "GetDescriptorEXT")
LAYOUTS = ("CreateDescriptorSetLayout", "GetDescriptorSetLayoutSupport")
# Place -> the hooks that resolve it, or why there is nothing to resolve.
PLACES = {
    "vkCreateSampler.pSampler": ("CreateSampler",),
    "vkDestroySampler.sampler": ("DestroySampler",),
    "VkDescriptorImageInfo.sampler": WRITES,
    "VkDescriptorDataEXT.pSampler": ("GetDescriptorEXT",),
    "VkDescriptorSetLayoutBinding.pImmutableSamplers": LAYOUTS,
    "VkImageViewHandleInfoNVX.sampler": ("GetImageViewHandleNVX", "GetImageViewHandle64NVX"),
    "VkSamplerCaptureDescriptorDataInfoEXT.sampler": "samplers that are captured are never surplus (sampler_use_of)",
    "vkSetPrivateData.objectHandle": ("SetPrivateData",),
    "vkGetPrivateData.objectHandle": ("GetPrivateData",),
    "VkDebugUtilsObjectNameInfoEXT.objectHandle": ("SetDebugUtilsObjectNameEXT",),
    "VkDebugUtilsObjectTagInfoEXT.objectHandle": ("SetDebugUtilsObjectTagEXT",),
    "VkDebugMarkerObjectNameInfoEXT.object": ("DebugMarkerSetObjectNameEXT",),
    "VkDebugMarkerObjectTagInfoEXT.object": ("DebugMarkerSetObjectTagEXT",),
    "VkDeviceMemoryReportCallbackDataEXT.objectHandle": "the driver says it, and only of what it has",
    "VkRefreshObjectKHR.objectHandle": "of Vulkan SC alone",
    "vkDebugReportMessageEXT.object": "a message of the program's: the number is shown, and not looked up",
}
# What else has structures with such places: the commands that take them, by the structures alone.
TAKERS = {
    "VkImageViewHandleInfoNVX": {"GetImageViewHandleNVX", "GetImageViewHandle64NVX"},
    "VkDebugUtilsObjectTagInfoEXT": {"SetDebugUtilsObjectTagEXT"},
    "VkDescriptorSetLayoutCreateInfo": set(LAYOUTS),
}


def registries():
    return [FIRST] + sorted(glob.glob(os.path.join(ROOT, "build-*", "root", "usr", "share", "vulkan", "registry", "vk.xml")))


def of_vulkan(element):
    return element.get("api") != "vulkansc"


def places_of(registry):
    """Names of places, and of commands by the structures that they take."""
    places, takers = set(), {}
    for kind in registry.iterfind("types/type"):
        for member in kind.iterfind("member"):
            if of_vulkan(member) and (member.findtext("type") == "VkSampler" or member.get("objecttype")):
                places.add(f"{kind.get('name')}.{member.findtext('name')}")
    for command in registry.iterfind("commands/command"):
        if not of_vulkan(command) or command.get("alias"):
            continue
        name = command.findtext("proto/name")
        for parameter in command.iterfind("param"):
            kind = parameter.findtext("type")
            takers.setdefault(kind, set()).add(name[2:])
            if kind == "VkSampler" or parameter.get("objecttype"):
                places.add(f"{name}.{parameter.findtext('name')}")
    return places, takers


def main():
    with open(os.path.join(ROOT, "layer", "entry", "chain", "entry_points.h"), encoding="utf-8") as file:
        hooked = set(re.findall(r"\bACTIVE_HOOK\((\w+)\)", file.read()))
    wrong, seen = [], set()
    for path in registries():
        places, takers = places_of(ET.parse(path).getroot())
        assert len(places) > 10, path
        seen |= places
        for place in sorted(places - set(PLACES)):
            wrong.append(f"{place} of {path} may be a sampler: where is it resolved?")
        for structure, known in TAKERS.items():
            for name in sorted(takers.get(structure, set()) - known):
                wrong.append(f"vk{name} of {path} takes a {structure}, and its samplers are not resolved")
    newer = {"VkRefreshObjectKHR.objectHandle"}  # than the oldest registry
    for place in sorted(set(PLACES) - seen - newer):
        wrong.append(f"{place} is in no registry")
    for place, hooks in PLACES.items():
        for name in hooks if isinstance(hooks, tuple) else ():
            if name not in hooked:
                wrong.append(f"{place} needs a hook of vk{name} on every active device")
    print("\n".join(wrong) or f"{len(seen)} places are resolved, or have a reason")
    return bool(wrong)


sys.exit(main())

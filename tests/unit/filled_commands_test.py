#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every command of the registry that takes an image has a row in the table of layer/semantics/filled and a hook that looks it up,
or a reason.

filled_commands_test.py ROOT vk.xml

A command takes an image where one of its parameters is a VkImage or a VkImageView, or has one behind it: in a structure,
or in what may be chained to that. A registry with a new one fails here, until it is known what it does to alpha.
"""
import glob
import os
import re
import sys
import xml.etree.ElementTree as ET

ROOT, FIRST = sys.argv[1:]

# Hooked, and looked up by layouts (filled_barrier) and by what passes load and resolve (filled_load, filled_resolve).
BARRIERS = {"CmdPipelineBarrier", "CmdPipelineBarrier2", "CmdWaitEvents", "CmdWaitEvents2"}
PASSES = {"CmdBeginRenderPass", "CmdBeginRenderPass2", "CmdBeginRendering"}

NO_COMMAND = "records nothing: a recording knows nothing of what is before it"
READS = "reads images"
UNSEEN = "images of that usage are unseen"
REASONS = {
    "AllocateMemory": NO_COMMAND, "BindImageMemory": NO_COMMAND, "BindImageMemory2": NO_COMMAND, "CreateImage": NO_COMMAND,
    "DestroyImage": NO_COMMAND, "CreateImageView": NO_COMMAND, "DestroyImageView": NO_COMMAND,
    "CreateFramebuffer": NO_COMMAND, "QueueSubmit": NO_COMMAND, "QueueSubmit2": NO_COMMAND, "QueueBindSparse": NO_COMMAND,
    "QueuePresentKHR": NO_COMMAND, "GetSwapchainImagesKHR": NO_COMMAND, "AcquireImageANDROID": NO_COMMAND,
    "AcquireImageOHOS": NO_COMMAND, "QueueSignalReleaseImageANDROID": NO_COMMAND, "QueueSignalReleaseImageOHOS": NO_COMMAND,
    "UpdateDescriptorSets": "what shaders write are storage images, which are unseen",
    "CmdPushDescriptorSet": "what shaders write are storage images, which are unseen",
    "CmdPushDescriptorSetKHR": "what shaders write are storage images, which are unseen",
    "CmdPushDescriptorSet2": "what shaders write are storage images, which are unseen",
    "CmdPushDescriptorSet2KHR": "what shaders write are storage images, which are unseen",
    "CopyMemoryToImage": UNSEEN, "CopyImageToImage": UNSEEN, "TransitionImageLayout": UNSEEN,
    "CopyMemoryToImageEXT": UNSEEN, "CopyImageToImageEXT": UNSEEN, "TransitionImageLayoutEXT": UNSEEN,
    "CopyImageToMemory": READS, "CopyImageToMemoryEXT": READS, "CmdCopyImageToBuffer": READS,
    "CmdCopyImageToBuffer2": READS, "CmdCopyImageToMemoryKHR": READS, "CmdBindShadingRateImageNV": READS,
    "CmdBindInvocationMaskHUAWEI": READS,
    "CmdClearDepthStencilImage": "such images have no alpha",
    "CmdSetEvent2": "its barriers are over when they are waited for",
    "CmdDecodeVideoKHR": UNSEEN, "CmdBeginVideoCodingKHR": UNSEEN, "CmdEncodeVideoKHR": UNSEEN,
    "BindOpticalFlowSessionImageNV": "no format of those that it writes has alpha",
    "ExportMetalObjectsEXT": NO_COMMAND,
}
QUESTIONS = re.compile(r"Get\w+$")  # change nothing
QUESTION_REASON = {"GetSwapchainImagesKHR"}


def registries():
    places = glob.glob(os.path.join(ROOT, "build-*", "root", "usr", "share", "vulkan", "registry", "vk.xml"))
    return [FIRST] + sorted(places)


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def image_commands(registry):
    """Names without "vk" of commands that take an image, without other names of the same command."""
    structures, extends, commands = {}, {}, {}
    for element in registry.iterfind("types/type[@category='struct']"):
        structures[element.get("name")] = [member.findtext("type") for member in element.iterfind("member")]
        for base in (element.get("structextends") or "").split(","):
            extends.setdefault(base, []).append(element.get("name"))

    def takes(name, seen):
        if name in ("VkImage", "VkImageView"):
            return True
        if name in seen or name not in structures:
            return False
        seen.add(name)
        return any(takes(other, seen) for other in structures[name] + extends.get(name, []))

    for command in registry.iterfind("commands/command"):
        if not command.get("alias"):
            commands[command.findtext("proto/name")[2:]] = [p.findtext("type") for p in command.iterfind("param")]
    return {name for name, types in commands.items() if any(takes(t, set()) for t in types)}


def main():
    wrong = []
    hooks = read("layer", "entry", "chain", "entry_points.h") + read("layer", "entry", "chain", "alpha_entry_points.h")
    hooked = set(re.findall(r"\b\w+_HOOK\((\w+)\)", hooks))
    table = read("layer", "semantics", "filled", "ways.h")
    rows = re.search(r"#define FILLED_COMMANDS\(ROW\)(.*?)\n\n", table, flags=re.DOTALL).group(1)
    rows = set(re.findall(r"ROW\((\w+), \w+\)", rows))
    assert len(rows) >= 12, rows
    hooks_of = "".join(read("layer", *path) for path in
                       (("recording", "alpha", "dirty.c"), ("recording", "alpha", "clear.c"), ("recording", "blits", "blit.c")))
    for name in sorted(rows):
        if name not in hooked:
            wrong.append(f"{name} has a row, and no hook")
        body = re.search(rf"hook_{name}\(.*?\n}}\n", hooks_of, flags=re.DOTALL)
        if not body or not re.search(rf"\b(?:FILLED_|CHANGE\(|CHANGE_TARGET\(){name}\b", body.group()):
            wrong.append(f"the hook of {name} does not look its row up")
    known = rows | BARRIERS | PASSES
    for path in registries():
        found = image_commands(ET.parse(path).getroot())
        assert len(found) > 40, path
        for name in sorted(found):
            places = (name in known) + (name in REASONS) + (bool(QUESTIONS.match(name)) and name not in QUESTION_REASON)
            if places != 1:
                wrong.append(f"{name} of {path} takes an image: {places} rows and reasons")
        for name in sorted(found & known):
            if name not in hooked:
                wrong.append(f"{name} of {path} is not hooked")
    for name in sorted((BARRIERS | PASSES) - hooked):
        wrong.append(f"{name} is not hooked")
    print("\n".join(wrong) or "every command that takes an image has a row or a reason")
    return bool(wrong)


sys.exit(main())

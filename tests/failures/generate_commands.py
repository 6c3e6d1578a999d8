#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes what tests/failures knows of Vulkan's commands, from the registry and the layer's list of hooks.

    generate_commands.py OUTPUT_FOLDER LAYER_FOLDER vk.xml [more.xml ...]

failures_commands.h, .c   the hooks, the results that the registry lists for each, what calls fail with, the kinds of objects
failures_hooks.c, .wrap   a function around each hook of the layer, and the linker's options that put it there
failures_below.c          every command of devices, for the layer below
failures_every.c          calls of every hooked command of command buffers that needs nothing special
Output is a function of the input alone.
"""

import os
import re
import sys
import xml.etree.ElementTree as ET

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "generate"))
from generate_vulkan import Registry, recorded_commands, write  # noqa: E402

BANNER = "/* Written by tests/failures/generate_commands.py from Vulkan's registry. */\n"
RESULTS = ["VK_ERROR_OUT_OF_HOST_MEMORY", "VK_ERROR_OUT_OF_DEVICE_MEMORY", "VK_ERROR_DEVICE_LOST"]
OUT_OF_MEMORY = RESULTS[:2]
BAD_INPUT = "VK_ERROR_VALIDATION_FAILED_EXT"  # the program's, not a driver's that the layer calls
# Defined in the file that answers look-ups by name, so that the linker cannot put anything around them.
NEGOTIATION = ("GetInstanceProcAddr", "GetDeviceProcAddr")
# Calls that cannot be repeated as they are: the loader's chain is spent, the command buffer is invalid.
ONCE = ("CreateInstance", "CreateDevice", "EndCommandBuffer")
# Recorded by other chapters: they want objects of the program's.
OF_OTHERS = re.compile(r"Cmd(Begin|End|Next|Execute(Commands)|BindPipeline$|BindDescriptorSets|BindShaders|PushDescriptor|"
                       r"BindDescriptorBuffers|SetDescriptorBuffer|BindSamplerHeap|BindResourceHeap|PushData|PushConstants)")
# The loader allocates for these, too, so that the program itself must give its callbacks (chapters.c).
OF_LOADER = ("CreateInstance", "DestroyInstance", "CreateDevice", "DestroyDevice", "CreateDebugUtilsMessengerEXT",
             "DestroyDebugUtilsMessengerEXT")
CHILDREN = {"DestroyDescriptorPool": "descriptorPool", "ResetDescriptorPool": "descriptorPool",
            "DestroyCommandPool": "commandPool"}


def handle(expression):
    return "(uint64_t)(uintptr_t)(%s)" % expression


class Call:
    """A command as the generated code needs it."""

    def __init__(self, command, element, registry, aliases):
        self.name, self.result, self.parameters = command.name, command.result, command.parameters
        self.names = [re.search(r"(\w+)(\[.*\])?$", p).group(1) for p in self.parameters]
        self.types = [re.search(r"\b(Vk\w+|\w+)\b(?=[\s*]*\w+(\[.*\])?$)", p).group(1) for p in self.parameters]
        self.level = registry.level(command)
        codes = [] if element is None else (element.get("errorcodes") or "").split(",")
        self.lists = element is not None and element.get("errorcodes") is not None
        codes = [aliases.get(c, c) for c in codes if c.startswith("VK_ERROR_") and c != "VK_ERROR_UNKNOWN"]
        self.codes = codes if self.lists else list(OUT_OF_MEMORY)
        self.successes = [] if element is None else (element.get("successcodes") or "").split(",")
        self.kind, self.count, self.outputs = None, None, None
        last = self.parameters[-1] if self.parameters else ""
        if self.result == "VkResult" and re.match("Create|Allocate", self.name):
            if self.types[-1] in registry.parents and "*" in last and "const" not in last:
                length = None if element is None else element.findall("param")[-1].get("len")
                if command.name == "CreateShadersEXT":
                    length = "createInfoCount"
                self.kind, self.outputs = self.types[-1], self.names[-1]
                self.count = length.replace("::", "->") if length else None
            elif self.types[-1] == "VkPipelineBinaryHandlesInfoKHR":
                self.kind, self.outputs = "VkPipelineBinaryKHR", self.names[-1] + "->pPipelineBinaries"
                self.count = "(%s ? %s->pipelineBinaryCount : 0)" % (self.outputs, self.names[-1])
        self.allocator = "pAllocator" if "pAllocator" in self.names else None
        self.destroyed = None
        if re.match("Destroy|Free", self.name) and self.allocator and self.types[-2] in registry.parents:
            self.kind, self.destroyed = self.types[-2], self.names[-2]

    def mask(self, results):
        return sum(1 << i for i, code in enumerate(results) if code in self.codes)

    def declare(self, name):
        return "VKAPI_ATTR %s VKAPI_CALL %s(%s)" % (self.result, name, ", ".join(self.parameters))

    def call(self, name, allocator=None):
        return "%s(%s)" % (name, ", ".join(allocator if allocator and n == "pAllocator" else n for n in self.names))


def hooked_names(folder, registry):
    """The names of hooks, each once. What draws or sets dynamic state stands in lists of the registry's."""
    text = ""
    for path in ("entry/chain/entry_points.h", "entry/chain/alpha_entry_points.h"):
        with open(os.path.join(folder, *path.split("/")), encoding="utf-8") as file:
            text += re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    listed = {name for names in recorded_commands(registry).values() for name, _ in names}
    return sorted(listed | set(re.findall(r"\b[A-Z_]+_HOOK\((\w+)\)", text)))


def write_commands(folder, hooks, calls, kinds, results):
    header = [BANNER, "#ifndef CLAMPLER_FAILURES_COMMANDS_H\n#define CLAMPLER_FAILURES_COMMANDS_H\n"]
    header.append("enum failures_hook {")
    header += ["    HOOK_%s," % h for h in hooks] + ["    HOOK_COUNT\n};\n", "enum failures_kind {"]
    header += ["    KIND_%s," % k for k in kinds] + ["    KIND_COUNT\n};\n"]
    header.append("enum { FAILURES_CALL_RESULTS = %u };\n\n#endif" % len(results))
    write(folder, "failures_commands.h", "\n".join(header) + "\n")
    source = [BANNER, '#include "failures/control.h"\n#include "vulkan_dispatch.h"\n',
              "const struct failures_hook_facts failures_hooks[HOOK_COUNT] = {"]
    for hook in hooks:
        call = calls[hook]
        text = ", ".join((call.codes if call.lists else []) + ["0"])
        source.append('    {"vk%s", %s, %s, {%s}},' %
                      (hook, "true" if call.result == "VkResult" else "false", "true" if hook in ONCE else "false", text))
    source += ["};\n", "const int32_t failures_call_results[FAILURES_CALL_RESULTS] = {%s};\n" % ", ".join(results),
               "const struct failures_kind_facts failures_kinds[KIND_COUNT] = {"]
    destroyers = {}
    for call in calls.values():
        if call.destroyed and call.name not in destroyers.values():
            destroyers.setdefault(call.kind, call.name)
    for kind in kinds:
        source.append('    {"%s", %s},' % (kind, '"vk%s"' % destroyers[kind] if kind in destroyers else "NULL"))
    source.append("};")
    write(folder, "failures_commands.c", "\n".join(source) + "\n")


def hook_source(call):
    real, wrap = "__real_hook_" + call.name, "__wrap_hook_" + call.name
    out = [call.declare(real) + ";", call.declare(wrap) + ";", call.declare(wrap) + "\n{"]
    first = call.names[0] if call.names and call.level == "device" else None
    given = "given" if call.allocator and (call.kind or call.destroyed) else None
    if call.name in OF_LOADER:
        given = "pAllocator"
        if call.destroyed:
            out.append("    failures_program_gone(KIND_%s, %s, pAllocator);" % (call.kind, handle(call.destroyed)))
    elif call.destroyed:
        out.append("    const VkAllocationCallbacks *given = failures_program_gone(KIND_%s, %s, pAllocator);" %
                   (call.kind, handle(call.destroyed)))
    elif given:
        out.append("    const VkAllocationCallbacks *given = failures_callbacks(pAllocator);")
    if call.result != "VkResult":
        out.append("    failures_enter(HOOK_%s);" % call.name)
        out.append("    %s%s;" % ("" if call.result == "void" else call.result + " result = ", call.call(real, given)))
        out.append("    failures_leave(HOOK_%s, VK_SUCCESS);" % call.name)
        if call.destroyed and call.allocator:
            out.append("    failures_program_is_gone(%s);" % given)
        if call.result != "void":
            out.append("    return result;")
        return "\n".join(out + ["}", ""])
    out.append("    VkResult result;\n    bool again;\n    do {")
    if call.count:
        out.append("        failures_spoil(%s, %s);" % (call.outputs, call.count + " * sizeof(*%s)" % call.outputs))
    out.append("        failures_enter(HOOK_%s);" % call.name)
    out.append("        result = %s;" % call.call(real, given))
    if call.count:
        out.append("        if (result < 0)\n            failures_check_outputs(HOOK_%s, KIND_%s, %s, %s, sizeof(*%s));" %
                   (call.name, call.kind, call.count, call.outputs, call.outputs))
    out.append("        again = failures_leave(HOOK_%s, result);" % call.name)
    if call.count and not call.name.startswith("Allocate"):
        destroy = {"VkShaderEXT": "DestroyShaderEXT", "VkPipelineBinaryKHR": "DestroyPipelineBinaryKHR",
                   "VkSwapchainKHR": "DestroySwapchainKHR"}
        destroy = destroy.get(call.kind, "DestroyPipeline")
        out.append("        for (uint32_t i = 0; again && i < %s; i++)\n            __wrap_hook_%s(device, %s[i], %s);" %
                   (call.count, destroy, call.outputs, given or "NULL"))
    out.append("    } while (again);")
    if call.kind and not call.destroyed:
        owner = handle(call.names[0]) if call.names and call.level else "0"
        if call.count:
            out.append("    for (uint32_t i = 0; i < %s; i++)\n"
                       "        if (%s[i] && (result >= 0 || failures_object_lives(KIND_%s, %s)))\n"
                       "            failures_program_made(KIND_%s, %s, %s, %s);" %
                       (call.count, call.outputs, call.kind, handle(call.outputs + "[i]"), call.kind,
                        handle(call.outputs + "[i]"), owner, given or "NULL"))
        else:
            out.append("    if (result >= 0)\n        failures_program_made(KIND_%s, %s, %s, %s);" %
                       (call.kind, handle("*" + call.outputs), owner, given or "NULL"))
    return "\n".join(out + ["    return result;", "}", ""])


def below_source(call, results):
    out = ["static " + call.declare("below_" + call.name) + "\n{",
           "    struct device_dispatch *next = next_of(%s);" % call.names[0]]
    target = "next->" + call.name
    allocator = call.allocator or "NULL"
    if call.result == "VkResult" and call.mask(results):
        out.append('    VkResult result;\n    if (failures_call("vk%s", %u, &result)) {' % (call.name, call.mask(results)))
        if call.kind and call.count:
            out.append("        memset(%s, 0, %s * sizeof(*%s));" % (call.outputs, call.count, call.outputs))
        elif call.kind:
            out.append("        failures_spoil(%s, sizeof(*%s));" % (call.outputs, call.outputs))
        out.append("        return result;\n    }")
        if call.kind and call.count:
            out.append("    if (!%s) {\n        for (uint32_t i = 0; i < %s; i++)\n            fake_handle(&%s[i], sizeof(%s[i]));"
                       "\n        result = VK_SUCCESS;\n    } else {" % (target, call.count, call.outputs, call.outputs))
        elif call.kind:
            out.append("    if (!%s) {\n        fake_handle(%s, sizeof(*%s));\n        result = VK_SUCCESS;\n    } else {" %
                       (target, call.outputs, call.outputs))
        else:
            nothing = "VK_SUCCESS"
            if call.name == "GetSwapchainImagesKHR":
                nothing = "fake_images(pSwapchainImageCount, pSwapchainImages)"
            out.append("    if (!%s)\n        return %s;\n    {" % (target, nothing))
        out.append("        failures_driver(1);\n        result = %s;\n        failures_driver(-1);\n    }" % call.call(target))
        if call.kind:
            parent = "0"
            if call.name == "AllocateDescriptorSets":
                parent = handle("pAllocateInfo->descriptorPool")
            elif call.name == "AllocateCommandBuffers":
                parent = handle("pAllocateInfo->commandPool")
            device = "(const void *)" + call.names[0]
            if call.count:
                test = "result >= 0" if call.name.startswith("Allocate") else "%s[i]" % call.outputs
                out.append("    for (uint32_t i = 0; i < %s; i++)\n        if (%s)\n"
                           "            failures_object_made(KIND_%s, %s, %s, %s, %s);" %
                           (call.count, test, call.kind, handle(call.outputs + "[i]"), parent, device, allocator))
            else:
                out.append("    if (result >= 0)\n        failures_object_made(KIND_%s, %s, %s, %s, %s);" %
                           (call.kind, handle("*" + call.outputs), parent, device, allocator))
        if call.name == "ResetDescriptorPool":
            out.append("    failures_children_gone(%s);" % handle("descriptorPool"))
        if call.name == "FreeDescriptorSets":
            out.append("    for (uint32_t i = 0; i < descriptorSetCount; i++)\n"
                       "        failures_object_gone(KIND_VkDescriptorSet, %s, NULL);" % handle("pDescriptorSets[i]"))
        return "\n".join(out + ["    return result;", "}", ""])
    if call.destroyed:
        if call.name in CHILDREN:
            out.append("    failures_children_gone(%s);" % handle(CHILDREN[call.name]))
        out.append("    const VkAllocationCallbacks *given = failures_unhooked(KIND_%s, %s, %s);" %
                   (call.kind, handle(call.destroyed), allocator))
        out.append("    failures_object_gone(KIND_%s, %s, given);" % (call.kind, handle(call.destroyed)))
        out.append("    failures_driver(1);\n    if (%s && !is_fake(%s))\n        %s;\n    failures_driver(-1);" %
                   (target, handle(call.destroyed), call.call(target, "given")))
        return "\n".join(out + ["}", ""])
    if call.name == "FreeCommandBuffers":
        out.append("    for (uint32_t i = 0; i < commandBufferCount; i++)\n"
                   "        failures_object_gone(KIND_VkCommandBuffer, %s, NULL);" % handle("pCommandBuffers[i]"))
    if call.result == "void":
        muted = "failures_is_muted() || " if call.name.startswith("Cmd") else ""
        out.append("    if (%s!%s)\n        return;\n    %s;" % (muted, target, call.call(target)))
    else:
        nothing = "VK_SUCCESS" if call.result == "VkResult" else "0"
        out.append("    return %s ? %s : (%s)%s;" % (target, call.call(target), call.result, nothing))
    return "\n".join(out + ["}", ""])


def every_source(hooks, calls, registry):
    out = [BANNER, '#include "failures/every.h"\n\n#include "vulkan_dispatch.h"\n',
           "/* Structures with nothing in them, and arrays of zeros. */",
           "static const union {\n    VkBaseInStructure head;\n    uint64_t words[512];\n} none;\n",
           "void every_command(VkDevice device, VkCommandBuffer commandBuffer, const struct every *with)\n{"]
    for name in hooks:
        call = calls[name]
        if not name.startswith("Cmd") or OF_OTHERS.match(name):
            continue
        arguments, chained = [], []
        for text, parameter, kind in list(zip(call.parameters, call.names, call.types)):
            structure = registry.structures.get(registry.resolve(kind))
            if kind == "VkCommandBuffer":
                arguments.append("commandBuffer")
            elif "*" in text or "[" in text:
                if structure is not None and structure.stype and "const" in text:
                    chained.append("        %s %s = {.sType = %s};" % (kind, parameter, structure.stype))
                    fields = {m.name: m.type for m in structure.members if not m.pointers and not m.array}
                    for field, type_ in fields.items():
                        if type_ in ("VkImage", "VkBuffer"):
                            chained.append("        %s.%s = with->%s;" % (parameter, field, type_[2:].lower()))
                    arguments.append("&" + parameter)
                elif kind in ("VkImage", "VkBuffer"):
                    arguments.append("&with->%s" % kind[2:].lower())
                else:
                    arguments.append("(void *)(uintptr_t)&none")
            elif kind in ("VkImage", "VkBuffer", "VkPipeline", "VkPipelineLayout"):
                arguments.append("with->%s" % kind[2:].lower())
            elif parameter.endswith("Count") or kind == "VkSampleCountFlagBits":
                arguments.append("(%s)1" % kind)
            else:
                arguments.append("(%s)0" % kind)
        out.append("    {\n        const PFN_vk%s call = (PFN_vk%s)vkGetDeviceProcAddr(device, \"vk%s\");" %
                   (name, name, name))
        out += chained + ["        if (call)\n            call(%s);\n    }" % ", ".join(arguments)]
    return "\n".join(out + ["}", ""])


def main():
    if len(sys.argv) < 4:
        raise SystemExit(__doc__)
    folder, layer = sys.argv[1:3]
    registry = Registry(sys.argv[3:])
    elements, aliases = {}, {"VK_ERROR_VALIDATION_FAILED": BAD_INPUT}
    for path in sys.argv[3:]:
        root = ET.parse(path).getroot()
        for element in root.iter("enum"):
            if element.get("name") != BAD_INPUT and element.get("alias", "").startswith("VK_ERROR_"):
                aliases.setdefault(element.get("name"), element.get("alias"))
        for element in root.iterfind("commands/command"):
            name = element.get("name") or element.findtext("proto/name")
            if "vulkan" in (element.get("api") or "vulkan").split(","):
                elements.setdefault(name[2:], element)

    def element_of(name):
        element = elements.get(name)
        while element is not None and element.get("alias"):
            element = elements.get(element.get("alias")[2:])
        return element

    calls = {name: Call(c, element_of(name), registry, aliases) for name, c in sorted(registry.commands.items())}
    hooks = hooked_names(layer, registry)
    canonical = {registry.commands[h].canonical for h in hooks}
    kinds = sorted(k for k in registry.parents)
    below = [c for c in calls.values() if c.level == "device" and c.name not in ("GetDeviceProcAddr", "DestroyDevice")]
    more = {code for call in below if call.result == "VkResult" for code in call.codes}
    results = RESULTS + sorted(more - {*RESULTS, BAD_INPUT})
    assert len(results) <= 32  # bits of a mask
    write_commands(folder, hooks, calls, kinds, results)

    around = [h for h in hooks if h not in NEGOTIATION]
    out = [BANNER, '#include "failures/control.h"\n#include "vulkan_dispatch.h"\n']
    out += [calls[h].declare("__wrap_hook_" + h) + ";" for h in around if h.startswith("Destroy")] + [""]
    out += [hook_source(calls[h]) for h in around]
    write(folder, "failures_hooks.c", "\n".join(out))
    write(folder, "failures_hooks.wrap", "".join("--wrap=hook_%s\n" % h for h in around))

    write(folder, "failures_every.c", every_source(hooks, calls, registry))
    out = [BANNER, '#include "failures/below.h"\n\n#include <stddef.h>\n#include <string.h>\n']
    out += [below_source(c, results) for c in below]
    out.append("const struct below_command below_commands[] = {")
    for call in below:
        hooked = registry.commands[call.name].canonical in canonical
        out.append('    {"vk%s", offsetof(struct device_dispatch, %s), (PFN_vkVoidFunction)below_%s, %s},' %
                   (call.name, call.name, call.name, "true" if hooked else "false"))
    out.append("};\nconst size_t below_command_count = sizeof(below_commands) / sizeof(*below_commands);\n")
    write(folder, "failures_below.c", "\n".join(out))


if __name__ == "__main__":
    main()

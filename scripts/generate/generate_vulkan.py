#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""generate_vulkan.py FOLDER REGISTRY...: writes the C that depends on Vulkan's registry.

  FOLDER             gets dispatch tables, sizes of chained structures, copy tables, formats, and commands of extensions
                     that the layer enables for itself
  REGISTRY           vk.xml; later ones only add what the earlier ones lack

Later registries only add what the earlier ones lack, so that the layer knows what it needs to know under headers that
are older than it. Of a registry that names a header (newer_vulkan.xml) that header declares what the first registry lacks.
Output is a function of the input alone. What vulkan_core.h does not declare, as commands and structures of platforms and
what stands behind VK_ENABLE_BETA_EXTENSIONS, is left out: the layer needs none of it, and it passes by its names.
tests/unit/registries_test.py compares the two.
"""

import os
import re
import sys
import xml.etree.ElementTree as ET

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "internal"))
import help_text  # noqa: E402

# The structures that copy_<name>() is made for. What they point to, and what their chains may hold, follows by itself.
COPY_ROOTS = [
    "VkGraphicsPipelineCreateInfo",
    "VkComputePipelineCreateInfo",
    "VkRayTracingPipelineCreateInfoKHR",
    "VkPipelineLayoutCreateInfo",
    "VkDescriptorSetLayoutCreateInfo",
    "VkRenderPassCreateInfo",
    "VkRenderPassCreateInfo2",
    "VkSamplerCreateInfo",
    "VkImageViewCreateInfo",
    "VkSwapchainCreateInfoKHR",
    "VkShaderModuleCreateInfo",
    "VkDescriptorUpdateTemplateCreateInfo",
]

# Pointers that Vulkan ignores unless another member of the same structure has one of these values (first, last).
ONLY_IF = {
    ("VkDescriptorSetLayoutBinding", "pImmutableSamplers"): (
        "descriptorType", "VK_DESCRIPTOR_TYPE_SAMPLER", "VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER"),
    ("VkSwapchainCreateInfoKHR", "pQueueFamilyIndices"): (
        "imageSharingMode", "VK_SHARING_MODE_CONCURRENT", "VK_SHARING_MODE_CONCURRENT"),
}

# Extensions that the layer may enable for itself (layer/entry/device_plan): each at most once a device. The commands that come
# with them stay unknown to programs that have not enabled them.
WANTED_EXTENSIONS = [
    "VK_EXT_private_data",
    "VK_KHR_sampler_mirror_clamp_to_edge",
    "VK_EXT_custom_border_color",
    "VK_EXT_border_color_swizzle",
    "VK_EXT_non_seamless_cube_map",
    "VK_EXT_sampler_filter_minmax",
    "VK_KHR_image_format_list",
    "VK_EXT_extended_dynamic_state3",
    "VK_KHR_buffer_device_address",
    "VK_EXT_shader_subgroup_vote",
]

# Extensions that have all commands of one of those, where registries are older than they are.
SAME_COMMANDS = {"VK_EXT_extended_dynamic_state3": ["VK_EXT_shader_object"]}

# Commands that draw, dispatch or trace rays, by the bind point that they use. Graphs have others, and no shader that samples.
DRAWS = {
    "GRAPHICS_DRAWS": r"CmdDraw\w*",
    "COMPUTE_DRAWS": r"CmdDispatch(?!DataGraph|Graph)\w*",
    "SUBPASS_SHADING_DRAWS": r"CmdSubpassShading\w*",
    "RAY_TRACING_DRAWS": r"CmdTraceRays\w*",
}

# Commands that are named like a dynamic state, by their parameters behind the command buffer: first, count and values, or one
# value. The layer puts the state back behind a draw of its own. Colour attachments have theirs in layer/recording/alpha/blend.c;
# no pipeline of graphics has the other one.
STATES = {
    "INDEXED_STATES": r"uint32_t first\w+, uint32_t \w+Count, const (\w+)\* \w+",
    "SCALAR_STATES": r"(\w+) \w+",
}
OTHER_STATES = r"CmdSet(Color\w+|RayTracingPipelineStackSizeKHR)"

# Structures of the loader, known by vk_layer.h alone.
LOADER_STRUCTURES = [
    ("VkLayerInstanceCreateInfo", "VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO"),
    ("VkLayerDeviceCreateInfo", "VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO"),
]

BANNER = "/* Written by scripts/generate/generate_vulkan.py from Vulkan's registry. */\n"


def for_vulkan(element, attribute):
    names = element.get(attribute)
    return names is None or bool({"vulkan", "vulkanbase"} & set(names.split(",")))


def is_declared(element, attribute):
    """Is what a registry names here declared by vulkan_core.h without a macro of a platform's or of beta extensions?"""
    return for_vulkan(element, attribute) and not element.get("protect") and not element.get("platform")


def name_of(element):
    """Of a type or command."""
    return element.get("name") or element.findtext("name") or element.findtext("proto/name")


def declaration(element):
    """The C text of a member or parameter, without its comment."""
    parts = [element.text or ""]
    for child in element:
        if child.tag != "comment":
            parts.append("".join(child.itertext()))
        parts.append(child.tail or "")
    return re.sub(r"\s+", " ", "".join(parts)).strip()


class Member:
    """A member of a structure or union."""

    def __init__(self, element):
        self.name = element.find("name").text
        self.type = element.find("type").text
        self.text = declaration(element)
        self.len = element.get("altlen") or element.get("len")
        self.value = (element.get("values") or "").split(",")[0]
        self.selector = element.get("selector")
        self.selection = (element.get("selection") or "").split(",")
        before = self.text[:self.text.rindex(self.name)]
        self.pointers = before.count("*")
        self.array = self.text[len(before) + len(self.name):].strip().startswith("[")


class Structure:
    def __init__(self, element):
        self.name = element.get("name")
        self.union = element.get("category") == "union"
        self.extends = [name for name in (element.get("structextends") or "").split(",") if name]
        self.members = [Member(m) for m in element.findall("member") if for_vulkan(m, "api")]
        first = self.members[0] if self.members else None
        self.stype = first.value if first is not None and first.name == "sType" else ""

    def member(self, name):
        return next((m for m in self.members if m.name == name), None)


class Command:
    def __init__(self, name, result, parameters, first_type, alias):
        self.name = name  # without "vk"
        self.result = result
        self.parameters = parameters
        self.first_type = first_type
        self.canonical = alias or name


class Newer:
    """What a registry has and the headers lack, which declare `names` (types and commands) and `enumerants`."""

    def __init__(self, root, names, enumerants):
        self.types = {name_of(t): t for t in root.iterfind("types/type") if name_of(t) not in names}
        self.values = {e.get("name"): e.findall("enum") for e in root.iterfind("enums")}
        self.commands = [c for c in root.iterfind("commands/command") if name_of(c) not in names]
        self.enumerants = [(extension, e) for extension in root.iterfind("extensions/extension")
                           for e in extension.iterfind("require/enum") if e.get("name") not in enumerants]
        self.done = set()

    @staticmethod
    def value(extension, element):
        """Of an enumerant or constant, in C."""
        kind = element.get("extends")
        if element.get("value"):
            return element.get("value")
        if element.get("bitpos"):
            bit = 1 << int(element.get("bitpos"))
            # Bits of flags with a number ("FlagBits2") are no enumeration, because they have 64 bits.
            return "UINT64_C(0x%x)" % bit if kind and re.search(r"FlagBits\d", kind) else "0x%08x" % bit
        number = 1000000000 + (int(extension.get("number")) - 1) * 1000 + int(element.get("offset"))
        return "%s%d" % (element.get("dir", ""), number)

    def type_lines(self, name):
        """The declaration of a type, behind those of what it is made of."""
        element = self.types.get(name)
        if element is None or name in self.done:
            return []
        self.done.add(name)
        category, alias, members = element.get("category"), element.get("alias"), element.findall("member")
        lines = [line for e in element.iter("type") if e.text for line in self.type_lines(e.text)]
        if alias:
            return self.type_lines(alias) + ["typedef %s %s;" % (alias, name)]
        if category == "enum":
            values = ["    %s = %s," % (e.get("name"), self.value(None, e)) for e in self.values[name]]
            return ["typedef enum %s {" % name] + values + ["} %s;" % name]
        if category not in ("struct", "union"):
            return lines + ["".join(element.itertext())]
        if not members:
            return ["typedef %s %s %s;" % (category, name, name)]
        return (lines + ["typedef %s %s {" % (category, name)] + ["    %s;" % declaration(m) for m in members] +
                ["} %s;" % name])

    def lines(self):
        out = []
        for extension, e in self.enumerants:
            kind = e.get("extends")
            value = self.value(extension, e)
            cast = kind and not value.startswith("UINT64_C")
            out.append("#define %s %s" % (e.get("name"), "((%s)%s)" % (kind, value) if cast else value))
        for name in self.types:
            out += self.type_lines(name)
        for command in sorted(self.commands, key=lambda c: c.get("alias") is not None):
            if command.get("alias"):
                out.append("typedef PFN_%s PFN_%s;" % (command.get("alias"), command.get("name")))
                continue
            result = declaration(command.find("proto")).rsplit(" ", 1)[0]
            parameters = ", ".join(declaration(p) for p in command.findall("param"))
            out.append("typedef %s(VKAPI_PTR *PFN_%s)(%s);" % (result, name_of(command), parameters))
        return out


class Registry:
    """What all registries together say, as far as it is enabled for Vulkan without platforms."""

    def __init__(self, paths):
        self.commands = {}
        self.structures = {}
        self.aliases = {}
        self.parents = {}
        self.hidden = set()  # enumerants that the headers do not declare
        self.formats = {}  # by number
        self.providers = {}  # by name of a command: the device extensions that have it
        self.opaque = set()  # structures without members
        self.newer = {}  # C declarations of what the headers lack, by the name of the header that has them
        self.states = set()  # dynamic ones, as enumerants without their underscores
        self.booleans = {}  # by name: all names, the number of a structure's type, and how many booleans it has
        for index, path in enumerate(paths):
            root = ET.parse(path).getroot()
            if not index:
                declared = self.enabled_names(root)[:2]
            self.read(root)
            self.read_providers(root)
            if root.get("header"):
                self.newer[root.get("header")] = Newer(root, *declared)
            for element in root.iterfind("booleans/structure"):
                names = [element.get("name")] + (element.get("aliases") or "").split(",")
                self.booleans[element.get("name")] = (names, int(element.get("sType")), int(element.get("booleans")))
            numbers = format_numbers(root)
            for element in root.iterfind("formats/format"):
                if element.get("name") in numbers:
                    self.formats.setdefault(numbers[element.get("name")], element)
        self.structures = {self.resolve(n): s for n, s in self.structures.items()}

    def read(self, root):
        enabled, _, hidden = self.enabled_names(root)
        self.hidden |= hidden
        self.states |= {e.get("name").replace("_", "") for e in root.iter("enum")
                        if re.match("VK_DYNAMIC_STATE_", e.get("name") or "")}
        types = [t for t in root.iterfind("types/type") if for_vulkan(t, "api")]
        known = set(self.structures) | set(self.aliases)
        for element in types:
            name = name_of(element)
            category = element.get("category")
            if category == "handle":
                self.parents.setdefault(name, element.get("alias") or element.get("parent"))
            if category not in ("struct", "union") or name in known:
                continue
            if element.get("alias"):
                self.aliases[name] = element.get("alias")
            elif name in enabled and element.find("member") is None:
                self.opaque.add(name)
            elif name in enabled:
                structure = self.structures[name] = Structure(element)
                # A structure may be declared while its number is not: then nobody's chain holds it.
                if structure.stype in hidden:
                    structure.stype = ""
        elements = {}
        for element in root.iterfind("commands/command"):
            if for_vulkan(element, "api"):
                elements.setdefault(name_of(element), element)
        for name in sorted(elements):
            command = self.command(name, elements) if name in enabled and name[2:] not in self.commands else None
            if command:
                self.commands[name[2:]] = command

    def read_providers(self, root):
        for extension in root.iterfind("extensions/extension"):
            if for_vulkan(extension, "supported") and extension.get("type") == "device":
                for command in extension.iterfind("require/command"):
                    self.providers.setdefault(command.get("name"), {})[extension.get("name")] = None

    def command(self, name, elements):
        element, alias = elements[name], None
        while element.get("alias"):
            alias = element.get("alias")
            if alias not in elements:  # an alias of a command that an earlier registry describes, or that none does
                old = self.commands.get(alias[2:])
                return old and Command(name[2:], old.result, old.parameters, old.first_type, old.canonical)
            element = elements[alias]
        parameters = [p for p in element.findall("param") if for_vulkan(p, "api")]
        result = declaration(element.find("proto")).rsplit(" ", 1)[0]
        first_type = parameters[0].find("type").text if "*" not in declaration(parameters[0]) else None
        return Command(name[2:], result, [declaration(p) for p in parameters], first_type, alias and alias[2:])

    @staticmethod
    def enabled_names(root):
        """Types and commands that are declared; enumerants that are; and those that are not, though the registry has them."""
        enumerants = {e.get("name") for e in root.iterfind(".//enum")}
        if root.get("header"):
            elements = [*root.iterfind("types/type"), *root.iterfind("commands/command")]
            return {name_of(e) for e in elements}, enumerants, set()
        shown = {e.get("name") for e in root.iterfind("enums/enum") if is_declared(e, "api")}
        names = set()
        for block in [*root.iterfind("feature"), *root.iterfind("extensions/extension")]:
            if not is_declared(block, "api" if block.tag == "feature" else "supported"):
                continue
            for require in block.findall("require"):
                if is_declared(require, "api"):
                    here = [e for e in require if is_declared(e, "api")]
                    names.update(e.get("name") for e in here if e.tag in ("type", "command"))
                    shown.update(e.get("name") for e in here if e.tag == "enum")
        return names, shown, enumerants - shown

    def resolve(self, name):
        while name in self.aliases:
            name = self.aliases[name]
        return name

    def level(self, command):
        """Which dispatch table a command belongs to: "instance", "device", or None for global commands."""
        handle = command.first_type
        if handle not in self.parents:
            return None
        while handle not in (None, "VkDevice", "VkInstance"):
            handle = (self.parents.get(handle) or "").split(",")[0] or None
        return {"VkDevice": "device", "VkInstance": "instance"}.get(handle)


# ---- What the headers lack ----


def newer_header(name, newer):
    guard = "CLAMPLER_" + name.upper().replace(".", "_")
    out = [BANNER, "/* What vulkan_core.h lacks of what the layer uses. */\n#ifndef %s\n#define %s\n" % (guard, guard)]
    out.append("#include <vulkan/vulkan_core.h>\n")
    return "\n".join(out + newer.lines() + ["", "#endif"]) + "\n"


# ---- Dispatch ----


def dispatch_header(registry, groups):
    out = [BANNER]
    out.append("#ifndef CLAMPLER_VULKAN_DISPATCH_H\n#define CLAMPLER_VULKAN_DISPATCH_H\n")
    out.append('#include <vulkan/vulkan.h>\n\n#include "newer_vulkan.h"\n')
    out.append(
        "/*\n * One member a command, named without \"vk\". Commands that have several names (promoted extensions) share\n"
        " * what the next layer answers to any of them: the member's own name first, then the canonical one. NULL where\n"
        " * it answers to none.\n */")
    for level in ("instance", "device"):
        out.append("struct %s_dispatch {" % level)
        for command in registry.commands.values():
            if registry.level(command) == level:
                out.append("    PFN_vk%s %s;" % (command.name, command.name))
        out.append("};\n")
    out.append("/* Fill every member of the table. Thread-safe for different tables. */")
    out.append("void instance_dispatch_load(struct instance_dispatch *dispatch, VkInstance instance,\n"
               "                            PFN_vkGetInstanceProcAddr get_proc_addr);")
    out.append("void device_dispatch_load(struct device_dispatch *dispatch, VkDevice device,\n"
               "                          PFN_vkGetDeviceProcAddr get_proc_addr);\n")
    out.append("/* What the layer may put in place of each command. Only those in entry_points.h are defined. */")
    for command in registry.commands.values():
        out.append("VKAPI_ATTR %s VKAPI_CALL hook_%s(%s);" %
                   (command.result, command.name, ", ".join(command.parameters) or "void"))
    out.append("\n#endif")
    return "\n".join(out) + "\n"


def recorded_commands(registry):
    """By name of a list: commands that are recorded, each by its first name, as (name, type of its values or None)."""
    lists = {name: [] for name in [*DRAWS, *STATES]}
    for command in registry.commands.values():
        if command.name != command.canonical:
            continue
        for name, pattern in DRAWS.items():
            if re.fullmatch(pattern, command.name):
                lists[name].append((command.name, None))
        state = "VK_DYNAMIC_STATE_" + command.name[len("CmdSet"):]
        if state.upper().replace("_", "") not in registry.states or re.fullmatch(OTHER_STATES, command.name):
            continue
        for name, pattern in STATES.items():
            found = re.fullmatch(pattern, ", ".join(command.parameters[1:]))
            structure = found and registry.structures.get(found.group(1))
            if found and not (structure and any(m.pointers for m in structure.members)):
                lists[name].append((command.name, found.group(1)))
    return lists


def commands_header(registry, groups):
    """What macros need of commands of devices."""
    out = [BANNER]
    out.append("#ifndef CLAMPLER_VULKAN_COMMANDS_H\n#define CLAMPLER_VULKAN_COMMANDS_H\n")
    out.append("/*\n * ALIASES_<name>(ALIAS): ALIAS(alias, name) for each other name of the command.\n"
               " * PARAMETERS_<name>, ARGUMENTS_<name>: of a command that is recorded, as it is declared and as it is called.\n */")
    for command in registry.commands.values():
        if registry.level(command) != "device":
            continue
        aliases = [n for n in groups[command.canonical] if n != command.name]
        out.append("#define ALIASES_%s(ALIAS)%s" % (command.name, "".join(" ALIAS(%s, %s)" % (n, command.name) for n in aliases)))
        if command.name.startswith("Cmd"):
            names = [re.search(r"(\w+)(\[\w+\])?$", p).group(1) for p in command.parameters]
            out.append("#define PARAMETERS_%s %s" % (command.name, ", ".join(command.parameters)))
            out.append("#define ARGUMENTS_%s %s" % (command.name, ", ".join(names)))
    out.append("\n/*\n * Commands that use a pipeline, by bind point: DRAW(name). Commands that set dynamic state: STATE(name without CmdSet,\n"
               " * type) where they take one value, or values from an index on; STATE_COMMANDS has both.\n */")
    lists = recorded_commands(registry)
    for name in DRAWS:
        out.append("#define %s(DRAW) %s" % (name, " ".join("DRAW(%s)" % c for c, _ in lists[name])))
    for name in STATES:
        out.append("#define %s(STATE) %s" % (name, " ".join("STATE(%s, %s)" % (c[len("CmdSet"):], t) for c, t in lists[name])))
    out.append("#define STATE_COMMANDS(COMMAND) %s" % " ".join("COMMAND(%s)" % c for n in STATES for c, _ in lists[n]))
    out.append("\n#endif")
    return "\n".join(out) + "\n"


def dispatch_source(registry, groups):
    out = [BANNER, '#include "vulkan_dispatch.h"\n']
    for level, handle in (("instance", "VkInstance"), ("device", "VkDevice")):
        kind = level.capitalize()
        out.append("/* `names` is a list of names, each with its end, ended by an empty one. */")
        # Not inline: compilers take half a minute for its loop in hundreds of places.
        out.append("static __attribute__((noinline)) PFN_vkVoidFunction\n"
                   "find_%s(%s %s, PFN_vkGet%sProcAddr get_proc_addr, const char *names)\n{"
                   % (level, handle, level, kind))
        out.append("    while (*names) {\n"
                   "        PFN_vkVoidFunction found = get_proc_addr(%s, names);\n"
                   "        if (found)\n            return found;\n"
                   "        while (*names++)\n            ;\n    }\n    return NULL;\n}\n" % level)
        out.append("void %s_dispatch_load(struct %s_dispatch *dispatch, %s %s,\n    PFN_vkGet%sProcAddr get_proc_addr)\n{"
                   % (level, level, handle, level, kind))
        for command in registry.commands.values():
            if registry.level(command) != level:
                continue
            names = [command.name]
            names += [n for n in [command.canonical] + groups[command.canonical] if n in registry.commands]
            names = list(dict.fromkeys(names))
            out.append("    dispatch->%s = (PFN_vk%s)find_%s(%s, get_proc_addr,\n        %s);" %
                       (command.name, command.name, level, level, " ".join('"vk%s\\0"' % n for n in names)))
        out.append("}\n")
    return "\n".join(out)


# ---- Extensions that the layer enables for itself ----


def wanted_enumerator(extension):
    return "WANTED_" + re.sub(r"(?<=[a-z])(\d+)$", r"_\1", extension[len("VK_"):]).upper()


def wanted_commands(registry):
    """By name of a command: the extensions of WANTED_EXTENSIONS that have it, and all others that do."""
    commands = {}
    for command, providers in sorted(registry.providers.items()):
        wanted = [e for e in WANTED_EXTENSIONS if e in providers]
        others = [e for e in providers if e not in wanted]
        for extension in wanted:
            others += [e for e in SAME_COMMANDS.get(extension, []) if e not in others]
        if wanted:
            commands[command] = (wanted, others)
    return commands


def wanted_others(commands):
    return list(dict.fromkeys(e for _, others in commands.values() for e in others))


def wanted_header(commands):
    out = [BANNER]
    out.append("#ifndef CLAMPLER_VULKAN_WANTED_H\n#define CLAMPLER_VULKAN_WANTED_H\n")
    out.append("#include <stdint.h>\n")
    out.append("/* The extensions that the layer may enable for itself, each at most once a device. */")
    out.append("enum wanted_extension {")
    out += ["    %s," % wanted_enumerator(e) for e in WANTED_EXTENSIONS]
    out.append("    WANTED_EXTENSIONS\n};\nextern const char *const wanted_extensions[WANTED_EXTENSIONS];\n")
    out.append("/* Other extensions that have commands of theirs. */")
    out.append("enum { WANTED_OTHERS = %d };\nextern const char *const wanted_others[WANTED_OTHERS];\n"
               % len(wanted_others(commands)))
    out.append("/* A command of theirs, and who has it: a bit for each extension of either list. */")
    out.append("struct wanted_command {\n    const char *name;\n    uint32_t wanted, others;\n};")
    out.append("enum { WANTED_COMMANDS = %d };\n"
               "extern const struct wanted_command wanted_commands[WANTED_COMMANDS]; /* in the order of strcmp */\n"
               % len(commands))
    out.append("#endif")
    return "\n".join(out) + "\n"


def wanted_source(commands):
    others = wanted_others(commands)
    out = [BANNER, '#include "vulkan_wanted.h"\n']
    out.append("const char *const wanted_extensions[WANTED_EXTENSIONS] = {")
    out += ['    [%s] = "%s",' % (wanted_enumerator(e), e) for e in WANTED_EXTENSIONS]
    out.append("};\n\nconst char *const wanted_others[WANTED_OTHERS] = {")
    out += ['    "%s",' % e for e in others]
    out.append("};\n\nconst struct wanted_command wanted_commands[WANTED_COMMANDS] = {")
    for name, (wanted, beside) in sorted(commands.items()):
        bits = " | ".join("1u << " + wanted_enumerator(e) for e in wanted)
        out.append('    {"%s", %s, 0x%xu},' % (name, bits, sum(1 << others.index(e) for e in beside)))
    out.append("};")
    return "\n".join(out) + "\n"


# ---- Copies ----


# Every structure with an sType has its chain at one place.
ONLY_CHAIN = "{ .kind = FIELD_CHAIN, .offset = offsetof(VkBaseInStructure, pNext) }"


class CannotCopy(Exception):
    """What the registry says of a structure does not do for copying it."""


class Copies:
    """The structures that copies can meet, each with the fields that a copy must follow.

    Chains may hold any structure with an sType: which ones may be where changes from one registry to the next. Those that
    cannot be copied are left out, unless they belong to what copies are made of.
    """

    def __init__(self, registry):
        self.registry = registry
        self.structures = registry.structures
        self.has_pointers = {}
        self.extenders = {}
        for structure in self.structures.values():
            for name in structure.extends:
                self.extenders.setdefault(registry.resolve(name), []).append(structure.name)
        needed = self.closure(COPY_ROOTS)
        self.reached = self.closure(COPY_ROOTS + sorted(n for n, s in self.structures.items() if s.stype))
        left_out = None
        while left_out != []:
            left_out = [n for n in self.reached if n not in needed and not self.can_copy(n)]
            self.reached = [n for n in self.reached if n not in left_out]

    def closure(self, names):
        """What copies of these structures, and of what their chains may hold, can meet."""
        reached, pending = set(), [self.registry.resolve(name) for name in names]
        while pending:
            name = pending.pop(0)
            if name in reached or name not in self.structures:
                continue
            reached.add(name)
            pending += [self.registry.resolve(m.type) for m in self.structures[name].members]
            pending += sorted(self.extenders.get(name, []))
        return sorted(n for n in reached if not self.structures[n].union and
                      (self.pointers_in(n) or self.structures[n].stype))

    def can_copy(self, name):
        """Every pointer leads to something whose size is known, and what it leads to can be copied."""
        structure = self.structures[name]
        try:
            self.fields(structure)
        except CannotCopy:
            return False
        if any(m.pointers and not self.followed(m) for m in structure.members):
            return False
        held = [self.registry.resolve(m.type) for m in structure.members if m.name != "pNext"]
        return all(h not in self.structures or self.structures[h].union or not self.pointers_in(h) or h in self.reached
                   for h in held)

    def pointers_in(self, name):
        if name not in self.has_pointers:
            self.has_pointers[name] = False
            self.has_pointers[name] = any(
                self.followed(m) or (not m.pointers and self.registry.resolve(m.type) in self.structures and
                                     self.pointers_in(self.registry.resolve(m.type)))
                for m in self.structures[name].members)
        return self.has_pointers[name]

    def followed(self, member):
        """Pointers to nothing known (`void *` without a length) are handles of the program's: they stay."""
        return member.pointers and (member.name == "pNext" or member.type != "void" or member.len is not None)

    def index(self, name):
        name = self.registry.resolve(name)
        return "TYPE_" + name if name in self.structures and name in self.reached and self.pointers_in(name) else "-1"

    def fields(self, structure):
        return [f for m in structure.members for f in self.field(structure, m)]

    def field(self, structure, member):
        where = "offsetof(%s, %s)" % (structure.name, member.name)
        if not member.pointers:
            return self.held_field(structure, member, where)
        if not self.followed(member):
            return []
        if member.name == "pNext":
            return [ONLY_CHAIN]
        if member.type in self.registry.opaque - set(self.structures):
            raise CannotCopy("%s::%s: nobody knows what it points to" % (structure.name, member.name))
        lengths = (member.len or "1").split(",") if "latexmath" not in (member.len or "") else [member.len]
        condition = ""
        if (structure.name, member.name) in ONLY_IF:
            condition = ", .condition = true, .selector = offsetof(%s, %s), .first = %s, .last = %s" % (
                (structure.name,) + ONLY_IF[structure.name, member.name])
        size = "1" if member.type == "void" else "sizeof(*((%s *)0)->%s)" % (structure.name, member.name)
        element = self.index(member.type)
        if member.pointers == 1 and lengths == ["null-terminated"]:
            return ["{ .kind = FIELD_STRING, .offset = %s%s }" % (where, condition)]
        count = self.count(structure, member, lengths[0])
        if member.pointers == 1 and len(lengths) == 1:
            kind = "FIELD_ARRAY, .element_size = %s, .element = %s" % (size, element)
        elif member.pointers == 2 and lengths[1:] == ["null-terminated"]:
            kind = "FIELD_STRINGS"
        elif member.pointers == 2 and lengths[1:] == ["1"]:
            kind = "FIELD_POINTERS, .element_size = sizeof(**((%s *)0)->%s), .element = %s" % (
                structure.name, member.name, element)
        else:
            raise CannotCopy("%s::%s: cannot copy a pointer of this kind" % (structure.name, member.name))
        return ["{ .kind = %s, .offset = %s, %s%s }" % (kind, where, count, condition)]

    def held_field(self, structure, member, where):
        """Structures and unions that are held by value."""
        held = self.structures.get(self.registry.resolve(member.type))
        if held is None or not self.pointers_in(held.name):
            return []
        size = "sizeof(%s)" % member.type
        if not held.union:
            count = "sizeof(((%s *)0)->%s) / %s" % (structure.name, member.name, size)
            return ["{ .kind = FIELD_HELD, .offset = %s, .element = %s, .element_size = %s, .fixed_count = %s }" %
                    (where, self.index(member.type), size, count)]
        if member.array or not member.selector:
            raise CannotCopy("%s::%s: cannot tell which member of the union holds" % (structure.name, member.name))
        fields = []
        for choice in held.members:
            index = self.index(choice.type)
            if choice.pointers:
                raise CannotCopy("%s::%s: cannot copy a pointer in a union" % (held.name, choice.name))
            if index == "-1":
                continue
            for value in choice.selection:
                if value in self.registry.hidden:
                    continue
                fields.append(
                    "{ .kind = FIELD_HELD, .offset = %s, .element = %s, .element_size = sizeof(%s), .fixed_count = 1, "
                    ".condition = true, .selector = offsetof(%s, %s), .first = %s, .last = %s }" %
                    (where, index, choice.type, structure.name, member.selector, value, value))
        return fields

    def count(self, structure, member, text):
        if structure.member(text) is not None:
            return self.count_of(structure, text)
        match = re.fullmatch(r"\(?\s*(\w+)\s*(?:\+\s*(\d+)\s*\))?\s*/\s*(\d+)", text)
        if match and structure.member(match.group(1)):
            return self.count_of(structure, match.group(1)) + ", .add = %s, .divide = %s" % (
                match.group(2) or "0", match.group(3))
        if re.fullmatch(r"[A-Z0-9_ *]+", text) and not set(re.findall(r"\w+", text)) & self.registry.hidden:
            return ".fixed_count = " + text
        raise CannotCopy("%s::%s: cannot count by %s" % (structure.name, member.name, text))

    @staticmethod
    def count_of(structure, name):
        return ".count = offsetof(%s, %s), .count_size = sizeof(((%s *)0)->%s)" % (
            structure.name, name, structure.name, name)


def copy_header(registry, copies):
    out = [BANNER]
    out.append("#ifndef CLAMPLER_VULKAN_COPY_H\n#define CLAMPLER_VULKAN_COPY_H\n")
    out.append('#include "copy.h"\n#include "newer_vulkan.h"\n#include "vulkan_clampler.h"\n')
    out.append("/* The rules of these copies are in layer/base/vulkan_compat/copy.h. */")
    for name in COPY_ROOTS:
        out.append("%s *copy_%s(const %s *source, enum copy_result *result);" % (name, name, name))
    out.append("\n/* The sType that made copy_<name>() return COPY_UNKNOWN_STRUCTURE; VK_STRUCTURE_TYPE_MAX_ENUM if none. */")
    for name in COPY_ROOTS:
        out.append("VkStructureType unknown_in_%s(const %s *source);" % (name, name))
    out.append("\n#endif")
    return "\n".join(out) + "\n"


def copy_source(registry, copies):
    out = [BANNER, "#include <stddef.h>\n\n#include <vulkan/vulkan.h>\n\n#include <vulkan/vk_layer.h>\n",
           '#include "vulkan_copy.h"\n']
    out.append("enum {")
    out += ["    TYPE_%s," % name for name in copies.reached]
    out.append("};\n")
    out.append("static const struct copy_field only_chain[] = {\n    %s,\n};\n" % ONLY_CHAIN)
    for name in copies.reached:
        fields = copies.fields(copies.structures[name])
        if fields and fields != [ONLY_CHAIN]:
            out.append("static const struct copy_field fields_of_%s[] = {" % name)
            out += ["    %s," % field for field in fields]
            out.append("};\n")
    out.append("const struct copy_type copy_types[] = {")
    for name in copies.reached:
        fields = copies.fields(copies.structures[name])
        table = "only_chain" if fields == [ONLY_CHAIN] else "fields_of_" + name
        fields = ".fields = %s, .field_count = %d, " % (table, len(fields)) if fields else ""
        out.append("    [TYPE_%s] = { %s.size = sizeof(%s) }," % (name, fields, name))
    out.append("};\n")
    out.append("int copy_type_of(VkStructureType type)\n{\n    switch ((uint32_t)type) {")
    for name in copies.reached:
        if copies.structures[name].stype:
            out.append("    case %s:\n        return TYPE_%s;" % (copies.structures[name].stype, name))
    out.append("    default:\n        return -1;\n    }\n}\n")
    out.append("size_t pnext_size(VkStructureType type)\n{\n    switch ((uint32_t)type) {")
    known = [(s.name, s.stype) for _, s in sorted(registry.structures.items()) if s.stype]
    for name, stype in LOADER_STRUCTURES + known:
        out.append("    case %s:\n        return sizeof(%s);" % (stype, name))
    for name, (names, number, count) in sorted(registry.booleans.items()):
        if not any(registry.resolve(n) in registry.structures for n in names):
            out.append("    case %u: /* %s */\n"
                       "        return sizeof(struct { VkBaseInStructure base; VkBool32 booleans[%u]; });"
                       % (number, name, count))
    out.append("    default:\n        return 0;\n    }\n}\n")
    for name in COPY_ROOTS:
        index = "TYPE_" + registry.resolve(name)
        out.append("%s *copy_%s(const %s *source, enum copy_result *result)\n{\n"
                   "    return copy_structure(%s, source, result);\n}\n" % (name, name, name, index))
        out.append("VkStructureType unknown_in_%s(const %s *source)\n{\n"
                   "    return copy_unknown(%s, source);\n}\n" % (name, name, index))
    return "\n".join(out)


# ---- Formats ----

# Components as the specification has them where the registry says less: (kind, bits, shifts).
SPECIAL_TEXELS = {
    "VK_FORMAT_B10G11R11_UFLOAT_PACK32": ("FLOAT", [11, 11, 10, 0], [0, 11, 22, 0]),
    "VK_FORMAT_E5B9G9R9_UFLOAT_PACK32": ("SHARED_EXPONENT", [9, 9, 9, 0], [0, 9, 18, 0]),
}
TEXEL_KINDS = {"UNORM": "UNORM", "SNORM": "SNORM", "USCALED": "USCALED", "SSCALED": "SSCALED", "SFLOAT": "FLOAT",
               "SRGB": "SRGB"}


def named_components(element):
    """(name, bits) of each component where the format's name has nothing else before its kind; else nothing."""
    first = element.get("name").split("_")[2]
    return re.findall(r"(\D)(\d+)", first) if re.fullmatch(r"([RGBA]\d+)+", first) else []


def texel_layout(element):
    """(kind, bits, shifts) of a color format whose texels are R, G, B and A one beside the other, or None."""
    if element.get("name") in SPECIAL_TEXELS:
        return SPECIAL_TEXELS[element.get("name")]
    # In the order of the name: registries have had B, R and G of B5G5R5A1.
    components = named_components(element) or [(c.get("name"), c.get("bits")) for c in element.findall("component")]
    size = int(element.get("blockSize")) * 8
    kinds = {c.get("numericFormat") for c in element.findall("component")}
    if kinds == {"SRGB", "UNORM"}:  # newer registries say UNORM of alpha beside sRGB
        kinds = {"SRGB"}
    if element.get("texelsPerBlock") != "1" or element.get("chroma") or len(kinds) != 1 or not kinds <= set(TEXEL_KINDS):
        return None
    if "_FPENCODING_" in element.get("name"):  # floats, but not those of IEEE 754
        return None
    if any(name not in "RGBA" or bits == "compressed" or int(bits) > 32 for name, bits in components):
        return None
    if sum(int(bits) for _, bits in components) != size:
        return None
    all_bits, shifts, at = [0] * 4, [0] * 4, 0
    for name, bits in components:
        index = "RGBA".index(name)
        all_bits[index] = int(bits)
        # Components of packed formats are named from the highest bits down.
        shifts[index] = size - at - int(bits) if element.get("packed") else at
        at += int(bits)
    return TEXEL_KINDS[kinds.pop()], all_bits, shifts


def format_numbers(root):
    """Name -> number of every VkFormat. Headers may be older than what is asked of them, so names alone do not do."""
    numbers = {e.get("name"): int(e.get("value")) for e in root.iterfind("enums[@name='VkFormat']/enum") if e.get("value")}
    for parent in [*root.iterfind("feature"), *root.iterfind("extensions/extension")]:
        for element in parent.iterfind("require/enum[@extends='VkFormat']"):
            if element.get("offset"):
                extension = int(element.get("extnumber") or parent.get("number"))
                numbers[element.get("name")] = 1000000000 + (extension - 1) * 1000 + int(element.get("offset"))
    return numbers


FORMAT_COMPRESSED = 255
FORMAT_NUMBERS = ["OTHER", "UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "UFLOAT", "SFLOAT", "SRGB"]


class Format:
    """A row of the table of formats."""

    def __init__(self, number, element):
        components = element.findall("component")
        self.number, self.element = number, element
        self.name = element.get("name")[len("VK_FORMAT_"):]
        self.bits = dict.fromkeys("RGBADS", 0)
        for component in components:
            bits = component.get("bits")
            if component.get("name") in self.bits:
                self.bits[component.get("name")] = FORMAT_COMPRESSED if bits == "compressed" else int(bits)
        # Names are to be believed: registries have had components R and B of R64G64, and SRGB of BC4_SNORM_BLOCK.
        if named_components(element):
            self.bits = dict.fromkeys("RGBADS", 0) | {name: int(bits) for name, bits in named_components(element)}
        # Of colour or depth, which are named first.
        named = [word for word in self.name.split("_") if word in FORMAT_NUMBERS]
        self.is_named, kind = bool(named), components[0].get("numericFormat")
        self.kind = named[0] if named else kind if kind in FORMAT_NUMBERS else "OTHER"
        self.extent = [int(n) for n in element.get("blockExtent", "1,1,1").split(",")]
        planes = [(int(p.get("widthDivisor")), int(p.get("heightDivisor"))) for p in element.findall("plane")]
        self.planes = len(planes)
        self.divisors = planes[1] if len(planes) > 1 else (1, 1)

    def has_index(self):
        """Do samplers return the stored components? Bits between them, as R10X6 has, are nothing to a sampler."""
        return (self.is_named and not self.planes and self.element.get("chroma") in (None, "444") and self.extent[2] == 1
                and "_FPENCODING_" not in self.name)


def formats_header(formats):
    out = [BANNER]
    out.append("#ifndef CLAMPLER_VULKAN_FORMATS_H\n#define CLAMPLER_VULKAN_FORMATS_H\n")
    out.append("#include <stdbool.h>\n#include <stdint.h>\n#include <vulkan/vulkan_core.h>\n")
    out.append("/* How the components of a texel are encoded; all alike, but for alpha in TEXEL_SRGB, which is UNORM. */")
    out.append("enum texel_kind { TEXEL_UNORM, TEXEL_SNORM, TEXEL_USCALED, TEXEL_SSCALED, TEXEL_FLOAT, TEXEL_SRGB, "
               "TEXEL_SHARED_EXPONENT };\n")
    out.append("struct texel_layout {\n    uint8_t bytes; /* of a texel */\n    uint8_t kind;  /* enum texel_kind */\n"
               "    uint8_t bits[4];  /* of R, G, B, A; 0: not there */\n"
               "    uint8_t shift[4]; /* of their lowest bits, in the texel as one little-endian number */\n};\n")
    out.append("/* What the numbers of a format's components are. */\nenum vulkan_number {")
    out += [f"    VULKAN_NUMBER_{number}," for number in FORMAT_NUMBERS]
    out.append("};\n")
    out.append("""enum vulkan_component { VULKAN_R, VULKAN_G, VULKAN_B, VULKAN_A, VULKAN_DEPTH, VULKAN_STENCIL, VULKAN_COMPONENTS };
enum { VULKAN_BITS_COMPRESSED = %d };

struct vulkan_format {
    VkFormat format;
    VkFormat unorm;                  /* of an sRGB format: the same without decoding; else VK_FORMAT_UNDEFINED */
    const char *name;                /* without VK_FORMAT_ */
    uint16_t index;                  /* from 1 on if samplers return the stored components; 0: planes and others */
    uint8_t bits[VULKAN_COMPONENTS]; /* 0: not there */
    uint8_t number;                  /* enum vulkan_number: of colour or depth, else of stencil */
    uint8_t bytes;                   /* of a block */
    uint8_t block[2];                /* texels of a block: width, height */
    uint8_t divisor[2];              /* by which planes beyond the first are smaller: width, height */
    bool compressed;
    struct texel_layout texel;       /* what texel_layout_of gives; no bytes: NULL */
};

/* By number; the first is VK_FORMAT_UNDEFINED. */
enum { VULKAN_FORMATS = %d, VULKAN_INDEXED_FORMATS = %d };
extern const struct vulkan_format vulkan_formats[VULKAN_FORMATS];

/* Never NULL: the row of VK_FORMAT_UNDEFINED, which has nothing, for formats that the registry lacks. */
const struct vulkan_format *vulkan_format(VkFormat format);
""" % (FORMAT_COMPRESSED, len(formats) + 1, sum(f.has_index() for f in formats)))
    out.append("/*\n * Where the components lie in a texel in memory. NULL for integer, depth, stencil, compressed, "
               "multi-planar and\n * padded formats, and for components of more than 32 bits. Pure.\n */")
    out.append("const struct texel_layout *texel_layout_of(VkFormat format);\n\n#endif")
    return "\n".join(out) + "\n"


def format_runs(formats):
    """(first number, its row, count) of formats whose numbers follow each other."""
    runs = []
    for row, entry in enumerate(formats, 1):
        if runs and entry.number == runs[-1][0] + runs[-1][2]:
            runs[-1][2] += 1
        else:
            runs.append([entry.number, row, 1])
    return runs


def formats_source(formats):
    out = [BANNER, '#include "vulkan_formats.h"\n\n#include <stddef.h>\n']
    by_name = {entry.name: entry.number for entry in formats}
    out.append("const struct vulkan_format vulkan_formats[VULKAN_FORMATS] = {\n    {.name = \"UNDEFINED\", .block = {1, 1}, "
               ".divisor = {1, 1}},")
    index = 0
    for entry in formats:
        index += entry.has_index()
        unorm = by_name.get(entry.name.replace("SRGB", "UNORM"), 0) if entry.kind == "SRGB" and entry.has_index() else 0
        texel, layout = "{0}", texel_layout(entry.element)
        if layout:
            kind, bits, shifts = layout
            texel = "{%s, TEXEL_%s, {%s}, {%s}}" % (entry.element.get("blockSize"), kind, ", ".join(map(str, bits)),
                                                    ", ".join(map(str, shifts)))
        out.append('    {(VkFormat)%d, (VkFormat)%d, "%s", %d, {%s}, VULKAN_NUMBER_%s, %s, {%d, %d}, {%d, %d}, %s, %s},' % (
            entry.number, unorm, entry.name, index if entry.has_index() else 0, ", ".join(map(str, entry.bits.values())),
            entry.kind, entry.element.get("blockSize"), entry.extent[0], entry.extent[1], *entry.divisors,
            "true" if entry.element.get("compressed") else "false", texel))
    out.append("};\n\n/* Formats whose numbers follow each other, and the row of the first. */\nstatic const struct {\n"
               "    uint32_t first, row, count;\n} runs[] = {")
    out += ["    {%du, %d, %d}," % tuple(run) for run in format_runs(formats)]
    out.append("""};

const struct vulkan_format *vulkan_format(VkFormat format)
{
    for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
        if ((uint32_t)format - runs[i].first < runs[i].count)
            return &vulkan_formats[runs[i].row + ((uint32_t)format - runs[i].first)];
    }
    return &vulkan_formats[0];
}

const struct texel_layout *texel_layout_of(VkFormat format)
{
    const struct texel_layout *layout = &vulkan_format(format)->texel;
    return layout->bytes ? layout : NULL;
}""")
    return "\n".join(out) + "\n"


def write(folder, name, text):
    """Leaves a file that would not change alone, so that nothing is rebuilt for it."""
    path = os.path.join(folder, name)
    try:
        with open(path, encoding="utf-8") as old:
            if old.read() == text:
                return
    except FileNotFoundError:
        pass
    with open(path, "w", encoding="utf-8") as new:
        new.write(text)


def main():
    help_text.answer(__doc__)
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    folder = sys.argv[1]
    registry = Registry(sys.argv[2:])
    registry.commands = dict(sorted(registry.commands.items()))
    groups = {}
    for command in registry.commands.values():
        groups.setdefault(command.canonical, []).append(command.name)
    copies = Copies(registry)
    for name, newer in registry.newer.items():
        write(folder, name, newer_header(name, newer))
    write(folder, "vulkan_dispatch.h", dispatch_header(registry, groups))
    write(folder, "vulkan_commands.h", commands_header(registry, groups))
    write(folder, "vulkan_dispatch.c", dispatch_source(registry, groups))
    write(folder, "vulkan_copy.h", copy_header(registry, copies))
    write(folder, "vulkan_copy.c", copy_source(registry, copies))
    commands = wanted_commands(registry)
    write(folder, "vulkan_wanted.h", wanted_header(commands))
    write(folder, "vulkan_wanted.c", wanted_source(commands))
    formats = [Format(number, element) for number, element in sorted(registry.formats.items())]
    write(folder, "vulkan_formats.h", formats_header(formats))
    write(folder, "vulkan_formats.c", formats_source(formats))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the tables of registry.h from Vulkan's registry.

    generate_registry.py vk.xml OUTPUT.c

Output is a function of the input alone. What platform headers or the beta guard hide from vulkan_core.h is left out.
"""

import sys
import xml.etree.ElementTree as ET

FEATURE_ROOT = "VkPhysicalDeviceFeatures"
PROPERTY_ROOTS = ["VkPhysicalDeviceLimits", "VkPhysicalDeviceSparseProperties"]

PLAIN_TYPES = {
    "uint32_t": "TYPE_U32",
    "int32_t": "TYPE_I32",
    "uint64_t": "TYPE_U64",
    "int64_t": "TYPE_I64",
    "VkDeviceSize": "TYPE_U64",
    "size_t": "TYPE_SIZE",
    "float": "TYPE_FLOAT",
    "VkBool32": "TYPE_BOOL",
    "VkExtent2D": "TYPE_U32",
    "VkSampleCountFlagBits": "TYPE_U32",
}


def for_vulkan(element, attribute):
    names = element.get(attribute)
    return names is None or bool({"vulkan", "vulkanbase", "vulkancompute", "vulkangraphics"} & set(names.split(",")))


class Registry:
    def __init__(self, path):
        self.root = ET.parse(path).getroot()
        self.types = {}
        self.aliases = {}
        for element in self.root.find("types").findall("type"):
            name = element.get("name") or (element.findtext("name"))
            if element.get("alias"):
                self.aliases[name] = element.get("alias")
            elif for_vulkan(element, "api"):
                self.types[name] = element
        self.extensions = [e for e in self.root.find("extensions").findall("extension")
                           if for_vulkan(e, "supported") and e.get("supported") != "disabled"]
        self.versions = [e for e in self.root.findall("feature") if for_vulkan(e, "api")]
        self.type_providers = {}
        self.command_providers = {}
        for version in self.versions:
            self.collect(version, version.get("number"))
        for extension in self.extensions:
            if not extension.get("platform") and not extension.get("provisional"):
                self.collect(extension, extension.get("name"))

    def collect(self, element, provider):
        for require in element.findall("require"):
            if not for_vulkan(require, "api"):
                continue
            for kind, table in (("type", self.type_providers), ("command", self.command_providers)):
                for item in require.findall(kind):
                    name = item.get("name")
                    while kind == "type" and name in self.aliases:
                        name = self.aliases[name]
                    providers = table.setdefault(name, [])
                    if provider not in providers:
                        providers.append(provider)

    def enumerants(self, group):
        """(name, value) of an enum or flag type, extensions' included, aliases left out, in order of value."""
        found = {}
        for enums in self.root.findall("enums"):
            if enums.get("name") == group:
                for item in enums.findall("enum"):
                    self.add_enumerant(found, item, None)
        for element in self.versions + self.extensions:
            number = element.get("number")
            for require in element.findall("require"):
                for item in require.findall("enum"):
                    if item.get("extends") == group:
                        self.add_enumerant(found, item, number)
        return sorted(found.items(), key=lambda pair: (pair[1], pair[0]))

    @staticmethod
    def add_enumerant(found, item, number):
        if item.get("alias"):
            return
        if item.get("bitpos"):
            value = 1 << int(item.get("bitpos"))
        elif item.get("value"):
            value = int(item.get("value"), 0)
        else:
            value = 1000000000 + (int(item.get("extnumber") or number) - 1) * 1000 + int(item.get("offset"))
            if item.get("dir") == "-":
                value = -value
        found.setdefault(item.get("name"), value)

    def member_type(self, name):
        if name in PLAIN_TYPES:
            return PLAIN_TYPES[name]
        element = self.types.get(name)
        if element is None:
            return None
        if element.get("category") == "bitmask":
            return "TYPE_U64" if element.findtext("type") == "VkFlags64" else "TYPE_U32"
        return "TYPE_U32" if element.get("category") == "enum" else None


def limit_kind(member):
    kinds = (member.get("limittype") or "").split(",")
    for kind in ("max", "min", "bitmask", "range"):
        if kind in kinds:
            return "LIMIT_" + kind.upper()
    return "LIMIT_MAX" if "bits" in kinds else "LIMIT_NONE"


def structures(registry):
    """(name, sType or None, is a feature structure, [(member, type, limit)]), the roots first."""
    names = [FEATURE_ROOT] + PROPERTY_ROOTS
    for name, element in registry.types.items():
        extends = (element.get("structextends") or "").split(",")
        if element.get("category") != "struct" or name not in registry.type_providers:
            continue
        if "VkPhysicalDeviceFeatures2" in extends or "VkPhysicalDeviceProperties2" in extends:
            names.append(name)
    for name in names:
        element = registry.types[name]
        extends = (element.get("structextends") or "").split(",")
        feature = name == FEATURE_ROOT or "VkPhysicalDeviceFeatures2" in extends
        stype, members = None, []
        for member in element.findall("member"):
            if not for_vulkan(member, "api"):
                continue
            label = member.findtext("name")
            if label == "sType":
                stype = member.get("values")
            elif label != "pNext":
                kind = registry.member_type(member.findtext("type"))
                pointer = "*" in "".join(member.itertext())
                if kind and not pointer and (not feature or kind == "TYPE_BOOL"):
                    members.append((label, kind, "LIMIT_NONE" if feature else limit_kind(member)))
        yield name, stype, feature, members


def version_code(number):
    major, minor = number.split(".")
    return f"VK_MAKE_API_VERSION(0, {major}, {minor}, 0)"


def provider_fields(providers):
    core = next((p for p in providers or [] if p[0].isdigit()), None)
    extensions = [p for p in providers or [] if not p[0].isdigit()]
    text = "".join(name + " " for name in extensions)
    return f"{version_code(core) if core else 0}, \"{text.strip()}\""


def write(registry, out):
    out.write("/* Written by tests/limited_driver/generate_registry.py from Vulkan's registry. */\n")
    out.write('#include "registry.h"\n\n#include <stddef.h>\n\n')

    rows, members = [], []
    for name, stype, feature, found in structures(registry):
        rows.append(f"    {{\"{name}\", {stype or 'VK_STRUCTURE_TYPE_MAX_ENUM'}, {'true' if feature else 'false'}, "
                    f"{len(members)}, {len(found)}, {provider_fields(registry.type_providers.get(name))}}},\n")
        for label, kind, limit in found:
            members.append(f"    {{\"{label}\", {len(rows) - 1}, offsetof({name}, {label}), "
                           f"sizeof((({name} *)0)->{label}), {kind}, {limit}}},\n")
    out.write("const struct registry_structure registry_structures[] = {\n" + "".join(rows) + "};\n")
    out.write(f"const uint32_t registry_structure_count = {len(rows)};\n\n")
    out.write("const struct registry_member registry_members[] = {\n" + "".join(members) + "};\n")
    out.write(f"const uint32_t registry_member_count = {len(members)};\n\n")

    formats = registry.enumerants("VkFormat")
    out.write("const struct registry_name registry_formats[] = {\n")
    out.write("".join(f"    {{\"{name}\", {value}u}},\n" for name, value in formats))
    out.write(f"}};\nconst uint32_t registry_format_count = {len(formats)};\n\n")

    bits = registry.enumerants("VkFormatFeatureFlagBits2") or registry.enumerants("VkFormatFeatureFlagBits2KHR")
    out.write("const struct registry_name registry_format_features[] = {\n")
    for name, value in bits:
        short = name.replace("VK_FORMAT_FEATURE_2_", "").replace("_BIT", "", 1)
        out.write(f"    {{\"{short}\", {value}ull}},\n")
    out.write(f"}};\nconst uint32_t registry_format_feature_count = {len(bits)};\n\n")

    commands = sorted(registry.command_providers.items())
    out.write("const struct registry_command registry_commands[] = {\n")
    out.write("".join(f"    {{\"{name}\", {provider_fields(p)}}},\n" for name, p in commands))
    out.write(f"}};\nconst uint32_t registry_command_count = {len(commands)};\n\n")

    out.write("const char *const registry_extensions[] = {\n")
    out.write("".join(f"    \"{e.get('name')}\",\n" for e in registry.extensions))
    out.write(f"}};\nconst uint32_t registry_extension_count = {len(registry.extensions)};\n")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    registry = Registry(sys.argv[1])
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        write(registry, out)


if __name__ == "__main__":
    main()

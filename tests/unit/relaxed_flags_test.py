#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""relaxed_flags_test.py REGISTRY HEADER: every flag of bindings, pools and layouts of descriptors that the registry has
is in the table of those that relax synchronisation (layer/semantics/descriptor_type/relaxed.h), with its value."""
import pathlib
import re
import sys
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "harness"))
from checks import expect, finish  # noqa: E402

TABLES = {
    "VkDescriptorBindingFlagBits": "RELAXED_BINDING_FLAGS",
    "VkDescriptorPoolCreateFlagBits": "RELAXED_POOL_FLAGS",
    "VkDescriptorSetLayoutCreateFlagBits": "RELAXED_LAYOUT_FLAGS",
}


def rows(header, table):
    """What a table of the header has, by name."""
    text = re.search(r"#define %s\(FLAG\)(.*?)\n\n" % table, header, re.S).group(1)
    return {name: int(value, 16) for name, value in re.findall(r"FLAG\((\w+), (0x\w+),", text)}


def registry_bits(registry, kind):
    """Names and values of a kind of flags, without aliases and reserved ones."""
    found = list(registry.findall("./enums[@name='%s']/enum" % kind))
    for place in ("./feature", "./extensions/extension"):
        for feature in registry.findall(place):
            if "vulkan" in re.split(",", feature.get("supported", feature.get("api", "vulkan"))):
                found += feature.findall("./require/enum[@extends='%s']" % kind)
    return {bit.get("name"): 1 << int(bit.get("bitpos")) for bit in found
            if bit.get("bitpos") and not bit.get("alias")}


registry = xml.etree.ElementTree.parse(sys.argv[1]).getroot()
header = pathlib.Path(sys.argv[2]).read_text()
for kind, table in TABLES.items():
    known = rows(header, table)
    bits = registry_bits(registry, kind)
    expect(bits, "the registry has bits of %s" % kind)
    for name, value in bits.items():
        # Extensions' names end with who made them, until a version of Vulkan takes them over.
        same = [row for row in known if row == name or re.sub("_(KHR|EXT)$", "", name) == row]
        expect(same and known[same[0]] == value, "%s (0x%x) has a row in %s" % (name, value, table), known)
finish("relaxed_flags")

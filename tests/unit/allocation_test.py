#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""allocation_test.py REGISTRY HEADER: every structure in the chains of VkMemoryAllocateInfo and of VkBufferCreateInfo that
the registry has is in its table (layer/resources/texel_buffers/allocation.h) with its number, imports count as shared memory, and so
does what both say of one collection of others."""
import pathlib
import re
import sys
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "harness"))
from checks import expect, finish  # noqa: E402


def structure_types(registry):
    """Numbers of VkStructureType, by name."""
    numbers = {}
    for place in registry.findall("./feature") + registry.findall("./extensions/extension"):
        for value in place.findall("./require/enum[@extends='VkStructureType']"):
            extension = value.get("extnumber") or place.get("number")
            if value.get("offset") and extension:
                numbers[value.get("name")] = 1000000000 + (int(extension) - 1) * 1000 + int(value.get("offset"))
    return numbers


registry = xml.etree.ElementTree.parse(sys.argv[1]).getroot()
tables = {table: {name: (int(number), kind) for name, number, kind in re.findall(r"ROW\((\w+), (\d+), (\w+)\)", body)}
          for table, body in re.findall(r"^#define (\w+)\(ROW\)(.*?)\n\n", pathlib.Path(sys.argv[2]).read_text(),
                                        flags=re.MULTILINE | re.DOTALL)}
numbers = structure_types(registry)
for parent, table in (("VkMemoryAllocateInfo", "ALLOCATION_STRUCTURES"), ("VkBufferCreateInfo", "BUFFER_STRUCTURES")):
    rows = tables[table]
    for structure in registry.findall("./types/type[@structextends]"):
        name = structure.get("name")
        if parent not in structure.get("structextends").split(",") or structure.get("alias"):
            continue
        kind = next(member.get("values") for member in structure.findall("member") if member.get("values"))
        if kind not in numbers: # of a platform that is not Vulkan's
            continue
        known = rows.get(name)
        expect(known and known[0] == numbers[kind], "%s (%d) has a row" % (name, numbers[kind]), known)
        if name.startswith("VkImport") or "BufferCollection" in name:
            expect(known and known[1] == "ALLOCATION_FOREIGN", "%s is of others" % name, known)
finish("allocation")

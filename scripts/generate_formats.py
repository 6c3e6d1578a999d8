#!/usr/bin/env python3
"""Writes the table of Vulkan's formats that `clampler caps` goes through.

    generate_formats.py vk.xml formats.c
"""

import sys
import xml.etree.ElementTree as ET


def main():
    out = ["/* Written by scripts/generate_formats.py from Vulkan's registry. */", '#include "formats.h"\n',
           "const struct format formats[] = {"]
    for element in ET.parse(sys.argv[1]).getroot().find("formats"):
        name = element.get("name")
        components = element.findall("component")
        names = [component.get("name") for component in components]
        numeric = {component.get("numericFormat") for component in components if component.get("name") != "S"}
        facts = []
        if "A" in names:
            facts.append("FORMAT_ALPHA")
        if "D" in names:
            facts.append("FORMAT_DEPTH")
        if numeric and numeric <= {"UINT", "SINT"} or names == ["S"]:
            facts.append("FORMAT_INTEGER")
        if names == ["R", "G", "B"] and all(component.get("bits") == "32" for component in components):
            facts.append("FORMAT_RGB32")
        out.append('    {%s, "%s", %s},' % (name, name[len("VK_FORMAT_"):], " | ".join(facts) or "0"))
    out.append("    {VK_FORMAT_UNDEFINED, 0, 0},\n};")
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


if __name__ == "__main__":
    main()

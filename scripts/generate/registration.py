#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""registration.py [OPTIONS] VK_XML: writes what registers the extension with Khronos, as changes to a given vk.xml.

  VK_XML             xml/vk.xml of Vulkan-Docs, or an installed registry/vk.xml
  --output FOLDER    where the files go (.)
  --author NAME      the author's formal name (that of clampler.xml)
  --contact TEXT     a name and an account, as "Jane Doe @janedoe" (that of clampler.xml, which names nobody)

reservation.diff     the author tag, and the next number with supported="disabled"
definition.diff      on top of it: types, enumerants and the extension of that number, with supported="vulkan"
VK_CLAMPLER_gl_sampler.adoc
                     the appendix: description, issues and history of docs/VK_CLAMPLER_gl_sampler.adoc

The order and the rules are those of "Registering Extensions and Layers" in Khronos' style guide (style/extensions.adoc). Both
changes apply by patch -p1 in a checkout, or to any copy by naming it. Values follow from the number by the registry's
formula, 1000000000 + (number - 1) * 1000 + offset: they differ from those of vulkan_clampler.h, whose number is not
registered. Attributes are those that the given vk.xml has: an older one has requires instead of depends, and no features,
and lacks structures that newer extensions bring to extend.
Whoever proposes the appendix licenses it as Vulkan-Docs is, CC-BY-4.0.
"""
import os
import re
import sys
import xml.etree.ElementTree as ET

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "scripts", "internal"))
import help_text  # noqa: E402

EXTENSION = "VK_CLAMPLER_gl_sampler"
AUTHOR = "CLAMPLER"
FEATURES = ("glSampler", "VkPhysicalDeviceGLSamplerFeaturesCLAMPLER")  # what every implementation supports
CONTEXT = 3


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Target:
    """A vk.xml: its lines, and the form that its elements have."""

    def __init__(self, path):
        text = read(path)
        self.lines = text.splitlines(keepends=True)
        root = ET.fromstring(text)
        extensions = root.find("extensions")
        self.names = {e.get("name") for e in extensions}
        self.types = {t.get("name") or t.findtext("name") for t in root.iterfind("types/type")}
        self.tags = {t.get("name") for t in root.iterfind("tags/tag")}
        self.number = 1 + max(int(e.get("number")) for e in extensions)
        self.spaced = text.count('" />') > text.count('"/>')
        self.depends = any(e.get("depends") for e in extensions)
        self.ratified = any(e.get("ratified") == "" for e in extensions)
        self.required_limits = 'requiredlimittype="true"' in text
        self.features = extensions.find("extension/require/feature") is not None

    def form(self, text):
        return re.sub(r'" ?/>', '" />' if self.spaced else '"/>', text)

    def extended(self, text):
        """A structure that extends only what this registry has, with attributes that it has."""
        if not self.required_limits:
            text = text.replace(' requiredlimittype="true"', "", 1)
        return re.sub(r'(?<=structextends=")[^"]*', lambda m: ",".join(n for n in m.group(0).split(",") if n in self.types), text)

    def last(self, pattern, before=None):
        """The number of the last line that has the pattern, in front of the first one that has `before`."""
        end = next((i for i, line in enumerate(self.lines) if before and before in line), len(self.lines))
        found = [i for i in range(end) if pattern in self.lines[i]]
        if not found:
            sys.exit("registration: no %s in the registry" % pattern)
        return found[-1]


class Source:
    """clampler.xml, as text: elements stay as they are written there."""

    def __init__(self):
        text = read(os.path.join(ROOT, "layer", "base", "clampler.xml"))
        types = text[text.index("<types"):text.index("</types>")]
        all_types = re.findall(r"^ {8}<type [^\n]*?(?:/>|</type>|>\n.*?^ {8}</type>)\n", types, flags=re.MULTILINE | re.DOTALL)
        self.bitmasks = [t for t in all_types if 'category="bitmask"' in t]
        self.enums = [t for t in all_types if 'category="enum"' in t]
        self.structures = [t for t in all_types if 'category="struct"' in t]
        self.values = re.findall(r"^ {4}<enums .*?^ {4}</enums>\n", text, flags=re.MULTILINE | re.DOTALL)
        self.extension = re.search(r"^ {8}<extension .*?^ {8}</extension>\n", text, flags=re.MULTILINE | re.DOTALL).group(0)
        tag = ET.fromstring(re.search(r"<tag .*?/>", text).group(0))
        self.author, self.contact = tag.get("author"), tag.get("contact")


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def reserved(number, contact):
    upper = EXTENSION.upper()
    return ('        <extension name="%s" number="%d" type="device" author="%s" contact="%s" supported="disabled">\n'
            "            <require>\n"
            '                <enum value="0" name="%s_SPEC_VERSION"/>\n'
            '                <enum value="&quot;%s&quot;" name="%s_EXTENSION_NAME"/>\n'
            "            </require>\n"
            "        </extension>\n") % (EXTENSION, number, AUTHOR, contact, upper, EXTENSION, upper)


def defined(source, target, contact):
    text = re.sub(r'number="\d+"', 'number="%d"' % target.number, source.extension, count=1)
    text = re.sub(r'contact="[^"]*"', lambda _: 'contact="%s"' % contact, text, count=1)
    if not target.ratified:
        text = text.replace(' ratified=""', "", 1)
    if not target.depends:
        text = re.sub(r'depends="VK_VERSION_1_1,([^"]*)"', r'requires="\1"', text, count=1)
    if target.features:
        text = text.replace("            </require>\n", '                <feature name="%s" struct="%s"/>\n            </require>\n' % FEATURES, 1)
    return text


def apply(lines, edits):
    """Edits are (line, number of lines removed, text), by rising line."""
    result, at = [], 0
    for line, removed, text in edits:
        result += lines[at:line] + text.splitlines(keepends=True)
        at = line + removed
    return result + lines[at:]


def diff(lines, edits):
    """The unified diff of the edits: those whose context would overlap share a hunk."""
    hunks = []
    for edit in edits:
        if hunks and edit[0] - CONTEXT <= hunks[-1][-1][0] + hunks[-1][-1][1] + CONTEXT:
            hunks[-1].append(edit)
        else:
            hunks.append([edit])
    out, shift = ["--- a/xml/vk.xml\n", "+++ b/xml/vk.xml\n"], 0
    for hunk in hunks:
        start, end = max(hunk[0][0] - CONTEXT, 0), min(hunk[-1][0] + hunk[-1][1] + CONTEXT, len(lines))
        body, at, added = [], start, 0
        for line, removed, text in hunk:
            new = text.splitlines(keepends=True)
            body += [" " + kept for kept in lines[at:line]]
            body += ["-" + old for old in lines[line:line + removed]] + ["+" + one for one in new]
            at, added = line + removed, added + len(new) - removed
        body += [" " + kept for kept in lines[at:end]]
        out.append("@@ -%d,%d +%d,%d @@\n" % (start + 1, end - start, start + 1 + shift, end - start + added))
        out += body
        shift += added
    return "".join(out)


def appendix():
    """The sections of the specification that an appendix has, at its depth."""
    text = read(os.path.join(ROOT, "docs", EXTENSION + ".adoc"))
    sections = dict(re.findall(r"^== ([^\n]+)\n(.*?)(?=^(?:\[\[\w+\]\]\n)?== |\Z)", text, flags=re.MULTILINE | re.DOTALL))
    metadata = re.search(r"^\*Last Modified Date\*::.*?(?=\n\n)", sections["Name Strings"], flags=re.MULTILINE | re.DOTALL).group(0)
    metadata = re.sub(r":: (.*)", r"::\n    \1", metadata)
    issues = re.sub(r"^(\d+)\. (.*?) \+$", r"\1) \2\n", sections["Issues"].strip(), flags=re.MULTILINE)
    history = re.sub(r"^(\*+ )", r"  \1", sections["Version History"].strip(), flags=re.MULTILINE)
    return """// Copyright 2026 The Clampler authors
//
// SPDX-License-Identifier: CC-BY-4.0

include::{generated}/meta/{refprefix}%s.adoc[]

=== Other Extension Metadata

%s

=== Description

%s

include::{generated}/interfaces/%s.adoc[]

=== Issues

%s

=== Version History

%s
""" % (EXTENSION, metadata, sections["Overview"].strip(), EXTENSION, issues, history)


def main():
    parser = help_text.parser(__doc__)
    parser.add_argument("vk_xml")
    parser.add_argument("--output", default=".")
    parser.add_argument("--author")
    parser.add_argument("--contact")
    arguments = parser.parse_args()
    target, source = Target(arguments.vk_xml), Source()
    if AUTHOR in target.tags or EXTENSION in target.names:
        sys.exit("registration: %s has the tag or the extension already" % arguments.vk_xml)
    author, contact = escape(arguments.author or source.author), escape(arguments.contact or source.contact)
    if "@" not in contact:
        print("registration: Khronos wants a person's name and account: --contact", file=sys.stderr)

    tag = '        <tag name="%s" author="%s" contact="%s"/>\n' % (AUTHOR, author, contact)
    end = target.last("</extensions>")
    reservation = [(target.last("</tags>"), 0, target.form(tag)), (end, 0, target.form(reserved(target.number, contact)))]
    first = target.lines
    files = {"reservation.diff": diff(first, reservation)}

    target.lines = apply(first, reservation)
    block = end + 1  # the tag's line is above it
    definition = [
        (target.last('category="bitmask"') + 1, 0, "".join(source.bitmasks)),
        (target.last('category="enum"', before='category="struct"') + 1, 0, "".join(source.enums)),
        (target.last("</types>"), 0, "".join(target.extended(s) for s in source.structures)),
        (target.last("</enums>") + 1, 0, "".join(source.values)),
        (block, len(reserved(0, "").splitlines()), defined(source, target, contact)),
    ]
    files["definition.diff"] = diff(target.lines, [(line, removed, target.form(text)) for line, removed, text in definition])
    files[EXTENSION + ".adoc"] = appendix()
    for name, text in files.items():
        with open(os.path.join(arguments.output, name), "w", encoding="utf-8") as file:
            file.write(text)
    print("%s: number %d, values from %d; %s" % (EXTENSION, target.number, 1000000000 + (target.number - 1) * 1000, ", ".join(files)))


if __name__ == "__main__":
    main()

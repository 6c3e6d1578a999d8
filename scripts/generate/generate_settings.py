#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""generate_settings.py SETTINGS FOLDER: writes what C knows of the settings, from the list that vkconfig shows.

  SETTINGS           json/settings.json
  FOLDER             gets the table that parses them (settings_table.c) and their values as C has them, struct settings
                     with its enumerations (settings_values.h)
"""

import json
import os
import pathlib
import sys
import textwrap

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "internal"))
import help_text  # noqa: E402

TYPES = {"ENUM": "SETTING_ENUM", "FLAGS": "SETTING_FLAGS", "BOOL": "SETTING_BOOL", "SAVE_FILE": "SETTING_PATH",
         "SAVE_FOLDER": "SETTING_PATH", "LIST": "SETTING_LIST"}
SIZES = {"SAVE_FILE": 256, "SAVE_FOLDER": 256, "LIST": 1024}  # bytes, the end included
# Enumerants begin with their setting's key, but for these.
PREFIXES = {"log_level": "LOG", "linear_fallback": "FALLBACK", "texel_path": "TEXEL_PATHS", "assume_missing": "MISSING",
            "gl_clamp": "GL_CLAMP_FOR"}
ENUMERATIONS = {"log_level": "log_level", "assume_missing": "assume_missing"}  # else: setting_ and the key


def leaves(settings):
    """Every setting of the tree that has a value, each before those that hang from it."""
    for setting in settings:
        if setting["type"] != "GROUP":
            yield setting
        yield from leaves(setting.get("settings", []))


def variable(key):
    """The short form, which vkconfig names beside those that it makes up itself."""
    return "VK_CLAMPLER_" + key.upper()


def text(value):
    """As a string of C, in the form that vk_layer_settings.txt has."""
    if isinstance(value, bool):
        value = "true" if value else "false"
    elif isinstance(value, list):
        value = ",".join(item if isinstance(item, str) else item["key"] for item in value
                         if isinstance(item, str) or item["enabled"])
    return json.dumps(value)


def write_table(settings):
    out = ["/* Written by scripts/generate/generate_settings.py from json/settings.json. */",
           '#include "settings/settings.h"\n#include "settings/table.h"\n']
    for setting in settings:
        if "flags" in setting:
            names = ", ".join(json.dumps(flag["key"]) for flag in setting["flags"])
            out.append("static const char *const %s_names[] = {%s, NULL};" % (setting["key"], names))
    out.append("\nconst struct setting settings_table[] = {")
    for setting in settings:
        key = setting["key"]
        out.append("    {\"%s\", %s, offsetof(struct settings, %s), sizeof(((struct settings *)0)->%s),\n"
                   "     %s, %s}," % (key, TYPES[setting["type"]], key, key,
                                         key + "_names" if "flags" in setting else "NULL", text(setting["default"])))
    out.append("    {NULL, SETTING_LIST, 0, 0, NULL, NULL},\n};")
    return out


def comment(words):
    lines = textwrap.wrap(words, 110)
    if len(lines) == 1:
        return ["    /* %s */" % lines[0]]
    return ["    /*"] + ["     * " + line for line in lines] + ["     */"]


def enumeration(setting):
    """One bit a value of several that may be given together, else numbers from 0, in the list's order."""
    key = setting["key"]
    prefix = PREFIXES.get(key, key.upper())
    out = ["", "enum %s {" % ENUMERATIONS.get(key, "setting_" + key)]
    for index, flag in enumerate(setting["flags"]):
        if flag.get("description"):
            out += comment(flag["description"])
        value = "1u << %d" % index if setting["type"] == "FLAGS" else "%d" % index
        out.append("    %s_%s = %s," % (prefix, flag["key"].upper(), value))
    return out + ["};"]


def field(setting):
    key, kind = setting["key"], setting["type"]
    out = [""] + comment(setting["description"])
    enumerated = "enum " + ENUMERATIONS.get(key, "setting_" + key)
    if kind == "ENUM":
        return out + ["    %s %s; /* default: %s */" % (enumerated, key, setting["default"])]
    if kind == "FLAGS":
        return out + ["    uint32_t %s; /* bits of %s */" % (key, enumerated)]
    if kind == "BOOL":
        return out + ["    bool %s;" % key]
    return out + ["    char %s[%d]; /* empty: not given */" % (key, SIZES[kind])]


def write_values(settings):
    out = ["/* Written by scripts/generate/generate_settings.py from json/settings.json. Included by settings/settings.h. */",
           "#ifndef CLAMPLER_SETTINGS_VALUES_H\n#define CLAMPLER_SETTINGS_VALUES_H\n",
           "#include <stdbool.h>\n#include <stdint.h>"]
    for setting in settings:
        if "flags" in setting:
            out += enumeration(setting)
    fields = [line for setting in settings for line in field(setting)]
    return out + ["", "/* The value of each setting. */", "struct settings {"] + fields[1:] + ["};", "", "#endif"]


def main():
    help_text.answer(__doc__)
    settings = list(leaves(json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))))
    folder = pathlib.Path(sys.argv[2])
    for name, lines in [("settings_table.c", write_table(settings)), ("settings_values.h", write_values(settings))]:
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

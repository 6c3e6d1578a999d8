#!/usr/bin/env python3
"""Writes the table that parses settings from the list that vkconfig shows.

    generate_settings.py json/settings.json settings_table.c
"""

import json
import sys

TYPES = {"ENUM": "SETTING_ENUM", "FLAGS": "SETTING_FLAGS", "BOOL": "SETTING_BOOL", "SAVE_FILE": "SETTING_PATH",
         "SAVE_FOLDER": "SETTING_PATH", "STRING": "SETTING_TEXT"}


def text(value):
    if isinstance(value, bool):
        value = "true" if value else "false"
    elif isinstance(value, list):
        value = ",".join(value)
    return json.dumps(value)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        settings = json.load(file)
    out = ["/* Written by scripts/generate_settings.py from json/settings.json. */",
           '#include "settings.h"\n#include "table.h"\n']
    for setting in settings:
        if "flags" in setting:
            names = ", ".join(json.dumps(flag["key"]) for flag in setting["flags"])
            out.append("static const char *const %s_names[] = {%s, NULL};" % (setting["key"], names))
    out.append("\nconst struct setting settings_table[] = {")
    for setting in settings:
        key = setting["key"]
        out.append("    {\"%s\", %s, offsetof(struct settings, %s), sizeof(((struct settings *)0)->%s),\n"
                   "     %s, %s, %s}," % (key, TYPES[setting["type"]], key, key,
                                         key + "_names" if "flags" in setting else "NULL", text(setting["default"]),
                                         "true" if setting.get("view") == "HIDDEN" else "false"))
    out.append("    {NULL, SETTING_TEXT, 0, 0, NULL, NULL, false},\n};")
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


if __name__ == "__main__":
    main()

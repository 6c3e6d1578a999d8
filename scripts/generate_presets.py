#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the presets of `clampler run --preset` from the list that vkconfig shows.

    generate_presets.py json/presets.json presets.c
"""

import json
import sys

from generate_settings import text


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        presets = json.load(file)
    out = ["/* Written by scripts/generate_presets.py from json/presets.json. */", '#include "presets.h"\n',
           "const struct preset_value preset_values[] = {"]
    for preset in presets:
        for setting in preset["settings"]:
            out.append("    {%s, %s, %s}," % (json.dumps(preset["label"]), json.dumps(setting["key"]),
                                              text(setting["value"])))
    out.append("    {0, 0, 0},\n};")
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


if __name__ == "__main__":
    main()

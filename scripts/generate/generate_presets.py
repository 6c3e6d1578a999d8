#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""generate_presets.py PRESETS SETTINGS FILE: writes the presets of `clampler run --preset` from the list of vkconfig.

  PRESETS, SETTINGS  json/presets.json and json/settings.json
  FILE               presets.c

The list names what a preset changes. Whoever chooses one gets the defaults of everything else, whatever was chosen before:
vkconfig applies what a preset names and nothing else, so each names every setting but the user's own files and folders, and
what is hidden.
"""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "internal"))
import help_text  # noqa: E402
from generate_settings import leaves, text  # noqa: E402

OWN = {"SAVE_FILE", "SAVE_FOLDER"}  # the user's, which no preset touches


def complete(presets, settings):
    """The presets with the defaults of what they do not change."""
    defaults = {setting["key"]: setting["default"] for setting in leaves(settings) if setting["type"] not in OWN}
    whole = []
    for preset in presets:
        changes = {entry["key"]: entry["value"] for entry in preset["settings"]}
        unknown = changes.keys() - defaults.keys()
        if unknown:
            sys.exit("preset %s: there is no setting %s that presets may change" % (preset["label"], sorted(unknown)))
        entries = [{"key": key, "value": value} for key, value in {**defaults, **changes}.items()]
        whole.append({**preset, "settings": entries})
    return whole


def main():
    help_text.answer(__doc__)
    presets, settings = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:3])
    out = ["/* Written by scripts/generate/generate_presets.py from json/presets.json. */", '#include "presets.h"\n',
           "const struct preset_value preset_values[] = {"]
    for preset in complete(presets, settings):
        for setting in preset["settings"]:
            out.append("    {%s, %s, %s}," % (json.dumps(preset["label"]), json.dumps(setting["key"]),
                                              text(setting["value"])))
    out.append("    {0, 0, 0},\n};")
    with open(sys.argv[3], "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


if __name__ == "__main__":
    main()

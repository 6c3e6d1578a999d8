#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""generate_page.py PAGE SETTINGS FILE: writes the manual page of `clampler` with a paragraph for each setting.

  PAGE               cli/clampler.1.in, where a line @SETTINGS@ stands for the paragraphs
  SETTINGS           json/settings.json
  FILE               clampler.1
"""

import json
import os
import pathlib
import sys
import textwrap

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "internal"))
import help_text  # noqa: E402
from generate_settings import leaves, text  # noqa: E402

MARK = "@SETTINGS@\n"


def lines(text):
    """Words of the page: no line of them is taken for a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return ["\\&" + line if line[0] in ".'" else line for line in textwrap.wrap(text, 110, break_on_hyphens=False)]


def values(setting):
    """A line for each value of a list, and what it means."""
    default = text(setting["default"]).strip('"')
    if setting["type"] == "BOOL":
        other = {"false": "true", "true": "false"}[default]
        return [".br", ".B " + default, "(the default) or", ".BR %s ." % other]
    out = []
    for flag in setting.get("flags", []):
        name, note = lines(flag["key"])[0], " (the default)" if flag["key"] == default else ""
        out += [".br", '.BR %s "%s%s"' % (name, note, ":" if flag.get("description") else "")]
        out += lines(flag.get("description", ""))
    return out


def paragraph(setting):
    return "\n".join([".TP", ".B " + setting["key"]] + lines(setting["description"]) + values(setting)) + "\n"


def main():
    help_text.answer(__doc__)
    page, settings = (pathlib.Path(path).read_text(encoding="utf-8") for path in sys.argv[1:3])
    if page.count(MARK) != 1:
        sys.exit("%s: there is no line @SETTINGS@, or more than one" % sys.argv[1])
    whole = page.replace(MARK, "".join(map(paragraph, leaves(json.loads(settings)))))
    pathlib.Path(sys.argv[3]).write_text(whole, encoding="utf-8")


if __name__ == "__main__":
    main()

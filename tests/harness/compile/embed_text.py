#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""embed_text.py SOURCE NAME OUTPUT: a C header with the text of SOURCE as `static const char NAME[]`."""
import sys


def main():
    source, name, output = sys.argv[1:]
    with open(source, encoding="utf-8") as file:
        lines = [line.rstrip("\n").replace("\\", "\\\\").replace('"', '\\"') for line in file]
    with open(output, "w", encoding="utf-8") as file:
        file.write(f"/* Generated from {source.rsplit('/', 1)[-1]}. */\nstatic const char {name}[] =\n")
        file.write("\n".join(f'    "{line}\\n"' for line in lines) + ";\n")


if __name__ == "__main__":
    main()

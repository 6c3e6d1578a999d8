# SPDX-License-Identifier: MIT
"""For scripts in Python, what help.sh is for those of the shell: with --help, or -h, a script prints what it begins with."""
import argparse
import sys


def answer(text):
    if {"--help", "-h"}.intersection(sys.argv[1:]):
        print(text.strip("\n"))
        sys.exit(0)


def parser(text):
    """A parser of options for a script that begins with `text`, whose first line is "NAME [OPTIONS]: what it does"."""
    answer(text)
    return argparse.ArgumentParser(usage=text.split(":", 1)[0], add_help=False)

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""list_tests_by_source.py [OPTIONS]: writes docs/tests-by-source.md, which names tests for each source of layer/.

  --coverage FILE    takes the rows from counts of lines, coverage.json as scripts/mutants leaves it
  --of COMMIT        the tree that was counted: files that were renamed since are known by their new names
  --check            writes nothing: the status is 1 if a source has no test, or a row's source or test is gone

A source's tests are up to three that execute at least half of what any test executes of it; the more of a test's own work
is in the source, the earlier it stands. Tests are those that have a file: unit_text is tests/unit/text_test.c.

Without --coverage rows stay as they are: those of files that are gone go to the file that has their name now, if one has it.
A source without a row gets the tests that name one of its functions, up to three, those that name fewest of others' first. One
that nothing names is listed, and a row is to be written by hand.
"""
import collections
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "internal"))
import help_text  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join(ROOT, "docs", "tests-by-source.md")
MOST = 3
FLOORS = ("entry", "recording", "pipelines", "resources", "device", "semantics", "rewriter", "base")
HEAD = """# Tests by source

Tests to run first when a source of `layer/` changes: up to three that execute much of it and little else. All others:
[Testing](testing.md). They run by `./scripts/test -R '^(unit_text|unit_settings)$'`.

Written by `scripts/generate/list_tests_by_source.py`, from counts of lines that `scripts/mutants` makes (`coverage.json` in its
folder). The test `scripts_tests_by_source` fails where a source has no test, or a row names what is gone; the script without
options moves rows of renamed files and adds new ones.
"""


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def sources():
    found = []
    for place, _, names in os.walk(os.path.join(ROOT, "layer")):
        found += [os.path.relpath(os.path.join(place, name), os.path.join(ROOT, "layer")) for name in names
                  if name.endswith(".c")]
    return sorted(found)


def rows_of_page():
    rows, floor = {}, None
    for line in read(PAGE).splitlines():
        if line.startswith("## "):
            floor = line[3:].lower()
        match = re.match(r"\| `([^`]+\.c)` \| (.*) \|$", line)
        if match:
            rows[f"{floor}/{match.group(1)}"] = re.findall(r"`(\w+)`", match.group(2))
    return rows


def page(rows):
    out = [HEAD]
    for floor in FLOORS:
        out.append(f"## {floor.capitalize()}\n\n| source | tests |\n| --- | --- |")
        out += [f"| `{path.split('/', 1)[1]}` | {', '.join(f'`{test}`' for test in rows[path])} |"
                for path in sorted(rows) if path.startswith(floor + "/")]
        out.append("")
    return "\n".join(out)


def renamed(commit):
    command = ["git", "-C", ROOT, "diff", "-M30%", "--name-status", commit, "--", "layer"]
    lines = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    return {line.split("\t")[1]: line.split("\t")[2] for line in lines if line.startswith("R")}


def rows_of_coverage(path, commit):
    new, known = renamed(commit) if commit else {}, test_files()
    lines = {}  # test -> source -> how many
    for test, row in json.loads(read(path)).items():
        if row["outcome"] == "passed" and test in known:
            lines[test] = {new.get(name, name): len(seen) for name, seen in row["files"].items() if name.startswith("layer/")}
    rows = {}
    for source in sources():
        counts = {test: found["layer/" + source] for test, found in lines.items() if found.get("layer/" + source)}
        most = max(counts.values(), default=0)
        order = sorted((test for test in counts if 2 * counts[test] >= most),
                       key=lambda test: (-counts[test] ** 2 / sum(lines[test].values()), test))
        if order:
            rows[source] = order[:MOST]
    return rows


def test_files():
    """Test -> its file."""
    found = {}
    for folder in ("unit", "spirv", "pixel", "cli", "integration"):
        for place, _, names in os.walk(os.path.join(ROOT, "tests", folder)):
            for name in names:
                stem = re.sub(r"(?:_test)?\.\w+$", "", name)
                if re.search(r"_test\.(?:c|cpp|sh|py)$", name) or folder == "integration" and name.endswith(".c"):
                    found[f"{folder}_{stem}"] = os.path.join(place, name)
    return found


def functions(source):
    text = read(ROOT, "layer", source)
    found = re.findall(r"^(?!static|typedef|return|else)[A-Za-z_][\w *]*?[ *](\w+)\([^;{]*\)\s*\{", text, re.MULTILINE)
    return set(found) | {"vk" + name[5:] for name in found if name.startswith("hook_")}


def rows_by_name(wanted):
    words = {test: set(re.findall(r"\w+", read(path))) for test, path in test_files().items()}
    everyone = collections.Counter(word for found in words.values() for word in found)
    rows = {}
    for source in wanted:
        names = functions(source)
        order = sorted((test for test in words if names & words[test]),
                       key=lambda test: (-sum(1 / everyone[name] for name in names & words[test]), test))
        if order:
            rows[source] = order[:MOST]
    return rows


def renew(rows):
    """Rows of all sources, as far as they can be made."""
    there = sources()
    gone = {os.path.basename(path): tests for path, tests in rows.items() if path not in there}
    kept = {path: tests for path, tests in rows.items() if path in there and tests}
    names = collections.Counter(os.path.basename(path) for path in there if path not in kept)
    for path in there:
        name = os.path.basename(path)
        if path not in kept and names[name] == 1 and gone.get(name):
            kept[path] = gone[name]
    return {**rows_by_name(set(there) - set(kept)), **kept}


def check(rows):
    known, there = test_files(), sources()
    wrong = [f"layer/{path} has no test" for path in there if not rows.get(path)]
    wrong += [f"layer/{path} is gone" for path in rows if path not in there]
    wrong += [f"layer/{path}: there is no test {test}" for path in rows for test in rows[path] if test not in known]
    if not wrong and read(PAGE) != page(rows):
        wrong.append("the page is not as the script writes it")
    for line in wrong:
        print(f"docs/tests-by-source.md: {line}")
    if wrong:
        print("renew it: scripts/generate/list_tests_by_source.py")
    print(f"{len(there)} sources, {len(wrong)} failures")
    return 1 if wrong or len(there) < 100 else 0


def main():
    parser = help_text.parser(__doc__)
    parser.add_argument("--coverage")
    parser.add_argument("--of")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    rows = rows_of_page()
    if options.check:
        return check(rows)
    if options.coverage:
        rows.update(rows_of_coverage(options.coverage, options.of))
    rows = renew(rows)
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(page(rows))
    for path in sources():
        if path not in rows:
            print(f"layer/{path}: no test names it; write a row")
    return 0


if __name__ == "__main__":
    sys.exit(main())

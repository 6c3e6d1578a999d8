#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Manifests, presets and documents agree with the one list of settings.

    manifests_test.py SOURCE_FOLDER BUILD_FOLDER
"""

import json
import pathlib
import re
import sys
import warnings

failures = 0


def expect(good, what):
    global failures
    if not good:
        print("FAILED: " + what)
        failures += 1


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def check_value(where, setting, value):
    kind = setting["type"]
    names = [flag["key"] for flag in setting.get("flags", [])]
    if kind == "ENUM":
        good = value in names
    elif kind == "FLAGS":
        good = isinstance(value, list) and set(value) <= set(names)
    elif kind == "BOOL":
        good = isinstance(value, bool)
    else:
        good = isinstance(value, str)
    expect(good, "%s: %s cannot be %r" % (where, setting["key"], value))


def check_presets(presets, settings):
    labels = [preset["label"] for preset in presets]
    for label in ["Off", "GL defaults", "Everything emulated (debug)", "Old-game compatibility"]:
        expect(labels.count(label) == 1, "one preset is called " + label)
    for preset in presets:
        for entry in preset["settings"]:
            setting = settings.get(entry["key"])
            expect(setting, "preset %s: there is no setting %s" % (preset["label"], entry["key"]))
            if setting:
                check_value("preset " + preset["label"], setting, entry["value"])
        if preset["label"] == "Off":
            for entry in preset["settings"]:
                expect(entry["value"] == settings[entry["key"]]["default"],
                       "preset Off leaves %s at its default" % entry["key"])
        if preset["label"].startswith("Everything emulated"):
            hidden = [entry["value"] for entry in preset["settings"] if entry["key"] == "assume_missing"]
            every = [flag["key"] for flag in settings["assume_missing"]["flags"]]
            expect(hidden == [every], "preset %s hides everything: %s" % (preset["label"], every))


def check_manifest(path, schema, settings, presets):
    manifest = read(path)
    try:
        import jsonschema
        jsonschema.validate(manifest, schema)
    except ImportError:
        print("python3-jsonschema is missing")
        sys.exit(1)
    except jsonschema.ValidationError as error:
        expect(False, "%s: %s at %s" % (path, error.message, list(error.absolute_path)))
    features = manifest["layer"]["features"]
    expect(features["settings"] == list(settings.values()), "%s has every setting" % path)
    expect(features["presets"] == presets, "%s has every preset" % path)
    expect(("disable_environment" in manifest["layer"]) == ("implicit" in path.parts), "%s: variables" % path)


def heading_anchors(text):
    """What links can name of a page: its headings as GitHub and others write them."""
    code = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.*)$", code, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


def check_documents(source):
    """A newcomer can hold the table of folders against the folders, and follow every link."""
    architecture = (source / "docs/architecture.md").read_text(encoding="utf-8")
    folders = ["cli", "docs", "json", "packaging", "scripts", "shaders", "tests"]
    folders += ["layer/" + path.name for path in (source / "layer").iterdir() if path.is_dir()]
    for folder in folders:
        expect("\n| `" + folder + "` |" in architecture, "docs/architecture.md has a row for " + folder)
    readme = (source / "README.md").read_text(encoding="utf-8")
    expect(len(readme.splitlines()) <= 150, "README is a page: 150 lines at most")
    pages = [page for pattern in ["*.md", "docs/*.md", "layer/**/*.md", "tests/**/*.md"] for page in source.glob(pattern)]
    for page in pages:
        for target in re.findall(r"\]\(([^) ]+)\)", page.read_text(encoding="utf-8")):
            if "://" in target:
                continue
            path, _, anchor = target.partition("#")
            there = (page.parent / path).resolve() if path else page
            good = there.exists() and (not anchor or anchor in heading_anchors(there.read_text(encoding="utf-8")))
            expect(good, "%s: the link to %s leads somewhere" % (page.relative_to(source), target))
    for page in (source / "docs").glob("*.md"):
        expect("docs/" + page.name in readme, "README leads to docs/" + page.name)


def main():
    source, build = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    warnings.simplefilter("ignore")
    settings = {setting["key"]: setting for setting in read(source / "json/settings.json")}
    presets = read(source / "json/presets.json")
    schema = read(source / "tests/cli/schema/vkconfig_layers_schema.json")
    for key, setting in settings.items():
        check_value("default", setting, setting["default"])
        expect(setting["label"] and setting["description"].endswith("."), "%s has a label and sentences" % key)
        expect(setting["env"] == "VK_CLAMPLER_GL_SAMPLER_" + key.upper(), "%s: its variable" % key)
    check_presets(presets, settings)
    manifests = sorted((build / "json").rglob("VkLayer_CLAMPLER_gl_sampler.json"))
    expect(len(manifests) == 4, "explicit and implicit manifests, of the build folder and to install")
    for path in manifests:
        check_manifest(path, schema, settings, presets)
    check_documents(source)
    for document in ["docs/settings.md", "cli/clampler.1"]:
        text = (source / document).read_text(encoding="utf-8").replace("\\-", "-")
        for key, setting in settings.items():
            if setting.get("view") != "HIDDEN":
                expect(key in text, "%s describes the setting %s" % (document, key))
    print("%d settings, %d presets, %d manifests, %d failures" % (len(settings), len(presets), len(manifests), failures))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()

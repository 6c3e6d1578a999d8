#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Manifests, presets and documents agree with the one list of settings, and every vkconfig reads the manifests.

    manifests_test.py SOURCE_FOLDER BUILD_FOLDER
"""

import copy
import itertools
import json
import pathlib
import re
import sys
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "harness"))
from checks import expect, finish

try:
    import jsonschema
except ImportError:
    sys.exit("python3-jsonschema is missing")


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def flatten(settings):
    """Every item of a tree of settings, groups included, in the order in which it is read."""
    for setting in settings:
        yield setting
        yield from flatten(setting.get("settings", []))


def check_value(where, setting, value):
    kind = setting["type"]
    names = [flag["key"] for flag in setting.get("flags", [])]
    if kind == "ENUM":
        good = value in names
    elif kind == "FLAGS":
        good = isinstance(value, list) and set(value) <= set(names)
    elif kind == "LIST":
        good = isinstance(value, list) and {item["key"] for item in value} <= set(setting["list"])
    elif kind == "BOOL":
        good = isinstance(value, bool)
    else:
        good = isinstance(value, str)
    expect(good, "%s: %s cannot be %r" % (where, setting["key"], value))


# ---- Settings: what vkconfig's pages make of them ----

def check_dependence(setting, before):
    """vkconfig 2.5 looks up what a setting depends on while it reads the list, and aborts if that comes later."""
    for entry in setting.get("dependence", {}).get("settings", []):
        other = before.get(entry["key"])
        expect(other, "%s depends on %s, which does not stand before it" % (setting["key"], entry["key"]))
        if other:
            check_value("what %s depends on" % setting["key"], other, entry["value"])


def check_settings(tree):
    """Returns the settings that have values, by key."""
    before, labels = {}, set()
    for setting in flatten(tree):
        key, label = setting["key"], setting["label"]
        expect(key not in before, "%s is there once" % key)
        # Headings of the pages that vkconfig writes, where | parts the columns of a table.
        expect(label not in labels and not re.search(r"[|#`\n]", label), "%s: the label \"%s\" is its own" % (key, label))
        for item in [setting] + setting.get("flags", []):
            text = item["description"]
            expect(len(text) > 5 and text.endswith("."), "%s: %s is described in sentences" % (key, item["key"]))
            expect(not re.search(r"[|#\n]", text), "%s: the description of %s fits in a cell" % (key, item["key"]))
        check_dependence(setting, before)
        before[key] = setting
        labels.add(label)
    groups = [setting for setting in tree if setting["type"] == "GROUP"]
    expect([group["label"] for group in groups] ==
           ["Log, dumps and statistics", "Programs that know nothing of the layer", "Programs that enable the extension",
            "Performance", "Testing"] and len(groups) == len(tree), "five groups, and nothing beside them")
    settings = {key: setting for key, setting in before.items() if setting["type"] != "GROUP"}
    # vkconfig 3 crashes when it builds a page with a file behind a list that is not empty (tests/packaging/vkconfig).
    kinds = [setting["type"] for setting in settings.values()]
    last_file = max(index for index, kind in enumerate(kinds) if kind in ("SAVE_FILE", "SAVE_FOLDER"))
    expect("LIST" in kinds and last_file < kinds.index("LIST"), "files and folders stand before lists")
    for key, setting in settings.items():
        check_value("default", setting, setting["default"])
        # vkconfig's pages of text leave out what has another view than the standard one, but for what is below a group.
        expect(setting.get("view", "STANDARD") == "STANDARD", "%s is in vkconfig's documents" % key)
        expect("url" not in setting or setting["url"].startswith(("https://", "docs/")), "%s leads somewhere" % key)
    return settings


# ---- Presets ----

def apply(state, preset):
    """As vkconfig does it: what a preset names is set, all else stays."""
    return {**state, **{entry["key"]: copy.deepcopy(entry["value"]) for entry in preset["settings"]}}


def check_presets(presets, settings):
    """`presets` are those of a manifest."""
    labels = [preset["label"] for preset in presets]
    for label in ["Off", "Everything a sampler needs", "GL defaults", "Everything emulated (debug)", "Old-game compatibility"]:
        expect(labels.count(label) == 1, "one preset is called " + label)
    defaults = {key: setting["default"] for key, setting in settings.items()}
    behave = {key for key, setting in settings.items()
              if setting["type"] not in ("SAVE_FILE", "SAVE_FOLDER")}
    for preset in presets:
        keys = [entry["key"] for entry in preset["settings"]]
        expect(set(keys) == behave and len(keys) == len(behave),
               "preset %s says everything about behaviour: %s" % (preset["label"], sorted(behave ^ set(keys))))
        for entry in preset["settings"]:
            check_value("preset " + preset["label"], settings[entry["key"]], entry["value"])
    for first, second in itertools.permutations(presets, 2):
        left = {key for key, value in apply(apply(defaults, first), second).items() if value != apply(defaults, second)[key]}
        expect(not left, "after %s, %s leaves nothing of it: %s" % (first["label"], second["label"], sorted(left)))
    by_label = {preset["label"]: apply(defaults, preset) for preset in presets}
    expect(by_label["Off"] == defaults, "preset Off is the defaults")
    every = [flag["key"] for flag in settings["assume_missing"]["flags"]]
    expect(by_label["Everything emulated (debug)"]["assume_missing"] == every, "everything emulated hides everything")
    states = [json.dumps(state) for state in by_label.values()]
    expect(len(set(states)) == len(states), "no two presets are the same")


# ---- Manifests ----

def refusal(manifest, schema):
    """Why vkconfig refuses the manifest; None if it reads it."""
    try:
        jsonschema.validate(manifest, schema)
    except jsonschema.ValidationError as error:
        return "%s at %s" % (error.message[:200], list(error.absolute_path))
    return None


# What the schema accepts of a setting or a flag, and those of vkconfig before 1.4.328 or 1.3.275 refuse
# (tests/cli/schema/README.md).
LATER = [{"detailed": "More."}, {"messages": []}, {"deprecated_by_key": "tiers"}, {"view": "DEBUG"},
         {"type": "LOAD_FOLDER"}, {"type": "SAVE_FOLDER", "format": "PROFILE"}]


def later_parts(manifest):
    """What older versions of vkconfig refuse of a manifest that the schema accepts."""
    items = list(flatten(manifest["layer"]["features"]["settings"]))
    items += [flag for item in items for flag in item.get("flags", [])]
    return [(item["key"], part) for item in items for part in LATER
            if all(key in item and (key not in ("view", "type") or item[key] == value) for key, value in part.items())]


def check_later_parts(manifest, schema):
    """later_parts() finds each, where the schema alone does not."""
    for part in LATER:
        changed = copy.deepcopy(manifest)
        folder = next(item for item in flatten(changed["layer"]["features"]["settings"]) if item["type"] == "SAVE_FOLDER")
        folder.update(part)
        expect(not refusal(changed, schema) and later_parts(changed) == [(folder["key"], part)],
               "%s is known to be later" % part)


def check_manifest(path, schema, settings):
    manifest = read(path)
    refused = refusal(manifest, schema)
    expect(not refused, "%s: vkconfig refuses it: %s" % (path, refused))
    expect(not later_parts(manifest), "%s: older vkconfigs refuse it: %s" % (path, later_parts(manifest)))
    check_later_parts(manifest, schema)
    layer = manifest["layer"]
    found = {item["key"]: item for item in flatten(layer["features"]["settings"]) if item["type"] != "GROUP"}
    expect(list(found) == list(settings), "%s has every setting" % path)
    for key, setting in found.items():
        # vkconfig names VK_CLAMPLER_GL_SAMPLER_<KEY>, VK_GL_SAMPLER_<KEY> and VK_<KEY> by itself.
        expect(setting.get("env") == "VK_CLAMPLER_" + key.upper(), "%s: %s names the short variable" % (path, key))
    check_presets(layer["features"]["presets"], found)
    implicit = "implicit" in path.parts
    expect(("disable_environment" in layer) == implicit and ("enable_environment" in layer) == implicit,
           "%s: variables" % path)
    # Older loaders refuse programs for the one list, and free the other twice.
    expect(("instance_extensions" in layer) != implicit and ("device_extensions" in layer) != implicit,
           "%s: only explicit manifests list extensions" % path)
    beside = "install" in path.parts and not implicit
    for extension in layer.get("device_extensions", []):
        header = pathlib.Path(sys.argv[1], "layer", "base", "vulkan_clampler.h").read_text(encoding="utf-8")
        version = re.search(r"GL_SAMPLER_SPEC_VERSION (\d+)", header).group(1)
        expect(extension["spec_version"] == version, "%s: the extension's version is the header's" % path)
    expect((layer["implementation_version"] == "") == beside, "%s: vkconfig passes the one beside the implicit one over" % path)
    expect(layer["status"] == "STABLE" and layer["platforms"] == ["LINUX"], "%s: status and platforms" % path)
    # vkconfig writes paragraphs that end in a line break, and drops what stands behind the last one.
    expect(layer["introduction"].endswith(".\n"), "%s: the introduction ends in a line break" % path)
    urls = [item["url"] for item in [layer] + list(flatten(layer["features"]["settings"])) if "url" in item]
    expect(urls and all("://" in url for url in urls), "%s: addresses are whole" % path)


def check_manifests(build, schema, settings):
    manifests = sorted(path for path in (build / "json").rglob("VkLayer_CLAMPLER_gl_sampler.json") if "installed" not in path.parts)
    expect(len(manifests) == 4, "explicit and implicit manifests, of the build folder and to install")
    for path in manifests:
        check_manifest(path, schema, settings)
    return len(manifests)


# ---- Documents ----

def heading_anchors(text):
    """What links can name of a page: its headings as GitHub and others write them."""
    code = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.*)$", code, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


def check_documents(source):
    """A newcomer can hold the table of folders against the folders, and follow every link."""
    architecture = (source / "docs/architecture.md").read_text(encoding="utf-8")
    folders = ["cli", "docs", "json", "packaging", "scripts", "shaders", "tests"]
    for folder in folders:
        expect("\n| `" + folder + "` |" in architecture, "docs/architecture.md has a row for " + folder)
    for floor in (path for path in (source / "layer").iterdir() if path.is_dir()):
        expect("(../layer/" + floor.name + "/README.md)" in architecture, "docs/architecture.md has the floor " + floor.name)
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


def check_pages_of_settings(source, build, tree, settings):
    page = (build / "cli" / "clampler.1").read_text(encoding="utf-8").replace("\\-", "-")
    text = (source / "docs/settings.md").read_text(encoding="utf-8")
    for key in settings:
        expect("\n| `%s` | " % key in text, "docs/settings.md has a row of the setting " + key)
        expect("\n.TP\n.B %s\n" % key in page, "the manual page has a paragraph of the setting " + key)
    for group in tree:
        expect("\n### " + group["label"] + "\n" in text, "docs/settings.md has the group " + group["label"])
    for setting in flatten(tree):
        address = setting.get("url", "https://")
        expect("://" in address or (source / address).exists(), "%s: %s is there" % (setting["key"], address))


def check_formats(source, setting):
    """What alpha_to_one offers is what the layer knows."""
    text = (source / "layer/semantics/blend/format.c").read_text(encoding="utf-8")
    known = re.findall(r"^    FORMAT\((\w+), ", text, flags=re.MULTILINE) + re.findall(r'KIND_\w+,\s*"VK_FORMAT_(\w+)"', text)
    expect(sorted(setting["list"]) == sorted(["swapchain"] + known), "alpha_to_one offers every format with alpha")


def main():
    source, build = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    warnings.simplefilter("ignore")
    tree = read(source / "json/settings.json")
    settings = check_settings(tree)
    count = check_manifests(build, read(source / "tests/cli/schema/layers_schema.json"), settings)
    check_formats(source, settings["alpha_to_one"])
    check_documents(source)
    check_pages_of_settings(source, build, tree, settings)
    finish("%d settings, %d manifests" % (len(settings), count))


if __name__ == "__main__":
    main()

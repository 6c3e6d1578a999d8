# SPDX-License-Identifier: MIT
"""What a real vkconfig says on its command line of the installed layer: it finds it where docs/settings.md says, and what it
generates of its settings is complete and true. Settings that have another value than in the documents, by each variable
that they name and by the files themselves, reach the layer. Version 2.5 names the short variable alone.

    documents_test.py VKCONFIG CLAMPLER SETTINGS_JSON HOME
"""

import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "harness"))
from checks import expect, finish

LAYER, PREFIX = "VK_LAYER_CLAMPLER_gl_sampler", "clampler_gl_sampler."
# The convention of Vulkan-Utility-Libraries, and the short form, which the manifest names.
FORMS = ["VK_CLAMPLER_GL_SAMPLER_%s", "VK_GL_SAMPLER_%s", "VK_%s", "VK_CLAMPLER_%s"]
ELSEWHERE = {"SAVE_FILE": "~/another", "SAVE_FOLDER": "~/other", "LIST": "swapchain"}


def run(command, **env):
    # What the machine's environment says of layers and settings is not asked.
    own = {name: value for name, value in os.environ.items() if not name.startswith("VK_") or name == "VK_DRIVER_FILES"}
    result = subprocess.run([str(word) for word in command], env={**own, "QT_QPA_PLATFORM": "offscreen", **env},
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return result.stdout


def shown(settings):
    """Every item that vkconfig's documents have: the heading of a group for developers is not there."""
    for setting in settings:
        if setting["type"] != "GROUP" or setting.get("view", "STANDARD") == "STANDARD":
            yield setting
        yield from shown(setting.get("settings", []))


def text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(value) if isinstance(value, list) else value


def other(setting):
    """A value that is not the default."""
    if setting["type"] == "BOOL":
        return text(not setting["default"])
    if setting["type"] in ("ENUM", "FLAGS"):
        return next(flag["key"] for flag in reversed(setting["flags"]) if flag["key"] != setting["default"])
    return ELSEWHERE[setting["type"]]


# ---- The documents ----

def check_markdown(page, items):
    sections = {part.partition("\n")[0]: part for part in re.split(r"^### ", page, flags=re.MULTILINE)}
    for item in items:
        key, section = item["key"], sections.get(item["label"], "")
        expect("](#%s) | `%s` | `%s` |" % (item["label"].lower().replace(" ", "-"), key, item["type"]) in page,
               "markdown: %s is in the overview" % key)
        expect(item["description"] in section and "- Key: `%s`\n" % key in section, "markdown: %s is described" % key, section)
        for flag in item.get("flags", []):
            expect("| `%s` |%s|%s|" % (flag["key"], flag["label"], flag["description"]) in section,
                   "markdown: %s has %s" % (key, flag["key"]), section)
        if item["type"] == "GROUP":
            continue
        value = text(item["default"])
        expect(("- Default Value: `%s`\n" % value if value else "- Default Value:\n") in section,
               "markdown: %s has its default" % key, section)
        expect("<pre>%s%s = %s</pre>" % (PREFIX, key, value) in section, "markdown: %s in the file" % key, section)
        for form in FORMS:
            expect("export %s=%s<" % (form % key.upper(), value) in section, "markdown: %s by %s" % (key, form), section)


def check_html(page, items):
    expect("Vulkan programs" in page and "unless a setting or a preset asks for" in page, "html: the introduction is whole")
    page = html.unescape(page)
    for item in items:
        key = item["key"]
        start = page.find('<a id="%s-detailed"' % key)
        section = page[start:page.find("<h3>", start)]
        expect(start >= 0 and item["description"] in section, "html: %s is described" % key, section)
        for flag in item.get("flags", []):
            expect(flag["description"] in section, "html: %s has %s" % (key, flag["key"]), section)
        if item["type"] == "GROUP":
            continue
        value = text(item["default"])
        expect("%s%s = %s<" % (PREFIX, key, value) in section, "html: %s in the file" % key, section)
        for form in FORMS:
            expect("export %s=%s" % (form % key.upper(), value) in section, "html: %s by %s" % (key, form), section)


def check_pages_2(pages, items):
    expect("unless a setting or a preset asks for" in pages["markdown"], "2, markdown: the introduction is whole")
    for item in items:
        if item["type"] == "GROUP":
            continue
        key, value = item["key"], text(item["default"])
        cells = [item["label"], item["type"], value, PREFIX + key, FORMS[3] % key.upper(), "LINUX"]
        expect("|%s|\n" % "|".join(cells) in pages["markdown"], "2, markdown: %s" % key)
        whole = html.unescape(pages["html"])
        for word in [item["label"], item["description"], PREFIX + key, FORMS[3] % key.upper()]:
            expect(word in whole, "2, html: %s has \"%s\"" % (key, word))
        for flag in item.get("flags", []):
            expect(flag["description"] in whole and "|%s|%s|" % (flag["key"], flag["label"]) in pages["markdown"],
                   "2: %s has %s" % (key, flag["key"]))


def check_text(page, items):
    # Version 2.5 writes the setting that is hidden, too.
    lines = [line for line in page.splitlines() if line != PREFIX + "fault = none"]
    for item in items:
        if item["type"] != "GROUP":
            expect("%s%s = %s" % (PREFIX, item["key"], text(item["default"])) in lines, "text: %s has its default" % item["key"],
                   page)
            words = " ".join(line[2:] for line in lines if line.startswith("# "))
            expect(item["description"] in words, "text: %s is described" % item["key"])
    given = [line for line in lines if line.startswith(PREFIX)]
    expect(len(given) == len([item for item in items if item["type"] != "GROUP"]), "text: nothing else is set")


# ---- Is it true? ----

def check_settings(output, values, source, what):
    """The doctor lists what a program gets, and where from."""
    for key, value in values.items():
        value = value.replace("~", os.environ["HOME"]) if value.startswith("~") else value
        line = next((line for line in output.splitlines() if line.startswith("  %s = " % key)), "")
        expect(line == "  %s = %s (%s)" % (key, value, source % key.upper() if "%" in source else source),
               "%s: %s" % (what, key), line or output)


def check_truth(clampler, items, page, home):
    values = {item["key"]: other(item) for item in items if item["type"] != "GROUP"}
    doctor = [clampler, "doctor", "--program", "vkcube"]
    for form in FORMS:
        output = run(doctor, VK_INSTANCE_LAYERS=LAYER, **{form % key.upper(): value for key, value in values.items()})
        check_settings(output, values, form, "by " + form)
    # The generated file, as it is and with other values.
    folder = home / "generated"
    folder.mkdir()
    file = folder / "vk_layer_settings.txt"
    file.write_text(page, encoding="utf-8")
    output = run([clampler, "doctor"], VK_INSTANCE_LAYERS=LAYER, VK_LAYER_SETTINGS_PATH=str(folder))
    expect("Verdict: OK: " in output and "inactive for programs" in output, "the generated file is the defaults", output)
    file.write_text(re.sub(r"^%s(\w+) = .*$" % re.escape(PREFIX), lambda match: "%s = %s" % (
        PREFIX + match[1], values.get(match[1], "none")), page, flags=re.MULTILINE), encoding="utf-8")
    output = run(doctor, VK_INSTANCE_LAYERS=LAYER, VK_LAYER_SETTINGS_PATH=str(folder))
    check_settings(output, values, str(file), "by the generated file")
    shutil.rmtree(folder)


def generate_2(vkconfig, home):
    output = run([vkconfig, "layers", "--list"])
    expect(output.split().count(LAYER) == 1, "vkconfig 2.5 finds the layer by itself", output)
    names = {"html": LAYER + ".html", "markdown": LAYER + ".md", "settings": "vk_layer_settings.txt"}
    pages = {}
    for kind, name in names.items():
        output = run([vkconfig, "doc", "--" + kind, LAYER, home])
        expect((home / name).exists(), "vkconfig 2.5 generates " + kind, output)
        pages[kind] = (home / name).read_text(encoding="utf-8")
    return pages


def generate_3(vkconfig, home):
    # docs/settings.md says so. Does a newer vkconfig look there by itself? Then it is to be mended there and here.
    output = run([vkconfig, "layers", "--list"])
    expect(LAYER not in output, "vkconfig 3.5 finds no installed layers by itself", output)
    added = {"VK_ADD_IMPLICIT_LAYER_PATH": str(home / ".local/share/vulkan/implicit_layer.d")}
    output = run([vkconfig, "layers", "--list"], **added)
    expect(output.split().count(LAYER) == 1, "vkconfig finds the layer where it is told", output)
    pages = {}
    for kind in ["html", "markdown", "txt"]:
        file = home / ("generated." + kind)
        output = run([vkconfig, "settings", "--generate", kind, "--layers", LAYER, "--output", file], **added)
        expect(file.exists(), "vkconfig generates " + kind, output)
        pages[kind] = file.read_text(encoding="utf-8")
    return pages


def main():
    vkconfig, clampler = sys.argv[1:3]
    items = list(shown(json.loads(pathlib.Path(sys.argv[3]).read_text(encoding="utf-8"))))
    home = pathlib.Path(sys.argv[4])
    version = re.search(r"version (\d+)\.", run([vkconfig, "version"]))
    if version and version[1] == "2":
        pages = generate_2(vkconfig, home)
        check_pages_2(pages, items)
        plain = pages["settings"]
    else:
        pages = generate_3(vkconfig, home)
        check_markdown(pages["markdown"], items)
        check_html(pages["html"], items)
        plain = pages["txt"]
    check_text(plain, items)
    check_truth(clampler, items, plain, home)
    finish("documents")


if __name__ == "__main__":
    main()

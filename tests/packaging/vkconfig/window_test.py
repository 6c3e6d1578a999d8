# SPDX-License-Identifier: MIT
"""A user in a real vkconfig 3: finds the layer, reads its page, chooses a preset, changes settings by mouse and keyboard, and
runs vkcube after each step. The log of the layer says what vkcube got.

    window_test.py VKCONFIG_GUI SETTINGS_JSON HOME PICTURE

Needs a screen, a window manager, a session bus with the accessibility bus, and vkcube.
"""

import json
import os
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "harness"))
from checks import expect, finish
from window import BOX, BUTTON, CELL, LIST_ITEM, Missing, Window, click, click_box, click_item, press, xdotool

LAYER, PREFIX = "VK_LAYER_CLAMPLER_gl_sampler", "clampler_gl_sampler."
AUTO, DISCARD, ON, OFF = range(4)  # what becomes of a layer, in the order in which vkconfig offers it
SHOWN = 60  # frames of vkcube

class User:
    def __init__(self, program, settings, home):
        self.home, self.tree = home, settings
        self.layers = home / ".local/share/vulkan/implicit_layer.d"
        self.log = home / "game.log"
        self.file = home / ".local/share/vulkan/settings.d/vk_layer_settings.txt"
        # vkconfig 3.5 looks into no folder of Linux by itself.
        self.window = Window([program], {**os.environ, "VK_ADD_IMPLICIT_LAYER_PATH": str(self.layers)})

    # ---- vkconfig ----

    def open_page(self):
        """A configuration of the user's own, and the layer's page."""
        window = self.window
        window.choose("Bundle default implicit layers", "Show all available layers")
        last = window.all(LIST_ITEM)[-1]
        click(last.x + last.width // 2, last.y + 3 * last.height, button=3)
        press("Down", "Return")  # "Create a new Configuration"
        time.sleep(0.5)
        press("Return")  # its name
        window.find(LIST_ITEM, "New Configuration")
        row = window.rows_of_layers()[0]
        click(row.x + row.width // 4, row.y + row.height // 2)
        window.find(BOX, LAYER)

    def control(self, control):
        self.window.choose_in_row(self.window.rows_of_layers()[0], control, 4)
        if control != AUTO:  # "an implicit layer was overridden ... Do you want to continue?"
            click_item(self.window.find(BUTTON, "Yes"))
            time.sleep(0.5)

    def preset(self, before, name):
        self.window.choose(before, name + " Preset")
        time.sleep(0.5)

    def value(self, key):
        """What vkconfig has written, if only into a comment. It replaces the file as soon as something is changed."""
        def read():
            lines = [line.lstrip("#") for line in self.file.read_text(encoding="utf-8").splitlines()]
            values = [line.partition(" = ")[2] for line in lines if line.strip().startswith(PREFIX + key + " =")]
            return [value.partition(" (Commented out")[0] for value in values]
        return self.window.wait("it writes " + key, read)[0]

    def choose(self, label, key, value):
        """A word of a setting's list."""
        flags = next(item for item in walk(self.tree) if item["key"] == key)["flags"]
        names = [flag["key"] for flag in flags]
        self.window.choose_in_row(self.window.cell(label), names.index(value), len(names))
        time.sleep(0.5)

    def write(self, row, text):
        click(row.x + row.width // 2, row.y + row.height // 2)
        press("ctrl+a")
        xdotool("type", text)
        press("Return")
        time.sleep(1.5)

    # ---- vkcube ----

    def said(self, **env):
        """What the layer writes into its log while vkcube runs."""
        self.log.unlink(missing_ok=True)
        run = subprocess.run(["vkcube", "--c", str(SHOWN)], env={**os.environ, **env}, cwd=self.home, timeout=120,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        expect(run.returncode == 0, "vkcube runs", run.stdout)
        return self.log.read_text(encoding="utf-8") if self.log.exists() else ""


def walk(tree):
    for item in tree:
        yield item
        yield from walk(item.get("settings", []))


def standard(tree):
    """Rows of the page by their labels; flags and fields below have none."""
    for item in tree:
        if item.get("view", "STANDARD") == "STANDARD":
            yield item["label"]
            yield from standard(item.get("settings", []))


# ---- What the user sees and does ----

def check_page(user):
    labels = [cell.name for cell in user.window.cells() if cell.name]
    expect(labels == list(standard(user.tree)), "the page has each group and setting, in their order", "\n".join(labels))
    user.window.find(BOX, LAYER + ":")  # STABLE: another status stands behind the name


def check_auto(user):
    """Without "Enable", settings hold for who asks for the layer: one game among all."""
    user.preset("Default", "Old-game compatibility")
    expect(user.value("gl_clamp") == "edge,border" and user.value("linear_fallback") == "nearest", "a preset is written")
    user.choose("Log Level", "log_level", "info")
    user.write(user.window.cell("Log File", 1), str(user.log))
    expect(user.value("log_level") == "info" and user.value("log_file") == str(user.log), "so is what the user changes")
    expect(user.said() == "", "a program that does not ask has no layer")
    log = user.said(CLAMPLER_ENABLE="1")
    expect("settings from %s (" % user.file in log and "gl_clamp=edge,border linear_fallback=nearest" in log
           and "active (by setting)" in log, "a program that asks has the preset", log)


def check_on(user, picture):
    user.control(ON)
    if picture:
        user.window.picture(picture)
    log = user.said()
    expect("settings from %s (" % user.file in log and "gl_clamp=edge,border" in log and "active (by setting)" in log,
           "with Enable every program has it", log)


def check_presets(user):
    """Presets undo each other, and the one that emulates everything does."""
    user.preset("User-Defined", "Everything emulated (debug)")
    missing = next(item for item in walk(user.tree) if item["key"] == "assume_missing")
    expect(user.value("assume_missing") == ",".join(flag["key"] for flag in missing["flags"]), "a preset sets what is not shown")
    expect(user.value("log_file") == str(user.log), "a preset leaves the user's files alone")
    log = user.said()
    expect("force_active" in log and "tier 2" in log and "linear_all" in log, "everything is emulated", log)
    user.preset("Everything emulated", "GL defaults")
    expect(user.value("assume_missing") == "" and user.value("force_active") == "false" and user.value("gl_clamp") == ""
           and user.value("texel_buffers") == "emulate", "nothing stays of the preset before")


def check_dependence(user):
    """The file is grey while nothing is written into it."""
    user.choose("Log Level", "log_level", "off")
    user.write(user.window.cell("Log File", 1), "/nowhere")
    expect(user.value("log_level") == "off" and user.value("log_file") == str(user.log), "the log file cannot be changed")
    user.choose("Log Level", "log_level", "info")
    user.write(user.window.cell("Log File", 1), str(user.log) + "2")
    expect(user.value("log_file") == str(user.log) + "2", "it can be where there is a log")
    user.write(user.window.cell("Log File", 1), str(user.log))


def check_list(user):
    """A page with a list that is not empty is built again: vkconfig 3 crashes there if a file stands behind the list."""
    user.write(user.window.cell("Alpha-to-One Attachments"), "swapchain")
    expect(user.value("alpha_to_one") == "swapchain", "a word of the list is taken")
    for tab in ["Preferences", "Vulkan Layers Configuration"]:
        user.window.tab(tab)
    labels = [cell.name for cell in user.window.cells() if cell.name]
    expect(labels == list(standard(user.tree)), "the page is built again", "\n".join(labels))
    expect("alpha_to_one=swapchain" in user.said(), "vkcube has the list")


def check_debug(user):
    """What is for whoever works on the layer is shown on request."""
    user.window.tab("Preferences")
    click_box(user.window.find(BOX, "Show debug layer settings"))
    user.window.tab("Vulkan Layers Configuration")
    user.window.find(CELL, "Assume Missing")
    expect("Testing" in [cell.name for cell in user.window.cells()], "the group Testing")


def check_off(user):
    user.control(OFF)
    expect(user.said(CLAMPLER_ENABLE="1") == "", "with Disable nobody has it")
    user.control(ON)
    expect(user.said() != "", "with Enable they have it again")


def check_end(user):
    """vkconfig takes all back that it wrote. docs/settings.md says to leave it open."""
    expect(user.window.close() == 0, "it ends")
    expect(not user.file.exists() and user.said() == "", "a closed vkconfig does nothing")


def main():
    program, settings, home = sys.argv[1], json.loads(pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")), sys.argv[3]
    user = User(program, settings, pathlib.Path(home))
    try:
        user.open_page()
        check_page(user)
        check_auto(user)
        check_on(user, sys.argv[4])
        check_presets(user)
        check_dependence(user)
        check_list(user)
        check_debug(user)
        check_off(user)
        check_end(user)
    except Missing as error:
        expect(False, "vkconfig: %s" % error)
        subprocess.run(["import", "-window", "root", str(pathlib.Path(home) / "failed.png")], check=False)
    finally:
        user.window.process.kill()
    finish("window")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: MIT
"""The window of a running Vulkan Configurator 3: what stands where, by its accessibility tree (AT-SPI), and a mouse and a
keyboard (xdotool). What is not in the tree, such as the boxes inside of the rows, has its place in them."""

import subprocess
import time

import pyatspi

MENU, ROW_LIST, CELL, LIST_ITEM = "menu item", "list", "table cell", "list item"
BUTTON, BOX, COMBO, TAB = "push button", "check box", "combo box", "page tab"


class Missing(Exception):
    """What should be in the window is not."""


def xdotool(*arguments):
    return subprocess.run(["xdotool", *map(str, arguments)], capture_output=True, text=True, check=False).stdout


def walk(node):
    """All that is shown below a node of the tree."""
    for index in range(node.childCount):
        child = node.getChildAtIndex(index)
        if child is not None and child.getState().contains(pyatspi.STATE_SHOWING):
            yield child
            yield from walk(child)


class Item:
    def __init__(self, node):
        extents = node.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
        self.role, self.name, self.children = node.getRoleName(), node.name.strip(), node.childCount
        self.x, self.y, self.width, self.height = extents.x, extents.y, extents.width, extents.height
        self.checked = node.getState().contains(pyatspi.STATE_CHECKED)


def press(*keys):
    for key in keys:
        xdotool("key", key)
    time.sleep(0.3)


def click(x, y, button=1):
    xdotool("mousemove", x, y, "sleep", "0.1", "click", button)
    time.sleep(0.5)


def click_item(item):
    click(item.x + item.width // 2, item.y + item.height // 2)


def click_box(item):
    click(item.x + 8, item.y + item.height // 2)


def click_right_end(item):
    """Where rows have their box with a list, or their button."""
    click(item.x + item.width - 20, item.y + item.height // 2)


class Window:
    SIZE = (1200, 880)

    def __init__(self, command, env):
        self.process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.wait("it opens its window", lambda: self.all(TAB))
        self.id = xdotool("search", "--onlyvisible", "--name", "Vulkan Configurator").split()[0]
        xdotool("windowsize", self.id, *self.SIZE, "windowmove", self.id, 20, 30)
        time.sleep(1)

    def all(self, role):
        """Items of that role."""
        items = []
        for program in pyatspi.Registry.getDesktop(0):
            if program and program.name == "vkconfig":
                items += [Item(node) for part in program for node in [part, *walk(part)] if node.getRoleName() == role]
        return items

    def wait(self, what, condition):
        """For as long as it takes; a minute is a fault."""
        end = time.monotonic() + 60
        while True:
            try:
                found = condition()
            except Exception:  # items that went away meanwhile
                found = None
            if found:
                return found
            if time.monotonic() > end or self.process.poll() is not None:
                raise Missing(what)
            time.sleep(0.2)

    def find(self, role, name):
        """The one whose name begins so."""
        return self.wait("%s \"%s\"" % (role, name), lambda: [item for item in self.all(role) if item.name.startswith(name)])[0]

    def cells(self):
        """Rows of the page of settings."""
        return self.all(CELL)

    def cell(self, label, below=0):
        """The row of a setting, or one that hangs from it."""
        self.find(CELL, label)
        cells = self.cells()
        return cells[[cell.name for cell in cells].index(label) + below]

    def tab(self, name):
        click_item(self.find(TAB, name))

    def choose(self, before, name):
        """Opens the list that shows `before`, and takes `name` from it."""
        click_item(self.find(COMBO, before))
        click_item(self.find(LIST_ITEM, name))

    def choose_in_row(self, row, index, count):
        """The list at a row's right end, which has `count` words, by the keyboard: it is not in the tree."""
        click_right_end(row)
        press(*["Up"] * count, *["Down"] * index, "Return")

    def rows_of_layers(self):
        """The layers in their order. Their names are not in the tree."""
        return [item for item in self.all(LIST_ITEM) if not item.name]

    def picture(self, file):
        subprocess.run(["import", "-window", self.id, str(file)], check=True)

    def close(self):
        xdotool("windowactivate", "--sync", self.id, "key", "alt+F4")
        try:
            return self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise Missing("it ends when its window is closed") from None

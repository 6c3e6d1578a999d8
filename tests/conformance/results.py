# SPDX-License-Identifier: MIT
"""The state folder: what each case came to in each configuration, kept line by line, so that a run can go on where one
was interrupted. A result counts for one program, driver and layer only."""
import collections
import hashlib
import json
import os
import threading

Result = collections.namedtuple("Result", "result seconds process message ids")


def digest(*paths):
    found = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as file:
            for piece in iter(lambda: file.read(1 << 20), b""):
                found.update(piece)
    return found.hexdigest()[:16]


def clean(text):
    return " ".join(text.split())[:400]


class Results:
    def __init__(self, folder, identities):
        """identities: configuration -> text that says by what its results came about."""
        self.folder, self.lock = folder, threading.Lock()
        self.by = {name: {} for name in identities}
        self.outside = {name: set() for name in identities}
        self.verdicts, self.forgotten = {}, []
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, "identities.json")
        known = {}
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                known = json.load(file)
        for name, text in identities.items():
            if known.get(name) != text:
                self.forgotten += [name] * os.path.exists(self.path(name, "results"))
                for kind in ("results", "verdicts", "log", "stats", "messages", "violations", "asked"):
                    if os.path.exists(self.path(name, kind)):
                        os.remove(self.path(name, kind))
            known[name] = text
            self.load(name)
        with open(path + ".new", "w", encoding="utf-8") as file:
            json.dump(known, file, indent=1)
        os.rename(path + ".new", path)

    def path(self, name, kind):
        return os.path.join(self.folder, f"{name}.{kind}")

    def lines(self, name, kind, fields):
        """What was kept; a last line that an interruption cut off is left out."""
        if os.path.exists(self.path(name, kind)):
            with open(self.path(name, kind), encoding="utf-8") as file:
                for line in file:
                    parts = line[:-1].split("\t")
                    if line.endswith("\n") and len(parts) == fields:
                        yield parts

    def load(self, name):
        for case, result, seconds, process, message, ids in self.lines(name, "results", 6):
            if case == "-":
                self.outside[name] |= set(ids.split())
            else:
                self.by[name][case] = Result(result, float(seconds), process, message, frozenset(ids.split()))
        for case, verdict, detail in self.lines(name, "verdicts", 3):
            self.verdicts[name, case] = (verdict, detail)

    def append(self, name, kind, *fields):
        with self.lock, open(self.path(name, kind), "a", encoding="utf-8") as file:
            if file.tell():
                with open(self.path(name, kind), "rb") as whole:
                    whole.seek(-1, os.SEEK_END)
                    if whole.read(1) != b"\n":
                        file.write("\n")
            file.write("\t".join(fields) + "\n")

    def add(self, name, process, case, result, seconds, message, ids):
        kept = Result(result, seconds, process, clean(message), frozenset(ids))
        self.append(name, "results", case, result, f"{seconds:.2f}", process, kept.message, " ".join(sorted(ids)))
        self.by[name][case] = kept

    def add_outside(self, name, ids):
        if ids - self.outside[name]:
            self.append(name, "results", "-", "-", "0", "-", "-", " ".join(sorted(ids)))
            self.outside[name] |= ids

    def add_verdict(self, name, case, verdict, detail):
        self.append(name, "verdicts", case, verdict, clean(detail))
        self.verdicts[name, case] = (verdict, clean(detail))

    def company(self, name, case):
        """The cases that one process ran up to this one, this one last."""
        process, found = self.by[name][case].process, []
        for other, result in self.by[name].items():
            if result.process == process:
                found.append(other)
            if other == case:
                break
        return found

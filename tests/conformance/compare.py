# SPDX-License-Identifier: MIT
"""Which cases differ between configurations, and which of that is expected."""
import collections
import fnmatch
import re

from cases import group_of, top_group

Entry = collections.namedtuple("Entry", "configurations pattern before after reason specification line")
Difference = collections.namedtuple("Difference", "case name before after kind why message")
KINDS = ("differs", "expected", "flaky", "not seen again")


class BadTable(Exception):
    pass


def read_expected(path):
    """The table of what may differ: a line CONFIGURATION,... RESULT>RESULT PATTERN for each entry, and below it, indented,
    its reason and the specification's words, each of which may have several lines."""
    entries, head, texts, key = [], None, {}, None

    def close():
        if head:
            if not texts.get("reason") or not texts.get("specification"):
                raise BadTable(f"{path}:{head[0]}: an entry needs a reason and the specification's words")
            entries.append(Entry(head[1].split(","), head[4], head[2], head[3], texts["reason"], texts["specification"], head[0]))
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.strip() or line.startswith("#"):
                continue
            if line[0].isspace():
                found = re.match(r"\s+(reason|specification):\s*(.*)", line)
                key = found[1] if found else key
                if not head or not key:
                    raise BadTable(f"{path}:{number}: neither an entry nor a part of one")
                texts[key] = f"{texts.get(key, '')} {found[2] if found else line.strip()}".strip()
                continue
            close()
            found = re.fullmatch(r"(\S+)\s+(\w+|\*)>(\w+|\*)\s+(\S+)\s*", line)
            if not found:
                raise BadTable(f"{path}:{number}: not CONFIGURATION RESULT>RESULT PATTERN")
            head, texts, key = (number, *found.groups()), {}, None
    close()
    return entries


def excuse(entries, name, case, before, after):
    for entry in entries:
        if (name in entry.configurations and fnmatch.fnmatchcase(case, entry.pattern) and entry.before in ("*", before)
                and entry.after in ("*", after)):
            return entry
    return None


def unlike(results, cases, against, name):
    """The cases with another result in a configuration."""
    first, second = results.by[against], results.by[name]
    return [case for case in cases if case in first and case in second and first[case].result != second[case].result]


def differences(results, cases, against, names, entries):
    found = []
    for name in names:
        for case in unlike(results, cases, against, name):
            before, after = results.by[against][case], results.by[name][case]
            entry = excuse(entries, name, case, before.result, after.result)
            kind, why = results.verdicts.get((name, case), ("differs", "not run again"))
            if entry:
                kind, why = "expected", entry.reason
            found.append(Difference(case, name, before.result, after.result, kind, why, after.message or before.message))
    return found


class Table:
    """Rows of groups: how many cases, what they came to without the layer, and how many differ in each configuration."""

    def __init__(self, results, cases, against, names, found, fine=False):
        self.names, self.rows, group = names, {}, group_of if fine else top_group
        for case in cases:
            if case in results.by[against]:
                row = self.row(group(case))
                row["cases"] += 1
                row[results.by[against][case].result] += 1
                for name in names:
                    row["compared", name] += case in results.by[name]
        for difference in found:
            self.row(group(difference.case))[difference.name, difference.kind] += 1
        self.total = sum(self.rows.values(), collections.Counter())

    def row(self, group):
        return self.rows.setdefault(group, collections.Counter())

    def cells(self, row):
        """cases, passed, unsupported, other; and for each configuration those that differ, and what of it is excused."""
        passed, unsupported = row["Pass"], row["NotSupported"]
        yield from (row["cases"], passed, unsupported, row["cases"] - passed - unsupported)
        for name in self.names:
            excused = [f"{row[name, kind]} {kind}" for kind in KINDS[1:] if row[name, kind]]
            absent = row["cases"] - row["compared", name]
            excused += [f"{absent} not run"] * bool(absent)
            yield f"{row[name, 'differs']}" + (f" ({', '.join(excused)})" if excused else "")


def message_differences(results, cases, against, names):
    """Messages of validation: (configuration, id, cases with it only with the layer, is it nowhere without the layer)."""
    found = []
    everywhere = set(results.outside[against]).union(*(result.ids for result in results.by[against].values()))
    for name in names:
        only = collections.defaultdict(list)
        for identifier in results.outside[name] - results.outside[against]:
            only[identifier].append("(outside of any case)")
        for case in cases:
            if case in results.by[name] and case in results.by[against]:
                for identifier in results.by[name][case].ids - results.by[against][case].ids:
                    only[identifier].append(case)
        found += [(name, identifier, where, identifier not in everywhere) for identifier, where in sorted(only.items())]
    return found

# SPDX-License-Identifier: MIT
"""The report: text, and one HTML page that needs nothing else."""
import collections
import html
import json
import os
import re

from compare import Table


def statistics(results, names):
    """Configuration -> what the layer counted: devices, those it acted on, draws by tier, modules rewritten."""
    found = {}
    for name in names:
        sums = collections.Counter()
        if os.path.exists(results.path(name, "stats")):
            with open(results.path(name, "stats"), encoding="utf-8", errors="replace") as file:
                for line in file:
                    try:
                        read = json.loads(line)
                    except ValueError:
                        continue
                    sums["devices"] += 1
                    sums["active"] += bool(read.get("active"))
                    for tier, draws in enumerate(read.get("draws", [])):
                        sums[f"tier {tier}"] += draws
                    for counter in ("modules_rewritten", "records_written"):
                        sums[counter] += read.get(counter, 0)
        found[name] = sums
    return found


def alike(path):
    """The lines of a file, those alike but for numbers as one -> how often."""
    found = collections.Counter()
    if os.path.exists(path):
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                found[re.sub(r"0x[0-9a-f]+|\b\d+", "#", line.strip())[:300]] += 1
    return found


def said(results, names, most=8):
    """Configuration -> the layer's own warnings and errors, with how often."""
    return {name: alike(results.path(name, "log")).most_common(most) for name in names}


def violations(results, names):
    """(configuration, what the limited driver said of a use of what it hides, how often)."""
    return [(name, line, times) for name in names
            for line, times in alike(results.path(name, "violations")).most_common()]


class Report:
    def __init__(self, title, results, cases, against, names, found, messages=None):
        self.title, self.results, self.cases, self.against, self.names = title, results, cases, against, names
        self.found, self.messages, self.validated = found, messages or [], messages is not None
        self.coarse = Table(results, cases, against, names, found)
        self.fine = Table(results, cases, against, names, found, fine=True)
        self.counted, self.log = statistics(results, names), said(results, names)
        self.violations = violations(results, names)
        self.head = ["group", "cases", "pass", "not supported", "other", *names]

    def summary(self):
        for name in self.names:
            counts = collections.Counter(item.kind for item in self.found if item.name == name)
            sums = self.counted[name]
            yield (f"{name}: {self.coarse.total['compared', name]} cases compared with {self.against}, "
                   f"{counts['differs']} differ; {counts['expected']} as expected, {counts['flaky']} flaky without the layer "
                   f"as well, {counts['not seen again']} not seen again. The layer counted {sums['devices']} devices "
                   f"({sums['active']} active), draws by tier {sums['tier 0']}, {sums['tier 1']}, {sums['tier 2']}, "
                   f"{sums['modules_rewritten']} modules rewritten.")
        if self.validated:
            heard = [(name, set(self.results.outside[name]).union(*(result.ids for result in self.results.by[name].values())))
                     for name in [self.against, *self.names]]
            yield "Different messages of the validation layer: " + ", ".join(f"{name} {len(ids)}" for name, ids in heard)

    def text(self):
        rows = [self.head] + [[group, *map(str, self.coarse.cells(row))] for group, row in sorted(self.coarse.rows.items())]
        rows.append(["all", *map(str, self.coarse.cells(self.coarse.total))])
        widths = [max(len(row[at]) for row in rows) for at in range(len(self.head))]
        yield self.title
        yield ""
        for row in rows:
            yield "  ".join(cell.ljust(width) if at == 0 else cell.rjust(width)
                            for at, (cell, width) in enumerate(zip(row, widths)))
        yield ""
        yield from self.summary()
        excused = collections.Counter()
        for item in self.found:
            if item.kind == "expected":
                excused[f"{item.name} {item.before}>{item.after}: {item.why}"] += 1
            else:
                yield f"{item.kind}: {item.name} {item.before}>{item.after} {item.case}: {item.why} [{item.message}]"
        yield from (f"expected: {count} cases, {text}" for text, count in excused.items())
        for name in self.names:
            for line, times in self.log[name]:
                yield f"the layer says under {name}, {times} times: {line}"
        yield from (f"violation under {name}, {times} times: {line}" for name, line, times in self.violations)
        for name, identifier, where, new in self.messages:
            yield (f"validation: {name} {identifier}: {'nowhere' if new else 'in other cases only'} without the layer; "
                   f"in {len(where)} cases with it, {', '.join(where[:3])}")

    def html(self):
        def cell(text, kind="td"):
            return f"<{kind}>{html.escape(str(text))}</{kind}>"

        def line(cells, style="", kind="td"):
            return f"<tr{style}>" + "".join(cell(text, kind) for text in cells) + "</tr>"
        yield f"<!doctype html><meta charset='utf-8'><title>{html.escape(self.title)}</title>"
        yield ("<style>body{font:14px sans-serif;max-width:110em}table{border-collapse:collapse}td,th{border-top:1px solid #ccc;"
               "padding:3px 8px;text-align:left;vertical-align:top}.differs{background:#fdd}.all{font-weight:bold}"
               "code{overflow-wrap:anywhere}</style>")
        yield f"<h1>Conformance with the layer and without</h1><p>{html.escape(self.title)}</p><ul>"
        yield from (f"<li>{html.escape(text)}" for text in self.summary())
        yield "</ul><table>" + line(self.head, kind="th")
        for group, row in sorted(self.coarse.rows.items()):
            yield line([group, *self.coarse.cells(row)], " class='differs'" if self.bad(row) else "")
        yield line(["all", *self.coarse.cells(self.coarse.total)], " class='all'") + "</table>"
        yield "<h2>What differs</h2><table>"
        yield line(["", "configuration", self.against, "with the layer", "case", "why", "message"], kind="th")
        for item in self.found:
            yield line([item.kind, item.name, item.before, item.after, item.case, item.why, item.message],
                       f" class='{item.kind.split()[0]}'")
        yield "</table>"
        if self.messages:
            yield "<h2>What validation says only with the layer</h2><table>"
            yield line(["configuration", "message", "without the layer", "cases", "such as"], kind="th")
            for name, identifier, where, new in self.messages:
                yield line([name, identifier, "nowhere" if new else "in other cases", len(where), ", ".join(where[:3])])
            yield "</table>"
        if self.violations:
            yield "<h2>Uses of what the limited driver hides</h2><table>"
            yield from (line([name, times, text]) for name, text, times in self.violations)
            yield "</table>"
        yield "<h2>What the layer says</h2><table>"
        for name in self.names:
            yield from (line([name, times, text]) for text, times in self.log[name])
        yield "</table><h2>Every group</h2><table>" + line(self.head, kind="th")
        for group, row in sorted(self.fine.rows.items()):
            yield line([group, *self.fine.cells(row)], " class='differs'" if self.bad(row) else "")
        yield "</table>"

    def bad(self, row):
        return any(row[name, "differs"] for name in self.names)

    def write(self, folder):
        """report.txt, report.html and differences.json; the text as well as what is returned."""
        text = "\n".join(self.text()) + "\n"
        for name, content in (("report.txt", text), ("report.html", "\n".join(self.html()) + "\n"),
                              ("differences.json", json.dumps([item._asdict() for item in self.found], indent=1) + "\n")):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(content)
        return text

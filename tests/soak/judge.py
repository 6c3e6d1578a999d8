# SPDX-License-Identifier: MIT
"""
What scripts/suites/soak calls flat. Behind the warm-up each program's growth is the slope that half of all pairs of samples
exceed (Theil and Sen's), which single peaks do not move, times the time that was judged. It may be

    memory       1 MiB and 1 % of what there was, beyond what the same program grows by without the layer
    live_bytes   64 KiB and 1 %: memory of what the layer tracks
    live_objects 2 and 5 %: handles in the layer's tables, at their peak between two samples, as programs give back what they
                 no longer need in batches; beyond that two (and 1 KiB of live_bytes) for each object that the program
                 itself leaves behind, a view and what fills it with alpha (own_objects: zink 22.3 leaves views of the
                 swapchains of other window sizes)
    descriptors  less than 1, beyond what the program grows by without the layer
    threads      the same

Programs run to the end. Between any two samples come frames, and of emulated programs draws above tier 0; no submission may be
outgrown.
Counters of what must not happen any more (STEADY) stay as they are: no pipeline, no shader, no driver's sampler is made.
"""

COUNTERS = ["active", "live_objects", "live_bytes", "draws_0", "draws_1", "draws_2", "pipelines_0", "pipelines_1",
            "pipelines_2", "modules_rewritten", "driver_samplers", "records_written", "sets_uploaded", "blend_variants",
            "alpha_written", "alpha_fills", "compiled_ahead", "compiled_at_draws", "outgrown_submits"]
COLUMNS = ["minute", "program", "way", "memory_kb", "pss_kb", "rss_kb", "descriptors", "threads", "cpu_s",
           "presents", "own_objects"] + COUNTERS
STEADY = ["pipelines_1", "pipelines_2", "modules_rewritten", "driver_samplers", "blend_variants", "compiled_ahead",
          "compiled_at_draws"]
# column: what may be added, and what share of the first value
BOUNDS = {"memory_kb": (1024, 0.01), "live_bytes": (65536, 0.01), "live_objects": (2, 0.05), "descriptors": (0.99, 0),
          "threads": (0.99, 0)}
# For each object that the program leaves behind.
LEFT_BEHIND = {"live_objects": 2, "live_bytes": 1024}
COMPARED = {"memory_kb", "descriptors", "threads"}


def read(path):
    """The rows of a table that soak() wrote."""
    with open(path, encoding="ascii") as file:
        names = file.readline().rstrip("\n").split("\t")
        rows = [dict(zip(names, line.rstrip("\n").split("\t"))) for line in file]
    for row in rows:
        for name in names:
            if name not in ("program", "way"):
                row[name] = float(row[name]) if row[name] else 0
    return rows


def median(values):
    values = sorted(values)
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


def growth(rows, column):
    """By how much a column grows over the rows."""
    points = [(row["minute"], row.get(column, 0)) for row in rows]
    slopes = [(b[1] - a[1]) / (b[0] - a[0]) for i, a in enumerate(points) for b in points[i + 1:] if b[0] > a[0]]
    return median(slopes) * (points[-1][0] - points[0][0]) if slopes else 0


def judge(rows, warm_up, emulated):
    """Lines of a report, and what is not as it should be. The programs of `emulated` must draw above tier 0."""
    lines = [f"{'program':13} {'what':13} {'at first':>10} {'growth':>9} {'without':>9} {'bound':>9}"]
    faults = [] if rows else ["no program was sampled"]
    for name in sorted({row["program"] for row in rows}):
        ways = {way: [row for row in rows if row["program"] == name and row["way"] == way and row["minute"] >= warm_up]
                for way in ("with", "without")}
        ours, without = ways["with"], ways["without"]
        if len(ours) < 4 or len(without) < 4:
            faults.append(f"{name}: {len(ours)} and {len(without)} samples behind the warm-up are too few to judge")
            continue
        for column, (added, share) in BOUNDS.items():
            first, grown = median([row.get(column, 0) for row in ours[:4]]), growth(ours, column)
            other = growth(without, column) if column in COMPARED else 0
            bound = added + share * first + max(other, 0)
            bound += LEFT_BEHIND.get(column, 0) * max(growth(ours, "own_objects"), 0)
            lines.append(f"{name:13} {column:13} {first:10.0f} {grown:9.1f} "
                         f"{f'{other:9.1f}' if column in COMPARED else '':>9} {bound:9.1f}")
            if grown > bound:
                faults.append(f"{name}: {column} grows by {grown:.1f}, which is more than {bound:.1f}")
        for way, of_way in ways.items():
            if of_way[-1]["minute"] < rows[-1]["minute"]:
                faults.append(f"{name}: {way} the layer it ended before minute {rows[-1]['minute']}")
            stills = [b["minute"] for a, b in zip(of_way, of_way[1:]) if b.get("presents", 0) <= a.get("presents", 0)]
            if stills:
                faults.append(f"{name}: {way} the layer no frame came before minute {stills[0]}")
        faults += [f"{name}: {fault}" for fault in counted(ours, name in emulated)]
        base, layer = median([row["memory_kb"] for row in without]), median([row["memory_kb"] for row in ours])
        cpu = (ours[-1]["cpu_s"] - ours[0]["cpu_s"]) / ((ours[-1]["minute"] - ours[0]["minute"]) * 60)
        frames = ours[-1]["presents"] - ours[0]["presents"]
        lines.append(f"{name:13} {frames:.0f} frames, {100 * cpu:.0f} % of a core; memory with the layer {layer:.0f} kB, "
                     f"without {base:.0f} kB; draws by tier " +
                     " ".join(f"{ours[-1].get(f'draws_{tier}', 0) - ours[0].get(f'draws_{tier}', 0):.0f}"
                              for tier in range(3)))
    return lines, faults


def counted(rows, emulated):
    """What the layer's own counters say against one program's run."""
    first, last = rows[0], rows[-1]
    grown = {column: last.get(column, 0) - first.get(column, 0) for column in COUNTERS}
    if not last.get("active", 0) or not last.get("live_objects", 0):
        yield "the layer was not there, or inert"
    if emulated and grown["draws_1"] + grown["draws_2"] <= 0:
        yield "nothing was emulated: no draw above tier 0 behind the warm-up"
    if grown["outgrown_submits"]:
        yield f"{grown['outgrown_submits']:.0f} submissions were outgrown"
    for column in STEADY:
        if grown[column]:
            yield f"{column} grew by {grown[column]:.0f} behind the warm-up"

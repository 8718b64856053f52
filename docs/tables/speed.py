"""How fast it is, and what it takes: tables of time and memory."""

from __future__ import annotations

from docs.tables.layout import markdown, stored, times_as_long

SCALED = "\\*"  # behind a time that was measured on a part of the queries


def steps() -> str:
    """Return the race of one step of a listwise objective: time and memory, also as multiples of the exact form's."""
    batches = stored("objective_cpu")["batches"]
    rows = []
    for who in next(iter(batches.values())):
        cells = [who]
        for found in batches.values():
            row, base = found[who], found["evenrank exact"]
            ratios = [times_as_long(row[key], base[key]) for key in ("seconds", "megabytes")] if row else []
            cells.append(
                f"{row['seconds']:.2g} s, {row['megabytes']:,.0f} MB ({', '.join(ratios)})" if row else "does not fit"
            )
        rows.append(cells)
    return markdown(["", *(f"M = {int(size):,}" for size in batches)], rows)


def hamming() -> str:
    """Return the race of Hamming evaluation: seconds, and how many times as long as evenrank to AP."""
    race = stored("tally_cpu")["race"]
    part = {(row["who"], row["case"]) for row in race if row["scaled"]}
    seconds = {(row["who"], row["case"]): row["seconds"] for row in race}
    giga = {row["case"]: row["gigapairs"] for row in race if row["who"] == "evenrank tally"}
    rows = []
    for who in dict.fromkeys(row["who"] for row in race):
        times = {case: seconds[who, case] for case in "ABC"}
        ratios = [
            f"{t:.3g} s{SCALED if (who, case) in part else ''} ({times_as_long(t, seconds['evenrank AP', case])})"
            for case, t in times.items()
        ]
        if who == "evenrank tally":
            ratios = [f"{t:.3g} s, {giga[case]:.3g} Gpairs/s" for case, t in times.items()]
        rows.append([who, *ratios])
    return markdown(
        ["", "A: 1,000 × 59,000, 48 bit", "B: 10,000 × 50,000, 64 bit", "C: 1,000 × 1,000,000, 64 bit"], rows
    )


def real() -> str:
    """Return the race of real-valued evaluation."""
    found = stored("embeddings_cpu")
    cases = ("SOP-like", "CIFAR-like")
    rows = []
    for who in found[cases[0]]:
        cells = [who]
        for case in cases:
            row, base = found[case][who], found[case]["evenrank"]["seconds"]
            ratio, mark = times_as_long(row["seconds"], base), SCALED if row["share"] < 1 else ""
            cells.append(f"{row['seconds']:.3g} s{mark} ({ratio}), {row['gigabytes']:.2f} GB")
        rows.append(cells)
    return markdown(["", "SOP-like: 60,502 × itself", "CIFAR-like: 10,000 × 50,000"], rows)


def special() -> str:
    """Return the special cases of the Hamming kernel, as multiples of the base case."""
    found = stored("tally_cpu")
    rows = [[name, f"{ratio:.2f} ×"] for name, ratio in found["cases"].items()]
    return markdown(["1,000 × 50,000, 64 bit, 10 classes", "time"], rows)


def scaling() -> str:
    """Return the slopes of log time and the memory that the tally adds."""
    found = stored("tally_cpu")
    slopes = [[f"slope of log time in {what}", f"{slope:.2f}"] for what, slope in found["slopes"].items()]
    memory = [[f"memory added by {case}", f"{size / 1e6:.0f} MB"] for case, size in found["memory"].items()]
    return markdown(["", ""], slopes + memory)


def loading() -> str:
    """Return what reading CIFAR-10 takes, beside the obvious way."""
    found = stored("load_cifar10")
    rows = [
        [who, f"{row['seconds']:.2f} s", f"{row['arrays_mb']:.0f} MB + {row['beyond_arrays']:.0%}"]
        for who, row in found.items()
        if isinstance(row, dict)
    ]
    return markdown(["60,000 images", "time", "memory: arrays + more"], rows)


def waiting() -> str:
    """Return how long starting takes, and what an interval over many queries costs."""
    start, bootstrap = stored("start_up"), stored("bootstrap_cpu")
    rows = [[what, f"{seconds:.2f} s"] for what, seconds in start.items()]
    interval = f"BCa interval over {bootstrap['queries']:,} queries, {bootstrap['evenrank_mb']:.0f} MB"
    return markdown(["", ""], [*rows, [interval, f"{bootstrap['evenrank_s']:.2f} s"]])


def larger() -> str:
    """Return what a database larger than memory takes."""
    found = stored("memory_map")
    rows = [
        ["memory map", f"{found['gigabytes']} GB, {found['rows']:,} codes of 64 bits"],
        ["memory of the machine", f"{found['machine_gb']:.0f} GB"],
        [f"{found['queries']} queries", f"{found['seconds']:.0f} s, {found['gigapairs']:.1f} Gpairs/s"],
        ["memory of the process itself", f"{found['own_mb']:.0f} MB"],
    ]
    return markdown(["", ""], rows)

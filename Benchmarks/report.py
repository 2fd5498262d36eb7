"""The results as Markdown."""

import dataclasses
import datetime
import platform
import subprocess


@dataclasses.dataclass
class Row:
    work: str
    ours: str
    beside: str
    bar: str
    holds: object = None

    @property
    def verdict(self):
        return {True: "yes", False: "**no**", None: ""}[self.holds]


def seconds(value):
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.2f} s"


def milliseconds(value):
    return f"{value * 1000:.1f} ms"


def marked(text, holds):
    """A figure in bold if it misses its bar, for rows with several."""
    return text if holds else f"**{text}**"


def version(*command):
    try:
        lines = subprocess.run(command, capture_output=True, text=True).stdout.splitlines()
        return lines[0].strip() if lines else "?"
    except FileNotFoundError:
        return "not installed"


def table(rows):
    lines = ["| work | blog | beside it | bar | holds |", "| --- | --- | --- | --- | --- |"]
    lines += [f"| {row.work} | {row.ours} | {row.beside} | {row.bar} | {row.verdict} |" for row in rows]
    return "\n".join(lines)


def growth_table(sizes, growth):
    lines = ["| command | " + " | ".join(f"{size:,} posts" for size in sizes) + " |",
             "| --- |" + " --- |" * len(sizes)]
    for name, runs in growth.items():
        cells = [f"{seconds(run.wall)}, {run.peak:.0f} MiB" if run else "skipped" for run in runs]
        lines.append(f"| `{name}` | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def machine():
    with open("/proc/cpuinfo") as file:
        cpu = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), "?")
    versions = [version("swift", "--version"), version("curl", "--version").split(" (")[0],
                version("jq", "--version"), version("python3", "--version"), "node " + version("node", "--version"),
                version("rg", "--version"), version("hyperfine", "--version"), "SQLite " + sqlite()]
    cores = subprocess.run(["nproc"], capture_output=True, text=True).stdout.strip()
    return (f"{datetime.date.today():%d %B %Y}; {cpu}, {cores} cores, {platform.system()} {platform.release()}. "
            + ", ".join(versions) + ".")


def sqlite():
    import sqlite3

    return sqlite3.sqlite_version

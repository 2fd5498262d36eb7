"""What was measured, as Markdown and as a picture."""

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
        cells = [f"{seconds(run.wall)}, {run.peak:.0f} MiB" for run in runs]
        lines.append(f"| `{name}` | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def growth_plot(sizes, growth):
    """Time against the number of posts, both on logarithmic scales, as SVG."""
    import math

    width, height, left, bottom, right, top = 760, 420, 60, 40, 250, 20
    colours = ["#4269d0", "#efb118", "#ff725c", "#6cc5b0", "#3ca951", "#ff8ab7", "#a463f2", "#97bbf5", "#9c6b4e"]
    low, high = -2.0, math.ceil(math.log10(max(run.wall for runs in growth.values() for run in runs)))

    def x(size):
        span = math.log10(sizes[-1]) - math.log10(sizes[0])
        return left + (math.log10(size) - math.log10(sizes[0])) / span * (width - left - right)

    def y(value):
        return height - bottom - (math.log10(max(value, 0.01)) - low) / (high - low) * (height - top - bottom)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
             'font-size="12"><title>Time of commands against the number of stored posts</title>'
             f'<rect width="{width}" height="{height}" fill="#fff"/>']
    for power in range(int(low), high + 1):
        at = y(10.0 ** power)
        parts.append(f'<path d="M{left} {at:.1f}H{width - right}" stroke="#ddd"/><text x="{left - 6}" y="{at + 4:.1f}" '
                     f'text-anchor="end">{seconds(10.0 ** power)}</text>')
    for size in sizes:
        parts.append(f'<text x="{x(size):.1f}" y="{height - bottom + 18}" text-anchor="middle">{size:,}</text>')
    parts.append(f'<text x="{(left + width - right) / 2}" y="{height - 6}" text-anchor="middle">posts</text>')
    labels = sorted(growth, key=lambda name: y(growth[name][-1].wall))
    spread = {}
    for name in labels:
        above = max(spread.values(), default=top - 16)
        spread[name] = max(y(growth[name][-1].wall), above + 16)
    for colour, name in zip(colours, growth):
        points = [(x(size), y(run.wall)) for size, run in zip(sizes, growth[name])]
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>' for a, b in points]
        parts.append(f'<path d="M{points[-1][0] + 4:.1f} {points[-1][1]:.1f}L{width - right + 14} {spread[name]:.1f}" '
                     f'stroke="{colour}" opacity=".4"/><text x="{width - right + 18}" y="{spread[name] + 4:.1f}" '
                     f'fill="{colour}">{name.replace("blog ", "")}</text>')
    return "\n".join(parts) + "\n</svg>\n"


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

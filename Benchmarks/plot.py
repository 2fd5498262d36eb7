"""The plot of the commands' growth."""

import math

from report import seconds

COLOURS = ["#4269d0", "#efb118", "#ff725c", "#6cc5b0", "#3ca951", "#ff8ab7", "#a463f2", "#97bbf5", "#9c6b4e"]
WIDTH, HEIGHT, LEFT, BOTTOM, RIGHT, TOP = 760, 480, 60, 40, 250, 20
LINE = 16
LOWEST = -2


def growth_plot(sizes, growth):
    """Time over the number of posts, both on logarithmic scales, as SVG."""
    series = {name: [(size, run.wall) for size, run in zip(sizes, runs) if run] for name, runs in growth.items()}
    highest = math.ceil(math.log10(max(wall for points in series.values() for _, wall in points)))

    def x(size):
        first, last = math.log10(sizes[0]), math.log10(sizes[-1])
        return LEFT + (math.log10(size) - first) / (last - first) * (WIDTH - LEFT - RIGHT)

    def y(wall):
        power = max(math.log10(wall), LOWEST)
        return HEIGHT - BOTTOM - (power - LOWEST) / (highest - LOWEST) * (HEIGHT - TOP - BOTTOM)

    labels = spread({name: y(points[-1][1]) for name, points in series.items()})
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
             'font-size="12"><title>Time of commands against the number of stored posts</title>'
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>']
    for power in range(LOWEST, highest + 1):
        at = y(10.0 ** power)
        parts.append(f'<path d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/><text x="{LEFT - 6}" y="{at + 4:.1f}" '
                     f'text-anchor="end">{seconds(10.0 ** power)}</text>')
    for size in sizes:
        parts.append(f'<text x="{x(size):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{size:,}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 6}" text-anchor="middle">posts</text>')
    for index, (name, points) in enumerate(series.items()):
        # When all colours are used, they are repeated with dashes.
        colour, dashes = COLOURS[index % len(COLOURS)], "" if index < len(COLOURS) else ' stroke-dasharray="6 3"'
        dots = [(x(size), y(wall)) for size, wall in points]
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in dots)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>')
        parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>' for a, b in dots]
        parts.append(f'<path d="M{dots[-1][0] + 4:.1f} {dots[-1][1]:.1f}L{WIDTH - RIGHT + 14} {labels[name]:.1f}" '
                     f'stroke="{colour}" opacity=".4"{dashes}/><text x="{WIDTH - RIGHT + 18}" '
                     f'y="{labels[name] + 4:.1f}" fill="{colour}">{name.replace("blog ", "")}</text>')
    return "\n".join(parts) + "\n</svg>\n"


def spread(positions):
    """Moves labels apart so that they don't overlap, within the picture."""
    moved, above = {}, 0
    for name in sorted(positions, key=positions.get):
        above = moved[name] = max(positions[name], above + LINE)
    below = HEIGHT
    for name in reversed(moved):
        below = moved[name] = min(moved[name], below - LINE)
    return moved

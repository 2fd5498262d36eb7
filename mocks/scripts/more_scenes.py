"""The other half of what the photos of the mock show, and the table of all of it."""

from canvas import mixed
from scenes import (LANDSCAPE, PORTRAIT, SQUARE, WIDE, aurora, balloon, bridge, canyon, city, dunes, ferry, forest,
                    glacier, kites, lake, lanterns)


def lighthouse(canvas):
    canvas.gradient("#20304f", "#4f5f80", "#c99a7c")
    canvas.polygon("#f6e6a8", (0.6, 0.25), (0, 0.08), (0, 0.3))
    canvas.hills("#2c3844", 0.82, 0.1, 0.7, 4)
    canvas.gradient("#27425a", "#0f2436", top=0.86)
    canvas.polygon("#f4f1ea", (0.56, 0.3), (0.64, 0.3), (0.67, 0.8), (0.53, 0.8))
    for top in (0.38, 0.54, 0.7):
        half = 0.042 + (top - 0.3) * 0.06
        canvas.box("#c23b32", 0.6 - half, top, 0.6 + half, top + 0.07)
    canvas.box("#ffe9a0", 0.57, 0.22, 0.63, 0.3)
    canvas.polygon("#38232a", (0.55, 0.22), (0.65, 0.22), (0.6, 0.15))


def moon(canvas):
    canvas.gradient("#070b1f", "#16244a", "#3b4d7a", bottom=0.6)
    canvas.stars(120, 0.5)
    canvas.glow("#8f9cc4", 0.5, 0.27, 0.3)
    canvas.disc("#f6f0d8", 0.5, 0.27, 0.1)
    canvas.disc("#e3dabb", 0.48, 0.25, 0.02)
    canvas.disc("#e3dabb", 0.53, 0.3, 0.03)
    canvas.gradient("#1e2f57", "#050916", top=0.6)
    for index in range(46):
        y = 0.61 + index * 0.008
        half = 0.02 + index * 0.002 + canvas.random.uniform(0, 0.03)
        canvas.line("#c9c6b4", 1.5, (0.5 - half, y), (0.5 + half, y))


def orchard(canvas):
    canvas.gradient("#b8def2", "#eef6e6", bottom=0.5)
    canvas.fill("#9cc56b", top=0.5)
    for row, (y, size) in enumerate([(0.5, 0.08), (0.6, 0.12), (0.78, 0.18)]):
        for index in range(7 - row * 2):
            x = (index + 0.5) / (7 - row * 2)
            canvas.box("#6b4a32", x - size * 0.07, y, x + size * 0.07, y + size * 0.9)
            for side in (-0.5, 0, 0.5):
                canvas.disc("#f6c9d6" if side else "#f2adc2", x + side * size * 0.7, y - abs(side) * -0.04, size * 0.6)


def penguins(canvas):
    canvas.gradient("#a9c9e6", "#dfeaf5", bottom=0.5)
    canvas.peaks("#f5fafd", 0.55, 0.2, 5)
    canvas.fill("#e9f1f6", top=0.52)
    for x, y, size in [(0.3, 0.62, 0.13), (0.48, 0.68, 0.16), (0.7, 0.64, 0.14), (0.83, 0.58, 0.09)]:
        canvas.disc("#cfdde6", x, y + size * 1.35, size * 0.6, 0.2)
        canvas.disc("#1d242c", x, y, size * 0.62, 2.1)
        canvas.disc("#fbfbf8", x, y + size * 0.25, size * 0.42, 2.2)
        canvas.disc("#1d242c", x, y - size * 0.9, size * 0.38)
        canvas.polygon("#f09a26", (x, y - size * 0.95), (x + size * 0.45, y - size * 0.85), (x, y - size * 0.75))


def rain(canvas):
    canvas.gradient("#2b3440", "#4a5a66", "#2a3038")
    for _ in range(26):
        x, y = canvas.random.random(), canvas.random.uniform(0.15, 0.85)
        colour = canvas.random.choice(["#f2b457", "#d9534a", "#6fb3c9", "#e9d48a"])
        canvas.glow(colour, x, y, canvas.random.uniform(0.06, 0.16))
    for _ in range(150):
        x, y = canvas.random.random(), canvas.random.random()
        canvas.line("#9fb0bb", 1, (x, y), (x - 0.006, y + 0.04))


def roofs(canvas):
    canvas.fill("#a8d5e8")
    for row, base in enumerate([0.3, 0.48, 0.68]):
        for index in range(5):
            left = index / 5 - 0.05 * (row % 2)
            wall = ["#f1e4c9", "#e8c9a0", "#f6efe0", "#d9b99b"][(index + row) % 4]
            canvas.box(wall, left, base, left + 0.2, 1)
            canvas.polygon(["#b5482f", "#9c3b27", "#c75b3c"][(index * 2 + row) % 3], (left - 0.01, base),
                           (left + 0.1, base - 0.14), (left + 0.21, base))
            for x in (0.05, 0.12):
                canvas.box("#4e6a7a", left + x, base + 0.05, left + x + 0.03, base + 0.12)


def sails(canvas):
    canvas.fill("#cfeaf5")
    canvas.fill("#2a7fa8", top=0.66)
    for x, base, size, colour in [(0.25, 0.68, 0.3, "#ffffff"), (0.6, 0.74, 0.45, "#f4c95d"),
                                  (0.85, 0.67, 0.18, "#e4572e")]:
        canvas.polygon(colour, (x, base - size), (x, base - 0.03), (x + size * 0.4, base - 0.03))
        canvas.polygon("#e9eef2", (x - 0.01, base - size * 0.85), (x - 0.01, base - 0.03),
                       (x - size * 0.25, base - 0.03))
        canvas.polygon("#5b3a29", (x - size * 0.3, base - 0.02), (x + size * 0.42, base - 0.02),
                       (x + size * 0.3, base + 0.03), (x - size * 0.2, base + 0.03))


def stars(canvas):
    canvas.gradient("#04050f", "#0d1230", "#27224a")
    for index in range(22):
        canvas.ring(mixed("#8f95c9", "#23254f", index / 22), 0.5, 0.78, 0.05 + index * 0.036, 1.5)
    canvas.hills("#05060b", 0.9, 0.12, 1.3, 1)
    canvas.box("#05060b", 0.46, 0.7, 0.54, 0.95)
    canvas.disc("#05060b", 0.5, 0.7, 0.04)


def storm(canvas):
    canvas.gradient("#1c2027", "#454c57", "#7d7f78", bottom=0.7)
    for _ in range(26):
        shade = canvas.random.randint(38, 88)
        canvas.disc((shade, shade + 4, shade + 12), canvas.random.random(), canvas.random.uniform(0, 0.3),
                    canvas.random.uniform(0.06, 0.16), 0.6)
    canvas.fill("#8f8a4c", top=0.72)
    canvas.fill("#6d6b39", top=0.84)
    canvas.polygon("#fff7c9", (0.62, 0.28), (0.56, 0.5), (0.6, 0.5), (0.54, 0.74), (0.66, 0.46), (0.615, 0.46),
                   (0.66, 0.28))


def tulips(canvas):
    canvas.fill("#bfe3f5")
    canvas.fill("#6f9f4f", top=0.35)
    for row in range(7):
        y = 0.4 + row * 0.085
        size = 0.015 + row * 0.006
        colour = ["#d7263d", "#f4d35e", "#ee964b", "#f7f3e3", "#9d4edd", "#ef476f", "#d7263d"][row]
        for index in range(int(1 / size / 2.2) + 1):
            x = (index + (row % 2) * 0.5) * size * 2.2
            canvas.line("#3f6f35", 2, (x, y), (x, y + 0.1))
            canvas.disc(colour, x, y, size, 1.3)


def volcano(canvas):
    canvas.gradient("#f2e2cf", "#e9b7a4", "#8c7fa8")
    canvas.polygon("#544a63", (0.08, 0.85), (0.44, 0.28), (0.56, 0.28), (0.92, 0.85))
    canvas.polygon("#f7f5f2", (0.36, 0.4), (0.44, 0.28), (0.56, 0.28), (0.64, 0.4), (0.57, 0.37), (0.5, 0.44),
                   (0.43, 0.37))
    for index in range(7):
        canvas.disc((225 - index * 8, 215 - index * 8, 214 - index * 7), 0.52 + index * 0.05, 0.24 - index * 0.025,
                    0.03 + index * 0.012)
    canvas.fill("#3f5b4a", top=0.85)


def yurts(canvas):
    canvas.fill("#5fa8dd")
    canvas.hills("#9fb46a", 0.7, 0.12, 0.8, 1)
    canvas.fill("#c6b866", top=0.74)
    for x, base, size in [(0.25, 0.8, 0.13), (0.55, 0.86, 0.2), (0.85, 0.78, 0.1)]:
        canvas.polygon("#efe6d2", (x - size, base - size * 0.55), (x, base - size * 1.05),
                       (x + size, base - size * 0.55))
        canvas.box("#fbf7ec", x - size, base - size * 0.56, x + size, base)
        canvas.box("#c9572c", x - size * 0.18, base - size * 0.5, x + size * 0.18, base)
        canvas.line("#3b6ea5", 3, (x - size, base - size * 0.3), (x - size * 0.2, base - size * 0.3))
        canvas.line("#3b6ea5", 3, (x + size * 0.2, base - size * 0.3), (x + size, base - size * 0.3))


# The name of a file without its ending, what draws it, its size, and its format: flat shapes are smaller as PNG.
SCENES = {
    "aurora": (aurora, LANDSCAPE, "jpg"), "balloon": (balloon, PORTRAIT, "jpg"), "bridge": (bridge, WIDE, "jpg"),
    "canyon": (canyon, PORTRAIT, "jpg"), "city": (city, LANDSCAPE, "jpg"), "dunes": (dunes, LANDSCAPE, "jpg"),
    "ferry": (ferry, LANDSCAPE, "jpg"), "forest": (forest, PORTRAIT, "jpg"), "glacier": (glacier, LANDSCAPE, "jpg"),
    "kites": (kites, PORTRAIT, "png"), "lake": (lake, LANDSCAPE, "jpg"), "lanterns": (lanterns, SQUARE, "png"),
    "lighthouse": (lighthouse, LANDSCAPE, "jpg"), "moon": (moon, SQUARE, "jpg"), "orchard": (orchard, WIDE, "jpg"),
    "penguins": (penguins, LANDSCAPE, "jpg"), "rain": (rain, PORTRAIT, "jpg"), "roofs": (roofs, LANDSCAPE, "png"),
    "sails": (sails, LANDSCAPE, "png"), "stars": (stars, SQUARE, "jpg"), "storm": (storm, WIDE, "jpg"),
    "tulips": (tulips, LANDSCAPE, "png"), "volcano": (volcano, LANDSCAPE, "jpg"), "yurts": (yurts, LANDSCAPE, "png"),
}

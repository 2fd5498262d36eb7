"""The scenes of the mock photos: a function for each, and the table of their files."""

import math

from canvas import mixed

LANDSCAPE, PORTRAIT, SQUARE, WIDE = (900, 600), (600, 900), (800, 800), (900, 420)


def aurora(canvas):
    canvas.gradient("#050a24", "#0c2440", "#16424f")
    canvas.stars(160, 0.6)
    for index, colour in enumerate(["#1b6b58", "#2a9d6f", "#58c98a", "#8fe3a4"]):
        top = 0.14 + index * 0.05
        upper = [(step / 60, top + 0.06 * math.sin(step / 7 + index)) for step in range(61)]
        canvas.polygon(colour, *upper, *[(x, y + 0.03 + 0.02 * math.sin(x * 9)) for x, y in reversed(upper)])
    canvas.peaks("#0a1622", 0.85, 0.3, 5)
    canvas.fill("#04090f", top=0.85)


def balloon(canvas):
    canvas.gradient("#8ec5e8", "#fbe3c0", "#f6b78a")
    canvas.hills("#b98b6a", 0.85, 0.12, 1.5)
    canvas.hills("#8d5f4a", 0.95, 0.12, 2.5, 1)
    for x, y, size, colour in [(0.5, 0.32, 0.2, "#d8443c"), (0.2, 0.55, 0.07, "#3d6fb5"), (0.82, 0.5, 0.09, "#f2c230")]:
        canvas.polygon(colour, (x - size * 0.9, y + size * 0.4), (x + size * 0.9, y + size * 0.4), (x, y + size * 1.5))
        canvas.disc(colour, x, y, size)
        canvas.disc("#fff6e6", x, y, size * 0.35, 2.7)
        canvas.box("#5a3a28", x - size * 0.12, y + size * 1.45, x + size * 0.12, y + size * 1.65)


def bridge(canvas):
    canvas.gradient("#f7d9c4", "#e79c7a", "#94668a")
    canvas.hills("#6d5876", 0.62, 0.12, 1.2, 2)
    canvas.gradient("#6b6a92", "#39416b", top=0.62)
    for x in (0.28, 0.72):
        canvas.box("#8f2f24", x - 0.015, 0.18, x + 0.015, 0.8)
    cable = [(step / 50, 0.2 + 0.34 * (1 - abs(((step / 50 - 0.28) % 0.44) / 0.22 - 1)) ** 2) for step in range(51)]
    canvas.line("#8f2f24", 4, *cable)
    for x, y in cable[::2]:
        canvas.line("#8f2f24", 1, (x, y), (x, 0.6))
    canvas.box("#a33a2c", 0, 0.585, 1, 0.615)


def canyon(canvas):
    canvas.gradient("#6fb1dd", "#cfe4ea", bottom=0.45)
    for index, colour in enumerate(["#e8a56f", "#d0804e", "#b4603a", "#8c4228", "#5f2a1b"]):
        gap = 0.42 - index * 0.09
        top = 0.22 + index * 0.09
        canvas.polygon(colour, (0, top), (0.5 - gap, top + 0.02), (0.5 - gap * 0.5, 1), (0, 1))
        canvas.polygon(colour, (1, top - 0.03), (0.5 + gap, top), (0.5 + gap * 0.5, 1), (1, 1))
    canvas.polygon("#3f8f93", (0.47, 0.8), (0.53, 0.8), (0.62, 1), (0.38, 1))


def city(canvas):
    canvas.gradient("#1b1140", "#5a2a66", "#e2725b")
    for colour, base in [("#3a2452", 0.45), ("#221638", 0.6), ("#120b22", 0.74)]:
        x = 0.0
        while x < 1:
            width, top = canvas.random.uniform(0.04, 0.1), base + canvas.random.uniform(-0.16, 0.08)
            canvas.box(colour, x, top, x + width, 1)
            for row in range(int((1 - top) / 0.03)):
                for column in range(int(width / 0.018)):
                    if canvas.random.random() < 0.3:
                        left, upper = x + 0.005 + column * 0.018, top + 0.01 + row * 0.03
                        canvas.box("#ffd98a", left, upper, left + 0.007, upper + 0.012)
            x += width


def dunes(canvas):
    canvas.gradient("#3b6fb0", "#a9cfe2", bottom=0.5)
    for index, (lit, shade) in enumerate([("#f0c27a", "#c98d4e"), ("#e6ac5e", "#a8703a"), ("#d59246", "#7f4f28")]):
        base = 0.5 + index * 0.16
        canvas.hills(lit, base, 0.16, 1.1, index * 1.7)
        crest = [(step / 60, base - 0.16 * (0.5 + 0.5 * math.sin(index * 1.7 + step / 60 * 1.1 * math.tau)))
                 for step in range(61)]
        canvas.polygon(shade, *crest, *[(x, y + 0.05 + 0.05 * math.sin(x * 4)) for x, y in reversed(crest)])


def ferry(canvas):
    canvas.gradient("#dfe9ee", "#aecbd6", bottom=0.55)
    canvas.gradient("#4d8aa3", "#173f58", top=0.55)
    canvas.polygon("#c8372d", (0.25, 0.56), (0.8, 0.56), (0.75, 0.66), (0.3, 0.66))
    canvas.box("#ffffff", 0.32, 0.48, 0.74, 0.56)
    canvas.box("#ffffff", 0.4, 0.41, 0.66, 0.48)
    canvas.box("#22313f", 0.5, 0.3, 0.56, 0.41)
    for column in range(9):
        canvas.box("#39566b", 0.34 + column * 0.044, 0.5, 0.36 + column * 0.044, 0.53)
    for index in range(40):
        x, y = canvas.random.random(), canvas.random.uniform(0.68, 0.98)
        canvas.line("#7fb2c4", 2, (x, y), (x + 0.05, y))


def forest(canvas):
    canvas.gradient("#dfe8d2", "#a7c4a0", "#5f8f6e")
    for colour, base, size in [("#7fa889", 0.75, 0.3), ("#4a7d62", 0.88, 0.42), ("#1f4a3c", 1.05, 0.6)]:
        for index in range(9):
            x = (index + canvas.random.uniform(0.1, 0.9)) / 9
            for layer in range(3):
                top = base - size + layer * size * 0.25
                half = 0.05 + layer * 0.018
                canvas.polygon(colour, (x, top), (x - half, top + size * 0.4), (x + half, top + size * 0.4))


def glacier(canvas):
    canvas.gradient("#9cc4e4", "#e6f1f7", bottom=0.4)
    canvas.peaks("#7d95ad", 0.55, 0.32, 4)
    for index, colour in enumerate(["#eaf6fb", "#c5e3f0", "#94c9e2", "#5ca5cb"]):
        edge = [(step / 18, 0.5 + index * 0.07 + canvas.random.uniform(-0.02, 0.02)) for step in range(19)]
        canvas.polygon(colour, *edge, (1, 1), (0, 1))
    canvas.gradient("#2f6f93", "#123a55", top=0.82)
    for x, size in [(0.2, 0.06), (0.55, 0.1), (0.83, 0.05)]:
        canvas.polygon("#f4fbfe", (x - size, 0.9), (x - size * 0.3, 0.9 - size), (x + size, 0.9))


def kites(canvas):
    canvas.fill("#8fd0ef")
    canvas.fill("#f3df9f", top=0.82)
    for x, y, size, one, other in [(0.3, 0.3, 0.16, "#e4572e", "#ffc914"), (0.68, 0.2, 0.1, "#17bebb", "#2e282a"),
                                   (0.75, 0.55, 0.12, "#76b041", "#f2f2f2")]:
        canvas.line("#40606e", 2, (x, y + size), (0.35 + x * 0.3, 0.9))
        canvas.polygon(one, (x, y - size), (x - size * 0.7, y), (x, y + size))
        canvas.polygon(other, (x, y - size), (x + size * 0.7, y), (x, y + size))


def lake(canvas):
    canvas.gradient("#f9d8a8", "#f3a578", "#b46a7d", bottom=0.55)
    canvas.peaks("#5d4a6d", 0.55, 0.28, 4)
    canvas.gradient("#a8647a", "#e79b75", "#6a4a68", top=0.55)
    for index in range(30):
        y = 0.57 + index * 0.014
        canvas.line("#c98582", 1.5, (0.3 - index * 0.008, y), (0.7 + index * 0.006, y))
    canvas.polygon("#2f2438", (0.4, 0.78), (0.62, 0.78), (0.58, 0.82), (0.44, 0.82))
    canvas.box("#2f2438", 0.5, 0.69, 0.515, 0.78)


def lanterns(canvas):
    canvas.fill("#1d1a2e")
    for row in range(3):
        canvas.line("#4b4463", 3, *[(step / 20, 0.12 + row * 0.26 + 0.05 * math.sin(step / 20 * math.pi))
                                    for step in range(21)])
        for index in range(4):
            x = (index + 0.5 + (row % 2) * 0.2) / 4.4
            y = 0.22 + row * 0.26 + 0.05 * math.sin(x * math.pi)
            canvas.disc("#e63b2e" if (index + row) % 2 else "#f28f1c", x, y, 0.065, 1.1)
            canvas.disc("#ffd86b", x, y, 0.03, 1.6)
            canvas.box("#2a1a12", x - 0.025, y - 0.075, x + 0.025, y - 0.062)


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


# By file name: the scene, its size and its format; flat shapes are smaller as PNG.
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

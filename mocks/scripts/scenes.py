"""What the photos of the mock show: a function a scene, and the size and form of its file."""

import math

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

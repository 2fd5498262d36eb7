"""A canvas for scenes of shapes and gradients. Needs Pillow."""

import math
import random

from PIL import Image, ImageDraw

# Scenes are drawn at twice their size and scaled down, for smooth edges.
SCALE = 2


class Canvas:
    """A picture with coordinates as fractions of its width and height, from the top left."""

    def __init__(self, size, seed):
        self.size = (size[0] * SCALE, size[1] * SCALE)
        self.image = Image.new("RGB", self.size)
        self.draw = ImageDraw.Draw(self.image)
        self.random = random.Random(seed)

    def finished(self):
        return self.image.resize((self.size[0] // SCALE, self.size[1] // SCALE), Image.Resampling.LANCZOS)

    def gradient(self, *colours, top=0.0, bottom=1.0):
        """Fills the area from `top` to `bottom` with a vertical gradient, and everything below with the last colour."""
        self.fill(colours[-1], top=top)
        first, last = round(top * self.size[1]), round(bottom * self.size[1])
        for line in range(first, last):
            position = (line - first) / max(1, last - first) * (len(colours) - 1)
            index = min(int(position), len(colours) - 2)
            colour = mixed(colours[index], colours[index + 1], position - index)
            self.draw.line([(0, line), (self.size[0], line)], fill=colour)

    def fill(self, colour, top=0.0, bottom=1.0):
        self.polygon(colour, (0, top), (1, top), (1, bottom), (0, bottom))

    def polygon(self, colour, *points):
        self.draw.polygon([self.pixels(*point) for point in points], fill=colour)

    def line(self, colour, width, *points):
        pixels = [self.pixels(*point) for point in points]
        self.draw.line(pixels, fill=colour, width=round(width * SCALE), joint="curve")

    def disc(self, colour, x, y, radius, flat=1.0):
        """Draws a disc; the radius is a fraction of the height, and `flat` below 1 makes it wider than high."""
        centre, reach = self.pixels(x, y), radius * self.size[1]
        self.draw.ellipse([centre[0] - reach, centre[1] - reach * flat, centre[0] + reach, centre[1] + reach * flat],
                          fill=colour)

    def ring(self, colour, x, y, radius, width):
        centre, reach = self.pixels(x, y), radius * self.size[1]
        self.draw.ellipse([centre[0] - reach, centre[1] - reach, centre[0] + reach, centre[1] + reach], outline=colour,
                          width=round(width * SCALE))

    def box(self, colour, left, top, right, bottom):
        self.polygon(colour, (left, top), (right, top), (right, bottom), (left, bottom))

    def hills(self, colour, base, height, waves=2.0, phase=0.0):
        """Draws rolling hills down to the lower edge."""
        outline = [(step / 120, base - height * (0.5 + 0.5 * math.sin(phase + step / 120 * waves * math.tau)))
                   for step in range(121)]
        self.polygon(colour, *outline, (1, 1), (0, 1))

    def peaks(self, colour, base, height, count):
        """Draws pointed mountains down to the lower edge."""
        outline = [(0, base)]
        for index in range(count):
            outline.append(((index + 0.5 + self.random.uniform(-0.2, 0.2)) / count,
                            base - height * self.random.uniform(0.6, 1)))
            outline.append(((index + 1) / count, base - height * self.random.uniform(0, 0.35)))
        self.polygon(colour, *outline, (1, 1), (0, 1))

    def glow(self, colour, x, y, radius):
        """Draws a light that fades with distance."""
        light = Image.new("RGB", self.size, colour)
        mask = Image.radial_gradient("L").point(lambda value: max(0, 170 - value))
        reach = round(radius * self.size[1])
        full = Image.new("L", self.size)
        centre = self.pixels(x, y)
        full.paste(mask.resize((2 * reach, 2 * reach)), (round(centre[0] - reach), round(centre[1] - reach)))
        self.image.paste(light, mask=full)

    def stars(self, count, bottom, colour=(255, 255, 240)):
        for _ in range(count):
            self.disc(colour, self.random.random(), self.random.uniform(0, bottom),
                      self.random.choice([0.0012, 0.0016, 0.0025]))

    def pixels(self, x, y):
        return x * self.size[0], y * self.size[1]


def mixed(one, other, part):
    """A mix of two colours."""
    one, other = rgb(one), rgb(other)
    return tuple(round(a + (b - a) * part) for a, b in zip(one, other))


def rgb(colour):
    """The red, green and blue of a colour such as #a0b1c2, or of such a tuple."""
    return tuple(int(colour[at:at + 2], 16) for at in (1, 3, 5)) if isinstance(colour, str) else colour

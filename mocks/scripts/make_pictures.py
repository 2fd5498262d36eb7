#!/usr/bin/env python3
"""Generates the pictures of the mocks: photos, avatars, and the images of the blog's posts.

    python3 -m pip install pillow && mocks/scripts/make_pictures.py

The same version of Pillow generates the same files; those in the repository are from version 13.
"""

import pathlib

from canvas import Canvas
from scenes import SCENES

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
AVATAR_SIZES = {"default": 300, "large": 100, "small": 50, "tiny": 30}
AVATARS = {2: "#a63d40", 3: "#2e6f95", 4: "#5c8001", 5: "#7b2d8b", 7: "#b5651d", 9: "#00798c", 10: "#c44569",
           12: "#445e93"}
AUTHORS = {"archibald": "#6b705c", "bram": "#3d5a80", "kerri": "#bc4b51", "zoe": "#5b8e7d"}

# The shore, the boat, the sail and the lighthouse.
HARBOUR = [
    [(0.05, 0.6), (0.95, 0.6)], [(0.2, 0.6), (0.26, 0.72), (0.5, 0.72), (0.56, 0.6)],
    [(0.38, 0.6), (0.38, 0.2), (0.52, 0.55), (0.38, 0.55)], [(0.8, 0.6), (0.82, 0.25), (0.86, 0.25), (0.88, 0.6)],
]


def main():
    for index, (name, (draw, size, ending)) in enumerate(SCENES.items()):
        canvas = Canvas(size, seed=index)
        draw(canvas)
        save(canvas.finished(), DATA / f"photos/pictures/whole/{name}.{ending}")
        save(square(canvas.finished(), 440), DATA / f"photos/pictures/square/{name}.{ending}")
    for user, colour in AVATARS.items():
        for size_name, size in AVATAR_SIZES.items():
            save(face(user, colour, size), DATA / f"photos/avatars/{user}/{size_name}.{'png' if user == 9 else 'jpg'}")
    save(face(0, "#9a9a9a", 100), DATA / "photos/graphics/userpic.png")
    for index, (name, colour) in enumerate(AUTHORS.items()):
        save(face(20 + index, colour, 128), DATA / f"blog/images/authors/{name}.jpg")
    for lines, ending in [(2, "png"), (3, "jpg"), (4, "webp")]:
        save(harbour(lines), DATA / f"blog/images/posts/harbour.{ending}")
    (DATA / "blog/images/posts/harbour.svg").write_text(harbour_as_text())


def square(image, size):
    """The center of an image."""
    side = min(image.size)
    left, top = (image.width - side) // 2, (image.height - side) // 2
    return image.crop((left, top, left + side, top + side)).resize((size, size), 1)


def face(number, colour, size):
    """A portrait."""
    canvas = Canvas((300, 300), seed=number)
    canvas.gradient("#fdfbf7", colour)
    canvas.disc(colour, 0.5, 1.05, 0.38, 1.05)
    skin = ["#f3d3b8", "#d9a877", "#a8714a", "#704527", "#ecc19c"][number % 5]
    hair = ["#2b1d14", "#6b4226", "#d8b26a", "#8d8d8d", "#151515", "#a5532a"][number % 6]
    canvas.box(skin, 0.44, 0.55, 0.56, 0.72)
    canvas.disc(hair, 0.5, 0.4, 0.23)
    canvas.disc(skin, 0.5, 0.45, 0.19, 1.15)
    for x in (0.43, 0.57):
        canvas.disc("#2a2a2a", x, 0.44, 0.018)
    canvas.line("#8c4a3c", 5, (0.44, 0.55), (0.47, 0.57), (0.53, 0.57), (0.56, 0.55))
    return canvas.finished().resize((size, size), 1)


def harbour(lines):
    """The drawing of post 42 after so many lines, the last of them red."""
    canvas = Canvas((600, 400), seed=42)
    canvas.fill("#fbf8f1")
    for index, stroke in enumerate(HARBOUR[:lines]):
        canvas.line("#c8553d" if index == lines - 1 else "#2b3a42", 6, *stroke)
    return canvas.finished()


def harbour_as_text():
    """The whole drawing in SVG."""
    strokes = ["M" + " L".join(f"{round(x * 600)} {round(y * 400)}" for x, y in stroke) for stroke in HARBOUR]
    paths = "".join(f'  <path d="{stroke}"/>\n' for stroke in strokes)
    return ('<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400" viewBox="0 0 600 400">\n'
            '<title>A harbour in four lines</title>\n<rect width="600" height="400" fill="#fbf8f1"/>\n'
            f'<g fill="none" stroke="#2b3a42" stroke-width="6">\n{paths}</g>\n</svg>\n')


def save(image, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".png":
        image.quantize(48, dither=0).save(path, optimize=True)
    elif path.suffix == ".webp":
        image.save(path, quality=80, method=6)
    else:
        image.save(path, quality=72, optimize=True)


if __name__ == "__main__":
    main()

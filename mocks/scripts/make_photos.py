#!/usr/bin/env python3
"""Generates the mock photos: mocks/data/photos/list.jsonl and details.jsonl, with a photo per line.

    mocks/scripts/make_photos.py

The mock server replaces {site} with its address, and {image_url}, {image_urls}, {image} and {images} with the addresses
of the picture in the requested sizes. The picture has the index ID modulo 24 in the folder of pictures.
"""

import datetime
import json
import pathlib
import random
import sys

from hostile_photos import HOSTILE, HOSTILE_COMMENTS, NO_PHOTOS, TOO_LARGE
from odd_photos import ABSENT, NESTED_COMMENTS, ODD, WITHOUT_COMMENTS
from photo_words import CAMERAS, COMMENTS, DESCRIPTIONS, PLACES, SHAPES, SUBJECTS
from photographers import USERS

DATA = pathlib.Path(__file__).resolve().parent.parent / "data/photos"
COUNT = 127
FIRST = 49
# The fields that only the details of a photo have.
DETAILS = ["camera", "lens", "focal_length", "iso", "shutter_speed", "aperture", "location", "latitude", "longitude",
           "highest_rating_date", "status"]
# A photo of the first hundred is repeated on the second page, as if it had moved there between the requests.
SLIPPED = 98


def main():
    # One thread is deeper than Python's default limit.
    sys.setrecursionlimit(20_000)
    photos = [present(photo(rank) | ODD.get(identifier(rank), {})) for rank in range(COUNT)]
    hostile = [present(photo(rank) | {"id": number, "rating": 0.1, "url": f"/photo/{number}"} | changes)
               for rank, (number, changes) in enumerate(HOSTILE.items())]
    slipped = photos[SLIPPED] | {"times_viewed": photos[SLIPPED]["times_viewed"] + 7}
    listed = photos[:SLIPPED + 3] + [slipped] + photos[SLIPPED + 3:] + hostile
    write("list.jsonl", [dump(short(photo)) for photo in listed] + NO_PHOTOS)
    write("details.jsonl", [dump({"photo": photo} | comments(photo)) for photo in photos + hostile])


def identifier(rank):
    """Each ID from 1 to 127 once, in no order."""
    return 1 + (rank * 37 + FIRST - 1) % COUNT


def photo(rank):
    """A photo with all fields."""
    number = identifier(rank)
    chance = random.Random(number)
    subject = sorted(SUBJECTS)[number % len(SUBJECTS)]
    category, names, places = SUBJECTS[subject]
    width, height = SHAPES.get(subject, (3, 2))
    scale = (4000 + number * 8) // max(width, height)
    place = places[number // len(SUBJECTS) % len(places)]
    user = USERS[(number * 7 + 10) % len(USERS)]
    name = names[number // len(SUBJECTS) % len(names)]
    views = chance.randint(700, 90_000)
    created = datetime.datetime(2012, 2, 9) + datetime.timedelta(days=number * 18, minutes=chance.randint(0, 1439))
    rating = rating_at(rank)
    return {
        "id": number, "user_id": user["id"], "name": name, "description": DESCRIPTIONS[number * 5 % len(DESCRIPTIONS)],
        **dict(zip(["camera", "lens", "focal_length", "shutter_speed", "aperture", "iso"],
                   CAMERAS[(number + 5) % len(CAMERAS)])),
        "times_viewed": views, "rating": rating, "status": 1, "created_at": timestamp(created), "category": category,
        "location": place, **coordinates(place, as_text=number % 7 == 3), "privacy": False,
        "taken_at": timestamp(created - datetime.timedelta(minutes=chance.randint(60, 400_000))),
        "width": width * scale, "height": height * scale, "votes_count": views // chance.randint(8, 40),
        "comments_count": len(thread(number, user)), "nsfw": False,
        "license_type": number % 9, "url": f"/photo/{number}/{slug(name)}-by-{slug(user['username'])}",
        "highest_rating": rating and min(100, round(rating + chance.random(), 1)),
        "highest_rating_date": timestamp(created + datetime.timedelta(days=1)),
        "image_url": "{image_urls}", "images": "{images}", "user": user,
    }


def rating_at(rank):
    """Descending ratings in groups of three, with a few higher ones far down, and None at the end."""
    if rank >= COUNT - 4:
        return None
    rank = {105: 4, 119: 20, 40: 44}.get(rank, rank)
    rating = round(99.8 - rank // 3 * 0.3, 1)
    return int(rating) if rating.is_integer() else rating


def coordinates(place, as_text):
    latitude, longitude = PLACES[place]
    return {"latitude": str(latitude), "longitude": str(longitude)} if as_text else {
        "latitude": latitude, "longitude": longitude}


def timestamp(time):
    """A time with Toronto's offset from UTC, as in the real API."""
    return time.isoformat(timespec="seconds") + ("-04:00" if 4 <= time.month <= 10 else "-05:00")


def slug(text):
    letters = (letter if letter.isascii() and letter.isalnum() else " " for letter in text.lower())
    return "-".join("".join(letters).split())


def comments(photo):
    """The comments on a photo, flat with the IDs of parents, or nested."""
    number = photo["id"]
    flat = HOSTILE_COMMENTS.get(number, []) if number in HOSTILE else thread(number, photo.get("user") or {})
    return present({"comments": nested(flat, None) if number in NESTED_COMMENTS else flat})


def thread(number, owner):
    """Comments in chronological order."""
    if number in WITHOUT_COMMENTS:
        return []
    chance, comments = random.Random(number + 1), []
    for index in range(chance.randint(1, 8)):
        parent = chance.choice([None] + [comment["id"] for comment in comments])
        user = chance.choice(USERS)
        time = datetime.datetime(2014, 1, 1) + datetime.timedelta(days=number * 10, hours=index * 7)
        comments.append({
            "id": 8_400_000 + number * 20 + index, "user_id": user["id"], "to_whom_user_id": owner.get("id"),
            "body": chance.choice(COMMENTS), "created_at": timestamp(time), "parent_id": parent, "user": user})
    return comments


def nested(flat, parent):
    return [comment | {"replies": nested(flat, comment["id"])} for comment in flat if comment["parent_id"] == parent]


def present(photo):
    return {name: value for name, value in photo.items() if value is not ABSENT}


def short(photo):
    return {name: value for name, value in photo.items() if name not in DETAILS}


def dump(value):
    # Control characters are escaped, so that the file can be viewed in a terminal; the rest stays readable.
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    text = text.replace(f'"{TOO_LARGE}"', TOO_LARGE.strip("@"))
    return "".join(letter if letter.isprintable() else f"\\u{ord(letter):04x}" for letter in text)


def write(name, lines):
    (DATA / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

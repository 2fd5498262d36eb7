"""The users who take and comment on the mock photos, as incomplete as real accounts."""

UNKNOWN_PICTURE = "/graphics/userpic.png"


def avatars(number, ending="jpg"):
    return {name: {"https": f"{{site}}/avatars/{number}/{name}.{ending}"}
            for name in ("default", "large", "small", "tiny")}


def picture(number, size, ending="jpg"):
    return f"{{site}}/avatars/{number}/{size}.{ending}"


def user(number, username, first, last, city, country, **rest):
    return {"id": 1000 + number, "username": username, "firstname": first, "lastname": last, "city": city,
            "country": country, "fullname": f"{first} {last}".strip(), "userpic_url": UNKNOWN_PICTURE,
            "upgrade_status": number % 3, "followers_count": 17 * number} | rest


def without(record, *names):
    return {name: value for name, value in record.items() if name not in names}


USERS = [
    user(1, "ingar", "Inga", "Rós", "Reykjavik", "Iceland"),
    user(2, "thandimk", "Thandi", "Mokoena", "Cape Town", "South Africa", userpic_url=picture(2, "large"),
         userpic_https_url=picture(2, "large"), avatars=avatars(2)),
    user(3, "kenji_s", "Kenji", "Sato 佐藤", "Tokyo", "Japan", userpic_url=picture(3, "default"), avatars=avatars(3)),
    # Names with surrounding spaces, which web forms accept.
    user(4, "lluisdelmar", "Lluís ", " del Mar ", " Sabadell ", "Catalunya", fullname="Lluís  del Mar ",
         userpic_url=picture(4, "large")),
    # A relative address, but not of the default picture.
    user(5, "mereana", "Mereana", "Te Rangi", "Rotorua", "New Zealand", userpic_url="/avatars/5/large.jpg"),
    without(user(6, "no_last_name", "Cher", "", None, None), "lastname"),
    # No full name.
    without(user(7, "sitiveni.v", "Sitiveni", "Vuki", "Suva", "Fiji", avatars=avatars(7)), "fullname"),
    # Only a username.
    user(8, "moonwatcher77", None, None, "", None, fullname=""),
    # Only avatars, in PNG.
    without(user(9, "anna-k", "Anna", "Kowalczyk", "Kraków", "Poland", avatars=avatars(9, "png")), "userpic_url"),
    user(10, "bataa", "Батаа", "Ганбаатар", "Ulaanbaatar", "Mongolia", userpic_url=picture(10, "small"),
         userpic_https_url=picture(10, "default")),
    user(11, "oneill", "Sinéad", "O’Neill & Sons", "Cobh", "Éire", userpic_url=None, userpic_https_url=None,
         avatars=None),
    user(12, "dune_walker", "Youssef", "El Idrissi", "Merzouga", "Morocco", userpic_url=picture(12, "large"),
         avatars={"default": {"https": "{site}/avatars/12/default.jpg"}, "large": {}, "small": None}),
    # Only an ID and a username.
    {"id": 1013, "username": "usr1013"},
    user(14, "lucia.f", "Lucía", "Fernández de la Vega y Sotomayor-Villanueva", "Ushuaia", "Argentina"),
    # Right-to-left text.
    user(15, "layla", "ليلى", "حداد", "بيروت", "لبنان"),
    # The picture is missing.
    user(16, "ferryman", "Deniz", "Kaya", "İstanbul", "Türkiye", userpic_url=picture(16, "large")),
]

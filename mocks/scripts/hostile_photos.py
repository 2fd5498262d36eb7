"""Hostile and invalid photos, at the end of the list, with IDs from 901."""

from odd_photos import ABSENT

HTML = "\"><script>alert(1)</script><img src=x onerror=alert(2)>' onmouseover='alert(3)</style></title></textarea>-->"
TERMINAL = ("\x1b[2J\x1b[31m\x1b]0;owned\x07\x1b]8;;http://evil.example\x1b\\\x1b]1337;File=:AAAA\x07"
            "\x1b_Ga=T;AAAA\x1b\\\x9b31m\x90q\x9c\u202e\u2066\x7f\x00\r\nblog: no error at all\n")
# A number that JSON parsers can't represent; make_photos.py writes it without quotes.
TOO_LARGE = "@1e999@"

TEXTS = ["name", "description", "created_at", "taken_at", "url", "camera", "lens", "focal_length", "shutter_speed",
         "aperture", "iso", "location"]
PERSON = ["username", "firstname", "lastname", "fullname", "city", "country", "userpic_url", "userpic_https_url"]


def everywhere(text):
    """A photo with the text in every text field."""
    person = {name: text for name in PERSON} | {"id": 1666, "avatars": {"default": {"https": text}}}
    images = [{"size": 440, "url": text, "https_url": text, "format": text}]
    return {name: text for name in TEXTS} | {"image_url": text, "images": images, "user": person}


def address(url):
    """A photo whose page, picture and avatar are at an address."""
    return {"url": url, "image_url": [url], "images": [{"size": 440, "url": url, "https_url": url, "format": "jpeg"}],
            "user": {"id": 1666, "username": "mallory", "fullname": "Mallory", "userpic_url": url,
                     "avatars": {"default": {"https": url}}}}


HOSTILE = {
    901: everywhere(HTML),
    902: everywhere(TERMINAL),
    903: {"name": "Not a number", "rating": "NaN", "highest_rating": "Infinity", "latitude": "NaN", "longitude": "-inf",
          "times_viewed": "many", "votes_count": "1e9", "category": "8", "license_type": "4", "width": "wide"},
    904: {"name": "Too large a number", "rating": TOO_LARGE, "highest_rating": TOO_LARGE, "latitude": TOO_LARGE,
          "longitude": 1e308, "times_viewed": TOO_LARGE, "votes_count": 9223372036854775808, "category": 1e300,
          "license_type": -9223372036854775808, "width": -1, "height": 1e18, "comments_count": -5},
    905: {"name": "Out of range", "rating": -12.5, "latitude": 90.0001, "longitude": 180.0001, "location": "Nowhere"},
    906: {"name": "Off the map", "latitude": "-1234.5", "longitude": "99999999999", "location": None},
    907: {"name": ["an", "array"], "description": [], "rating": [99.9], "created_at": [], "camera": [], "location": [1],
          "latitude": [], "longitude": [], "user": [], "images": "none", "image_url": [[[]]], "url": [], "nsfw": []},
    908: {"name": {"an": "object"}, "description": {}, "rating": {}, "created_at": {}, "camera": {}, "location": {},
          "latitude": {}, "longitude": {}, "user": "somebody", "images": {"size": {}, "url": {}}, "image_url": {},
          "url": {}, "category": {}, "times_viewed": {}},
    909: {"name": "A file of yours"} | address("file:///etc/passwd"),
    910: {"name": "A script"} | address("javascript:alert(document.domain)//"),
    911: {"name": "A private network"} | address("http://169.254.169.254/latest/meta-data/"),
    912: {"name": "Data in an address"} | address("data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg=="),
    913: {"name": "Another server"} | address("//evil.example/\"><script>alert(1)</script>"),
    914: {"name": "Z" + "\u0301\u0489" * 1500, "description": "<div>" * 3000},
    9007199254740993: {"name": "Larger than any integer of a double"},
    915: {"name": 7, "description": 8, "url": 9, "nsfw": "yes", "camera": 10, "location": True, "created_at": 1,
          "user": {"id": "x", "username": 1, "fullname": {}, "city": [], "userpic_url": 2, "avatars": []}},
    916: {"name": ABSENT, "description": ABSENT, "rating": ABSENT, "highest_rating": ABSENT, "created_at": ABSENT,
          "taken_at": ABSENT, "category": ABSENT, "user": ABSENT, "images": ABSENT, "image_url": ABSENT, "url": ABSENT},
}

# Lines of the list that aren't photos, or have invalid IDs.
NO_PHOTOS = ["null", "[]", "\"photo\"", "7", "{}", "{\"id\":null,\"name\":\"No id\"}",
             "{\"id\":\"917/../../etc\",\"name\":\"An id that is a path\"}", "{\"id\":-3,\"name\":\"A negative id\"}",
             "{\"id\":1.5,\"name\":\"Half an id\"}"]

PERSON_WITH_HARM = {name: HTML for name in PERSON} | {"id": 1666}


def chain(length):
    """A chain of nested replies."""
    thread = []
    for number in range(length, 0, -1):
        thread = [{"id": number, "body": f"level {number}", "created_at": "2014-01-01T00:00:00Z",
                   "parent_id": number - 1 or None, "user": None, "replies": thread}]
    return thread


# Endless and invalid threads, by photo.
HOSTILE_COMMENTS = {
    901: [{"id": 1, "user_id": 1666, "to_whom_user_id": 1666, "body": HTML, "created_at": HTML, "parent_id": None,
           "user": PERSON_WITH_HARM}],
    902: [{"id": 1, "user_id": 1666, "to_whom_user_id": 1666, "body": TERMINAL, "created_at": TERMINAL,
           "parent_id": None, "user": {name: TERMINAL for name in PERSON}}],
    # A comment that is its own parent, two that are each other's, and a reply to nothing.
    903: [{"id": 1, "body": "my own parent", "created_at": "2014-01-01T00:00:00Z", "parent_id": 1, "user": None},
          {"id": 2, "body": "one of two", "created_at": "2014-01-01T00:00:00Z", "parent_id": 3, "user": None},
          {"id": 3, "body": "the other", "created_at": "2014-01-01T00:00:00Z", "parent_id": 2, "user": None},
          {"id": 4, "body": "a reply to nothing", "created_at": None, "parent_id": 999, "user": {}},
          {"id": 4, "body": "an id that is taken", "created_at": "", "parent_id": None}],
    904: [{"id": TOO_LARGE, "body": "too large an id", "parent_id": TOO_LARGE}],
    907: {"not": "an array"},
    # So deep that a decoder may reject the thread, or a program overflow its stack.
    906: chain(100),
    914: chain(2000),
    908: [[], None, "comment", 7, {"id": [], "body": {}, "user": [], "parent_id": {}, "replies": {}}],
    916: ABSENT,
}

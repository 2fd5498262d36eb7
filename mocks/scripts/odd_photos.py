"""Odd values of single mock photos, by ID: those that the real API was seen to send, and more."""

ABSENT = "a field that is not there"

IMAGE_STRING = {"image_url": "{image_url}", "images": "{image}"}
NO_IMAGES = {"image_url": "{image_url}", "images": ABSENT}
NO_IMAGE_URL = {"image_url": ABSENT}

ODD = {
    # Names.
    2: {"name": "Cables   "},
    3: {"name": "  The Long Way Down \n"},
    5: {"name": "A Photograph of All the Sand That There Was on the Last Warm Day of That Year"},
    6: {"name": "The Very Long Name That Somebody Gave to a Very Short Moment, Because the Form Had Room for It "
                "and the Evening Was Young, and Because Whoever Takes Pictures All Day Has Nobody to Tell It to Until "
                "Night"},
    8: {"name": "青い氷"},
    9: {"name": "ثلاث طائرات ورقية"},
    10: {"name": ""},
    11: {"name": None},
    12: {"name": "S t r i p e s"},
    # Descriptions.
    14: {"description": "x" * 3 + " word" * 900},
    15: {"description": "<p>One.</p><ul><li>Two</li><li>Three</li></ul><br><br><br>Four.<br/>Five."},
    # Ratings: integers, and missing ones.
    17: {"rating": 100, "highest_rating": 100},
    18: {"rating": 0},
    19: {"rating": ABSENT, "highest_rating": ABSENT},
    20: {"highest_rating": None},
    # Times.
    22: {"created_at": None},
    23: {"taken_at": None},
    24: {"created_at": ABSENT, "taken_at": ABSENT},
    25: {"taken_at": ""},
    26: {"created_at": "2014-06-01T12:00:00Z"},
    27: {"taken_at": "0000-00-00T00:00:00-05:00"},
    # Counts, categories, licences.
    29: {"times_viewed": None, "votes_count": None, "comments_count": None},
    30: {"times_viewed": ABSENT, "votes_count": ABSENT, "comments_count": ABSENT},
    31: {"category": 99},
    32: {"category": None},
    33: {"category": ABSENT, "license_type": ABSENT},
    34: {"license_type": 42},
    35: {"license_type": None},
    36: {"times_viewed": 1234567, "votes_count": 23456},
    37: {"nsfw": True, "category": 4},
    38: {"nsfw": None, "privacy": None},
    39: {"privacy": True},
    40: {"width": None, "height": None},
    41: {"width": 0, "height": 0},
    # Addresses.
    43: {"url": ABSENT},
    44: {"url": None},
    45: {"url": "{site}/photo/45/an-absolute-address"},
    # Pictures: one, several or none, and in an older format.
    1: IMAGE_STRING, 13: IMAGE_STRING, 47: IMAGE_STRING, 50: IMAGE_STRING, 4: NO_IMAGES, 48: NO_IMAGES,
    7: NO_IMAGE_URL, 51: NO_IMAGE_URL,
    52: {"image_url": ABSENT, "images": ABSENT},
    53: {"image_url": [], "images": []},
    54: {"image_url": None, "images": None},
    55: {"image_url": "", "images": [{"size": 440, "url": "", "https_url": "", "format": "jpeg"}]},
    56: {"images": [{"size": "440", "url": "{site}/graphics/userpic.png"}]},
    # Only the host is missing.
    57: {"image_url": ABSENT, "images": [{"size": 440, "url": "/graphics/userpic.png", "format": "png"}]},
    # Cameras.
    58: {"camera": None, "lens": None, "focal_length": None, "shutter_speed": None, "aperture": None, "iso": None,
         "taken_at": None},
    59: {"camera": "", "lens": "", "focal_length": "0", "shutter_speed": "1/∞", "aperture": "0", "iso": "0",
         "taken_at": None},
    60: {"camera": ABSENT, "lens": ABSENT, "focal_length": ABSENT, "shutter_speed": ABSENT, "aperture": ABSENT,
         "iso": ABSENT, "taken_at": ABSENT},
    61: {"camera": None, "lens": None, "focal_length": "50", "shutter_speed": "1/∞"},
    62: {"camera": "", "lens": "", "focal_length": "", "shutter_speed": "", "aperture": "", "iso": "",
         "taken_at": None},
    63: {"camera": "  Canon EOS 6D  ", "iso": 100, "aperture": 2.8, "focal_length": 35},
    64: {"shutter_speed": "30/1", "aperture": "f/2.8", "focal_length": "35mm"},
    # Places.
    65: {"location": ABSENT, "latitude": ABSENT, "longitude": ABSENT},
    66: {"location": None, "latitude": None, "longitude": None},
    67: {"location": "", "latitude": 0, "longitude": 0},
    68: {"location": None, "latitude": 0.0, "longitude": 0.0},
    69: {"location": "Null Island", "latitude": "0", "longitude": "0.0"},
    70: {"location": "Somewhere in the Alps", "latitude": None, "longitude": None},
    71: {"location": None, "latitude": 64.1466, "longitude": -21.9426},
    73: {"location": "Half a place", "latitude": 51.5074, "longitude": None},
    74: {"location": "Antimeridian, Fiji", "latitude": -16.8, "longitude": 180},
    75: {"location": "Antimeridian, Fiji", "latitude": "-16.8", "longitude": "-180.0"},
    76: {"location": "North Pole", "latitude": 90, "longitude": 135.5},
    77: {"location": "South Pole", "latitude": "-90", "longitude": "0"},
    78: {"location": "Gulf of Guinea", "latitude": 0, "longitude": 6.5},
    79: {"location": "Greenwich", "latitude": 51.4779, "longitude": 0},
    80: {"latitude": "", "longitude": ""},
    # People.
    82: {"user": None},
    83: {"user": ABSENT},
    84: {"user": {}},
}

# Photos without comments, and photos with nested replies.
WITHOUT_COMMENTS = {29, 52, 58, 66, 82, 90, 100, 110, 120}
NESTED_COMMENTS = {number for number in range(1, 128) if number % 4 == 2}

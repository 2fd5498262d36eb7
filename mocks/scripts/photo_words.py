"""Names, places, cameras, descriptions and comments for the mock photos."""

# By picture: a category, names, and matching places.
SUBJECTS = {
    "aurora": (8, ["Green Curtain over Black Sand", "The Sky Breathes Out", "Solar Wind, 2 a.m.",
                   "Northern Lights from the Kitchen Window", "Nobody Else Was Awake", "After the Geese Had Gone"],
               ["Reykjavik, Iceland", "Tromsø, Norway", "Fairbanks, Alaska"]),
    "balloon": (29, ["Three Balloons, One Breeze", "Up Before the Bakers", "Silent Until the Burner", "Hot Air",
                     "Leaving the Valley", "Basket Case"], ["Göreme, Turkey", "Albuquerque, New Mexico"]),
    "bridge": (9, ["The Gate at Dusk", "Cables", "Suspension", "Crossing Before the Fog", "Rust Red, Evening Blue",
                   "Toll Paid"], ["San Francisco", "Lisboa, Portugal"]),
    "canyon": (13, ["A River’s Patience", "Layers", "Five Shades of Rust", "The Long Way Down", "Echo",
                    "Ochre Morning"], ["Grand Canyon, Arizona", "Fish River Canyon, Namibia"]),
    "city": (9, ["City That Reads in Bed", "Everyone Is Home", "Windows, Counted Twice", "Last Train", "Violet Hour",
                 "Night Shift"], ["Tokyo, Japan", "New York", "London"]),
    "dunes": (8, ["Wind Wrote This", "Soft Geometry", "Footprints, Briefly", "Where the Camels Turned Back",
                  "Sand Has No Edges", "Crest"], ["Merzouga, Morocco", "Sossusvlei, Namibia"]),
    "ferry": (26, ["The 7:40", "Red Hull, Grey Water", "Last Ferry of the Season", "Between Islands", "White Decks",
                   "Coffee on the Car Deck"], ["Wellington, New Zealand", "İstanbul", "Suva, Fiji"]),
    "forest": (18, ["Mist Between Trunks", "Pines in Three Greens", "The Quiet Part", "Where the Path Gives Up",
                    "Moss Weather", "Resin"], ["Black Forest, Germany", "Rotorua, New Zealand"]),
    "glacier": (8, ["Blue Inside", "A Thousand Winters", "Calving", "Slow River", "Meltwater"],
                ["El Calafate, Argentina", "Ilulissat, Greenland", "Longyearbyen, Svalbard"]),
    "kites": (17, ["Cape Doctor", "More String", "Three on the Wind", "Tail in the Sun", "Nobody Let Go"],
              ["Cape Town, South Africa", "Honolulu, Hawaii"]),
    "lake": (8, ["Evening, Undisturbed", "One Oar", "The Fisherman’s Hour", "Mirror", "Copper Water"],
             ["Bled, Slovenia", "Lake Titicaca, Peru", "Queenstown, New Zealand"]),
    "lanterns": (21, ["Full Moon Market", "Wishes, Strung", "Orange and Red", "The Lamp Seller’s Roof", "Paper Suns"],
                 ["Hội An, Vietnam", "Taipei, Taiwan"]),
    "lighthouse": (9, ["Every Eleven Seconds", "Keeper’s Night", "Last Light Before Antarctica", "The Lamp Is Lit",
                       "Stripes"], ["Cape Agulhas, South Africa", "Lizard Point, Cornwall"]),
    "moon": (30, ["Moonrise on the Date Line", "Point Nemo, Full Moon", "Silver Road", "Night Watch",
                  "Tomorrow Is Over There"], ["Taveuni, Fiji", "Mid-Pacific", "Suva, Fiji"]),
    "orchard": (18, ["A Week in April", "Apple Snow", "Before the Bees", "Pink Weather", "Petals on the Ladder"],
                ["Kyoto, Japan", "Almaty, Kazakhstan"]),
    "penguins": (11, ["Committee", "Four Waiters", "Who Invited the Photographer?", "Bottom of the World",
                      "Standing Ovation"],
                 ["Ushuaia, Argentina", "McMurdo Station, Antarctica", "Cape Town, South Africa", "South Pole"]),
    "rain": (21, ["Bus Window, Tuesday", "Wet Neon", "Umbrella Weather", "Bokeh for Free", "Drizzle in Colour"],
             ["London", "Bergen, Norway"]),
    "roofs": (9, ["Terracotta", "Old Town, Seen from the Wash Line", "Gables", "Red Tiles after Rain", "Chimney Count"],
              ["Lisboa, Portugal", "Dubrovnik, Croatia"]),
    "sails": (17, ["The Yellow One Won", "Regatta", "Light Airs", "Sunday Race", "Gybe"],
              ["Auckland, New Zealand", "Sydney, Australia", "Honolulu, Hawaii"]),
    "stars": (30, ["Forty Minutes, Shutter Open", "Turning", "The Pole Stands Still", "Dark Site",
                   "Observatory, Closed"], ["Cerro Paranal, Chile", "Ulaanbaatar, Mongolia", "North Pole"]),
    "storm": (18, ["One Thousand and One, One Thousand and", "Anvil", "Heat Breaking", "Green Sky",
                    "Fifty Frames, One Bolt"],
              ["Norman, Oklahoma", "Darwin, Australia", "Nairobi, Kenya"]),
    "tulips": (18, ["Seven Rows", "Bulb Fields from the Train", "All of April", "Stripes in Bloom", "Spring, Sorted"],
               ["Lisse, Netherlands", "İstanbul"]),
    "volcano": (8, ["She Smokes on Sundays", "Cotopaxi, Clearing", "A Hundred and First View", "Steam",
                    "Quiet for Now"], ["Mount Fuji, Japan", "Cotopaxi, Ecuador"]),
    "yurts": (13, ["Three Doors South", "Summer Pasture", "Felt and Sky", "Blue Ribbon", "The Neighbours, 40 km Away"],
              ["Ulaanbaatar, Mongolia", "Karakol, Kyrgyzstan"]),
}

# The aspect ratio of pictures that aren't 3:2.
SHAPES = {name: (2, 3) for name in ("balloon", "canyon", "forest", "kites", "rain")} | {
    name: (1, 1) for name in ("lanterns", "moon", "stars")} | {
    name: (15, 7) for name in ("bridge", "orchard", "storm")}

PLACES = {
    "Reykjavik, Iceland": (64.1466, -21.9426), "Tromsø, Norway": (69.6492, 18.9553),
    "Fairbanks, Alaska": (64.8378, -147.7164), "Göreme, Turkey": (38.6431, 34.8289),
    "Albuquerque, New Mexico": (35.0844, -106.6504), "San Francisco": (37.8199, -122.4783),
    "Lisboa, Portugal": (38.7223, -9.1393), "Grand Canyon, Arizona": (36.0544, -112.1401),
    "Fish River Canyon, Namibia": (-27.5889, 17.6153), "Tokyo, Japan": (35.6762, 139.6503),
    "New York": (40.7128, -74.006), "London": (51.5074, -0.1278), "Merzouga, Morocco": (31.0802, -4.0134),
    "Sossusvlei, Namibia": (-24.7275, 15.2935), "Wellington, New Zealand": (-41.2866, 174.7756),
    "İstanbul": (41.0082, 28.9784), "Suva, Fiji": (-18.1416, 178.4419), "Black Forest, Germany": (48.2776, 8.186),
    "Rotorua, New Zealand": (-38.1368, 176.2497), "El Calafate, Argentina": (-50.3379, -72.2648),
    "Ilulissat, Greenland": (69.2198, -51.0986), "Longyearbyen, Svalbard": (78.2232, 15.6267),
    "Cape Town, South Africa": (-33.9249, 18.4241), "Honolulu, Hawaii": (21.3069, -157.8583),
    "Bled, Slovenia": (46.3683, 14.1146), "Lake Titicaca, Peru": (-15.8402, -70.0219),
    "Queenstown, New Zealand": (-45.0312, 168.6626), "Hội An, Vietnam": (15.8801, 108.338),
    "Taipei, Taiwan": (25.033, 121.5654), "Cape Agulhas, South Africa": (-34.8278, 20.0091),
    "Lizard Point, Cornwall": (49.9593, -5.2065), "Taveuni, Fiji": (-16.8569, -179.9767),
    "Mid-Pacific": (-48.8767, -123.3933), "Kyoto, Japan": (35.0116, 135.7681),
    "Almaty, Kazakhstan": (43.222, 76.8512), "Ushuaia, Argentina": (-54.8019, -68.303),
    "McMurdo Station, Antarctica": (-77.8419, 166.6863), "South Pole": (-90, 0), "Bergen, Norway": (60.3913, 5.3221),
    "Dubrovnik, Croatia": (42.6507, 18.0944), "Auckland, New Zealand": (-36.8485, 174.7633),
    "Sydney, Australia": (-33.8688, 151.2093), "Cerro Paranal, Chile": (-24.6272, -70.4042),
    "Ulaanbaatar, Mongolia": (47.8864, 106.9057), "North Pole": (90, 0), "Norman, Oklahoma": (35.2226, -97.4395),
    "Darwin, Australia": (-12.4634, 130.8456), "Nairobi, Kenya": (-1.2921, 36.8219),
    "Lisse, Netherlands": (52.2579, 4.557), "Mount Fuji, Japan": (35.3606, 138.7274),
    "Cotopaxi, Ecuador": (-0.6838, -78.4372), "Karakol, Kyrgyzstan": (42.4907, 78.3936),
}

# Camera, lens, focal length, shutter speed, aperture, ISO.
CAMERAS = [
    ("Canon EOS 6D", "EF 24-105mm f/4L IS USM", "35", "1/250", "8", "100"),
    ("NIKON D750", "14.0-24.0 mm f/2.8", "14", "20", "2.8", "3200"),
    ("SONY ILCE-7M2", "FE 55mm F1.8 ZA", "55", "1/1000", "1.8", "200"),
    ("FUJIFILM X-T1", "XF23mmF1.4 R", "23", "1/60", "5.6", "800"),
    ("OLYMPUS E-M5", "", "12", "1/15", "4", "1600"),
    ("PENTAX K-5 II s", "smc PENTAX-DA* 16-50mm F2.8", "50", "0.5", "11", "80"),
    ("iPhone 6", "iPhone 6 back camera 4.15mm f/2.2", "4.15", "1/2000", "2.2", "32"),
    ("Hasselblad 503CW", "Planar 80mm", "80", "1/8", "16", "50"),
    ("Leica M (Typ 240)", "Summicron-M 1:2/35 ASPH.", "35", "1/500", "2", "400"),
]

DESCRIPTIONS = [
    None, "", "It took three evenings and two thermoses.", "Shot on the way to somewhere else, as usual.",
    "Thank you all for your comments & votes!<br><br>Prints: <a href=\"http://prints.example/shop?a=1&amp;b=2\">my "
    "shop</a>.", "The wind dropped for about a minute.\r\n\r\nThis is from that minute.",
    "Single exposure, no filters.<br />Tripod, cable release, patience.",
    "<b>Best seen large.</b> I went back the next day &ndash; the light did not.",
    "ISO too high, hands too cold, but I like it.",
]

COMMENTS = [
    "Great shot!", "The light is wonderful. How long did you wait?", "About two hours, and a sandwich.",
    "Congratulations on Popular!", "Voted &amp; favourited", "Is that a composite?", "No, one exposure.",
    "I was there last year and it rained all week.<br>You were lucky.", "美しいです！", "👍👍👍",
    "The horizon leans a little to the left, or is it me?", "It’s you. :)", "Thanks, everyone.",
    "See <a href=\"http://maps.example/?q=1&amp;z=2\">the same place in winter</a>.",
    "Beautiful tones. I would have cropped the lower third, though, as the foreground takes the eye away from what the "
    "picture is about, which to me is the quiet; but that is a matter of taste, and it is your picture.",
]

"""Parses a feed with `feedparser`."""

import sys

import feedparser

with open(sys.argv[1], "rb") as file:
    print(len(feedparser.parse(file.read()).entries))

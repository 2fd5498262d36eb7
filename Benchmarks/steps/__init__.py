"""The steps: functions whose docstrings begin with a summary, for `Benchmarks/run --list`."""

from .browse import browse
from .feeds import feeds
from .first_list import first_list, list_forms
from .growth import growth
from .hacker_news import hacker_news
from .massive import massive
from .search import search
from .start_up import small_list, start_up
from .sync import sync

ALL = {
    "start-up": start_up, "small-list": small_list, "first-list": first_list, "forms": list_forms, "growth": growth,
    "massive": massive, "hacker-news": hacker_news, "sync": sync, "search": search,
    "feeds": feeds, "browse": browse}

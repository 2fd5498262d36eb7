"""Generated posts, the same on every machine."""

import itertools
import json
import random

AUTHORS = [
    f"{first} {last}"
    for first in "Ada Grace Linus Barbara Donald Edsger Margaret Ken Dennis Radia Niklaus John Frances Alan Anita Brian "
    "Joan Guido Yukihiro Bjarne Karen Rasmus Lynn Tim Sophie".split()
    for last in "Ångström Becker Castellano Dijkstra Eriksen Ferreira Goldberg Hopper Iverson Jemison Knuth Lamport "
    "Matsumoto Nguyen O’Neill Perlman Quist Ritchie Silva Torvalds".split()
]
HEADS = ["How to", "Why we", "Understanding", "A Tour of", "Debugging", "The Joy of", "Introducing", "Deep Dive:",
         "What’s New in", "Rethinking", "Shipping"]
COMMON = (
    "the of and to in is you that it for was on are as with they at be this from have or by one had not but what all "
    "were when we there can an your which their said if do will each about how up out them then she many some so these "
    "would other into has more her two like him see time could no make than first been its who now people my made over "
    "did down only way find use may water long little very after words called just where most know").split()
SYLLABLES = "ra lin to ves mor di sel ban ku ther po zin gal ner wo ta mi con pre sta ble ing er ly".split()


class Words:
    """A vocabulary with natural word frequencies (Zipf's law)."""

    def __init__(self, seed, common=COMMON, syllables=SYLLABLES, longest=3, space=" ", stop="."):
        self.random = random.Random(seed)
        sizes = range(2, longest + 1)
        rare = ("".join(parts) for size in sizes for parts in itertools.product(syllables, repeat=size))
        self.words, self.space, self.stop = common + list(rare), space, stop
        self.weights = list(itertools.accumulate(1 / (rank + 2) for rank in range(len(self.words))))

    def some(self, count):
        return self.random.choices(self.words, cum_weights=self.weights, k=count)

    def sentence(self, count):
        return self.space.join(self.some(count)).capitalize() + self.stop


def metadata(number, words):
    """A record of /post-metadata."""
    pick = words.random
    author = pick.randrange(len(AUTHORS))
    head = pick.choice(HEADS + [f"Part {pick.randint(1, 20)}:"])
    date = "%d-%02d-%02dT%02d:%02d:%02dZ" % (
        pick.randint(2001, 2026), pick.randint(1, 12), pick.randint(1, 28), pick.randint(0, 23), pick.randint(0, 59),
        pick.randint(0, 59))
    return {
        "id": str(number), "title": head + " " + " ".join(words.some(pick.randint(2, 6))).title(), "publishDate": date,
        "postId": str(1_000_000 + number), "summary": words.sentence(28),
        "author": {"name": AUTHORS[author], "image": f"/images/authors/{author}.jpg", "title": "Senior Engineer"}}


def dump(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

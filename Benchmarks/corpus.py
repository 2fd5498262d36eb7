"""Generated posts and feeds, the same on every machine. What a folder has already is kept."""

import email.utils
import itertools
import json
import os
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
# A post of this title is in every list, so that a search finds one hit.
RARE = "Xenolith"
END = 1_777_593_600


class Words:
    """A vocabulary with natural word frequencies (Zipf's law)."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        rare = ("".join(parts) for size in (2, 3) for parts in itertools.product(SYLLABLES, repeat=size))
        self.words = COMMON + list(rare)
        self.weights = list(itertools.accumulate(1 / (rank + 2) for rank in range(len(self.words))))

    def some(self, count):
        return self.random.choices(self.words, cum_weights=self.weights, k=count)

    def sentence(self, count):
        return " ".join(self.some(count)).capitalize() + "."


def dump(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def metadata(number, words):
    """A record of /post-metadata."""
    pick = words.random
    author = pick.randrange(len(AUTHORS))
    head = pick.choice(HEADS + [f"Part {pick.randint(1, 20)}:"])
    date = "%d-%02d-%02dT%02d:%02d:%02dZ" % (
        pick.randint(2001, 2026), pick.randint(1, 12), pick.randint(1, 28), pick.randint(0, 23), pick.randint(0, 59),
        pick.randint(0, 59))
    title = head + " " + " ".join(words.some(pick.randint(2, 6))).title()
    return {
        "id": str(number), "title": RARE if number == 9 else title, "publishDate": date,
        "postId": str(1_000_000 + number), "summary": words.sentence(28),
        "author": {"name": AUTHORS[author], "image": f"/images/authors/{author}.jpg", "title": "Senior Engineer"}}


def make_posts(folder, count, body=0, bodies=None):
    """Writes a folder for `mock-server --data`: a list of posts, and `bodies` of them with about `body` bytes of text,
    also as text files."""
    if os.path.exists(f"{folder}/all.json"):
        return
    for name in ("post", "text"):
        os.makedirs(f"{folder}/{name}", exist_ok=True)
    words, texts = Words(7), Words(11)
    with open(f"{folder}/all.json.part", "w", encoding="utf-8") as file:
        for number in range(1, count + 1):
            record = metadata(number, words)
            file.write(("[" if number == 1 else ",") + dump(record))
            if number <= (count if bodies is None else bodies) and body:
                write_post(folder, record, text(texts, body))
        file.write("]")
    os.replace(f"{folder}/all.json.part", f"{folder}/all.json")


def text(words, size):
    paragraphs, length = [], 0
    while length < size:
        paragraphs.append(words.sentence(70))
        length += len(paragraphs[-1]) + 2
    return "\n\n".join(paragraphs)


def write_post(folder, record, body):
    with open(f"{folder}/text/{record['id']}.md", "w", encoding="utf-8") as file:
        file.write(body)
    with open(f"{folder}/post/{record['postId']}.json", "w", encoding="utf-8") as file:
        file.write(dump({"id": record["postId"], "metadata": record, "body": body}))


def make_article(folder, size):
    """Writes a folder with one post of about `size` bytes that uses all of Markdown."""
    make_posts(folder, 1)
    words, parts, length = Words(12), [], 0
    while length < size:
        emphasized, linked, code = words.some(3)
        parts += [
            f"## {words.sentence(5)[:-1]}", words.sentence(70),
            f"*{emphasized}* and **{linked}**: {words.sentence(50)} [It](https://example.org/{linked}), `{code}`.",
            "\n".join(f"- {words.sentence(15)}" for _ in range(4)), f"> {words.sentence(30)}",
            f"```swift\nlet {code} = [{emphasized}: 1]\nprint({code})\n```"]
        length = sum(len(part) + 2 for part in parts)
    write_post(folder, metadata(1, Words(7)), "\n\n".join(parts))


def make_feed(path, number, entries=13, edition=0):
    """Writes an RSS feed; another edition has the same entries with other IDs, so that they are new."""
    words, site = Words(number), f"https://blog-{number}.example"
    with open(path, "w", encoding="utf-8") as file:
        file.write('<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0" '
                   'xmlns:content="http://purl.org/rss/1.0/modules/content/">\n<channel>\n'
                   f"<title>Blog {number}</title>\n<link>{site}/</link>\n<description>Made up</description>\n")
        for index in range(entries):
            date = email.utils.formatdate(END - index * 3_600 - words.random.randrange(3_600), usegmt=True)
            html = "".join(f"<p>{words.sentence(60)} <a href='/{index}'>déjà-vu</a></p>\n" for _ in range(7))
            file.write(
                f"<item>\n<title>{words.sentence(5)[:-1].title()} &amp; more</title>\n<link>{site}/{index}</link>\n"
                f'<guid isPermaLink="false">{number}-{index}-{edition}</guid>\n<pubDate>{date}</pubDate>\n'
                f"<description>{words.sentence(20)}</description>\n"
                f"<content:encoded><![CDATA[{html}]]></content:encoded>\n</item>\n")
        file.write("</channel>\n</rss>\n")


def html(words, size):
    """About `size` bytes of paragraphs, headings and lists."""
    parts, length = [], 0
    while length < size:
        parts.append(f"<p>{words.sentence(60)} <a href='/{words.some(1)[0]}'>{words.sentence(3)}</a></p>\n"
                     f"<h2>{words.sentence(5)}</h2>\n<ul>" + f"<li>{words.sentence(9)}</li>" * 3 + "</ul>\n")
        length += len(parts[-1])
    return "".join(parts)


def make_page(path, size):
    """Writes a web page of about `size` bytes: an article with what surrounds it."""
    words = Words(13)
    article = html(words, size * 0.6)
    links = "".join(f"<li><a href='/{number}'>{words.sentence(4)}</a></li>\n" for number in range(size // 400))
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"<!doctype html><html lang=en><head><title>A page</title><meta name=author content='Ada'></head>"
                   f"<body><nav><ul>{links[:len(links) // 2]}</ul></nav><article><h1>A page</h1>{article}"
                   f"</article><aside><ul>{links[len(links) // 2:]}</ul></aside></body></html>\n")

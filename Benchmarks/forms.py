"""The forms of JSON in which servers may write the same list."""

import functools
import json
import os
import re
from typing import Callable, NamedTuple

from corpus import Words, metadata
from scripts import in_a_script


class Form(NamedTuple):
    """The formatting of a list, and a change to its posts."""

    separators: tuple = (",", ":")
    indent: str | None = None
    line_end: str = "\n"
    is_escaped: bool = False
    change: Callable = lambda record, number: record

    def text(self, record):
        text = json.dumps(record, ensure_ascii=self.is_escaped, separators=self.separators, indent=self.indent)
        return text.replace("/", "\\/") if self.is_escaped else text

    def chunks(self, records):
        """A list in chunks; if indented, its posts are indented one more level."""
        line = "" if self.indent is None else self.line_end + self.indent
        between = self.separators[0] + line
        yield "[" + line
        for number, record in enumerate(records):
            yield (between if number else "") + self.text(record).replace("\n", line)
        yield ("" if self.indent is None else self.line_end) + "]"


def reversed_keys(record, _):
    return {key: reversed_keys(value, 0) if isinstance(value, dict) else value
            for key, value in reversed(record.items())}


def with_unknown_fields(record, number):
    """The post with unknown fields in between, some of which contain known names."""
    nobody = {"id": "0", "title": "Another", "author": {"name": "Nobody"}, "seen": [[1, 2.5], {}, [], None]}
    return {
        "slug": f"post-{number}", "id": record["id"], "minutes": number % 17, "title": record["title"],
        "rating": number / 7e9, "publishDate": record["publishDate"], "tags": ["swift", "a \"quoted\" one", "\\"],
        "postId": record["postId"], "related": nobody, "summary": record["summary"], "canonical": None,
        "author": {"site": None, **record["author"], "links": [{"rel": "me", "href": "https://example.org/"}]},
        "isFeatured": number % 2 == 0, "history": [{"at": record["publishDate"], "by": {"name": "Nobody"}}]}


def with_short_summary(record, _):
    return record | {"summary": record["summary"][:20].strip()}


def with_long_summary(record, number):
    text = prose()
    start = number * 7919 % (len(text) - 5_000)
    return record | {"summary": text[start:start + 5_000].strip()}


@functools.cache
def prose():
    """A megabyte to take excerpts from, which is faster than generating each."""
    return " ".join(Words(3).some(200_000))


INDENTED = Form(separators=(",", ": "), indent="  ")
FORMS = {
    "compact": Form(),
    "a space after colons and commas": Form(separators=(", ", ": ")),
    "indented by two": INDENTED,
    "indented by tabs": INDENTED._replace(indent="\t"),
    "indented by two, CRLF": INDENTED._replace(line_end="\r\n"),
    "keys in reversed order": Form(change=reversed_keys),
    "escaped as `\\uXXXX` and `\\/`": Form(is_escaped=True),
    "unknown fields": Form(change=with_unknown_fields),
    "summaries of 20 characters": Form(change=with_short_summary),
    "summaries of 5 KB": Form(change=with_long_summary),
    "many scripts": Form(change=in_a_script),
    "many scripts, escaped": Form(change=in_a_script, is_escaped=True),
}


def slug(name):
    """The folder name of a form."""
    return re.sub(r"\W+", "-", name).strip("-")


def make_list(folder, count, form="compact"):
    """Writes folder/post-metadata with `count` posts, unless it exists."""
    path = f"{folder}/post-metadata"
    if os.path.exists(path):
        return
    os.makedirs(folder, exist_ok=True)
    form, words = FORMS[form], Words(7)
    records = (form.change(metadata(number, words), number) for number in range(1, count + 1))
    # Renamed when complete, so that an interrupted run doesn't leave a partial list.
    with open(f"{path}.part", "w", encoding="utf-8", newline="") as file:
        file.writelines(form.chunks(records))
    os.replace(f"{path}.part", path)

"""Bodies of posts: many short ones, or a massive one."""

import json
import os

import forms
from corpus import Words, dump, metadata


def make_bodies(folder, count, size, with_text=False):
    """Writes a list of posts and their bodies as /post/POSTID, optionally also as text files; returns the bodies' size.

    Existing data is kept.
    """
    if os.path.exists(f"{folder}/bytes"):
        with open(f"{folder}/bytes") as file:
            return int(file.read())
    forms.make_list(folder, count)
    for name in ("post", "text") if with_text else ("post",):
        os.makedirs(f"{folder}/{name}", exist_ok=True)
    words, bytes_written = Words(11), 0
    with open(f"{folder}/post-metadata", encoding="utf-8") as file:
        records = json.load(file)
    for record in records:
        paragraphs, length = [], 0
        while length < size:
            paragraphs.append(words.sentence(70))
            length += len(paragraphs[-1]) + 2
        body = "\n\n".join(paragraphs)
        bytes_written += len(body.encode())
        if with_text:
            with open(f"{folder}/text/{record['id']}.md", "w", encoding="utf-8") as file:
                file.write(body)
        write_post(folder, record, body)
    with open(f"{folder}/bytes", "w") as file:
        file.write(str(bytes_written))
    return bytes_written


def write_post(folder, record, body):
    with open(f"{folder}/post/{record['postId']}", "w", encoding="utf-8") as file:
        file.write(dump({"id": record["postId"], "metadata": record, "body": body}))


def make_massive(folder, number, size):
    """Writes a post with a body of about `size` bytes, unless it exists."""
    for name in ("post-metadata", "post"):
        os.makedirs(f"{folder}/{name}", exist_ok=True)
    words = Words(number)
    record = metadata(number, words)
    body = f"{folder}/post/{record['postId']}"
    if os.path.exists(body):
        return
    with open(f"{folder}/post-metadata/{number}", "w", encoding="utf-8") as file:
        file.write(dump(record))
    write_long(body, record, words, size)


def write_long(path, record, words, size):
    """Writes a response with a body of about `size` bytes."""
    block = dump("\n\n".join(words.sentence(60) for _ in range(3000)) + "\n\n")[1:-1]
    with open(f"{path}.part", "w", encoding="utf-8") as file:
        file.write('{"body":"')
        for _ in range(max(1, size // len(block))):
            file.write(block)
        file.write(f'","metadata":{dump(record)},"id":"{record["postId"]}"}}')
    os.replace(f"{path}.part", path)


def make_single(folder):
    """Writes a list of one post; returns its record."""
    os.makedirs(f"{folder}/post", exist_ok=True)
    forms.make_list(folder, 1)
    with open(f"{folder}/post-metadata", encoding="utf-8") as file:
        return json.load(file)[0]


def make_long(folder, size):
    """Writes a list of one post with a body of about `size` bytes, unless it exists."""
    record = make_single(folder)
    path = f"{folder}/post/{record['postId']}"
    if not os.path.exists(path):
        write_long(path, record, Words(1), size)


def make_article(folder, size):
    """Writes a list of one post with a body of about `size` bytes that uses all of Markdown; returns the body."""
    record = make_single(folder)
    words, parts, length = Words(12), [], 0
    while length < size:
        parts += section(words)
        length = sum(len(part) + 2 for part in parts)
    body = "\n\n".join(parts)
    write_post(folder, record, body)
    return body


def section(words):
    """A heading with paragraphs, a list, a quote and code."""
    emphasized, linked, code = words.some(3)
    return [
        f"## {words.sentence(5)[:-1]}", words.sentence(70),
        f"*{emphasized}* and **{linked}**: {words.sentence(50)} See [it](https://example.org/{linked}), `{code}`.",
        "\n".join(f"- {words.sentence(15)}" for _ in range(4)), f"> {words.sentence(30)}",
        f"```swift\nlet {code} = [{emphasized}: 1]\nprint({code})\n```"]

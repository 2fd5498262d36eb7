"""Bodies of posts: many short ones, or one that is massive."""

import json
import os

import forms
from corpus import Words, dump, metadata


def make_bodies(folder, count, size, with_text=False):
    """Writes a list of posts and the body of each as /post/POSTID, also as text for grep; gives their bytes.

    What is there already stays as it is.
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
        with open(f"{folder}/post/{record['postId']}", "w", encoding="utf-8") as file:
            file.write(dump({"id": record["postId"], "metadata": record, "body": body}))
    with open(f"{folder}/bytes", "w") as file:
        file.write(str(bytes_written))
    return bytes_written


def make_massive(folder, number, size):
    """Writes one post with a body of about so many bytes, if it is not there."""
    for name in ("post-metadata", "post"):
        os.makedirs(f"{folder}/{name}", exist_ok=True)
    words = Words(number)
    record = metadata(number, words)
    body = f"{folder}/post/{record['postId']}"
    if os.path.exists(body):
        return
    with open(f"{folder}/post-metadata/{number}", "w", encoding="utf-8") as file:
        file.write(dump(record))
    block = dump("\n\n".join(words.sentence(60) for _ in range(3000)) + "\n\n")[1:-1]
    with open(f"{body}.part", "w", encoding="utf-8") as file:
        file.write('{"body":"')
        for _ in range(max(1, size // len(block))):
            file.write(block)
        file.write(f'","metadata":{dump(record)},"id":"{record["postId"]}"}}')
    os.replace(f"{body}.part", body)

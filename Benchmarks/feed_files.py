"""Generated feeds: many typical ones in all formats and some encodings, or a massive one."""

import datetime
import email.utils
import os
import random
from html import escape

from corpus import AUTHORS, Words, dump

COUNT = 139
ENTRIES = 13
END = 1_777_593_600
NAMESPACES = ('xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" '
              'xmlns:atom="http://www.w3.org/2005/Atom"')


def make_feeds(folder, count=COUNT, edition=0):
    """Writes as many feeds as a person may follow, unless they exist; returns their names and total number of entries.

    Another edition has the same entries with other IDs, so that they are new.
    """
    os.makedirs(folder, exist_ok=True)
    names, entries = [], 0
    for number in range(1, count + 1):
        ending, write, encoding = FORMS[number % len(FORMS)]
        name = f"{number}.{ending}"
        size = random.Random(number).randint(ENTRIES - 5, ENTRIES + 5)
        if not os.path.exists(f"{folder}/{name}"):
            found = entries_of(number, size)
            if edition:
                found = [entry | {"id": f"{entry['id']}-{edition}"} for entry in found]
            text = write(number, found, encoding)
            # Characters that the encoding lacks become references, in XML.
            with open(f"{folder}/{name}", "wb") as file:
                file.write(text.encode(encoding, "xmlcharrefreplace"))
        names.append(name)
        entries += size
    return names, entries


def make_massive_feed(path, size):
    """Writes an RSS feed of about `size` bytes, unless it exists; bodies are alternately CDATA and escaped."""
    if os.path.exists(path):
        return
    block = entries_of(7, 200)
    head, foot = rss(7, [], "utf-8").split("</channel>")
    with open(f"{path}.part", "w", encoding="utf-8") as file:
        written = file.write(head)
        for turn in range(size):
            for index, entry in enumerate(block):
                item = rss_item(entry | {"id": f"{entry['id']}-{turn}"}, is_escaped=index % 2)
                written += len(item.encode())
                file.write(item)
            if written >= size:
                break
        file.write(f"</channel>{foot}")
    os.replace(f"{path}.part", path)


def entries_of(number, count):
    """Entries, newest first."""
    words = Words(number)
    author = AUTHORS[number % len(AUTHORS)]
    return [entry(number, index, words, author) for index in range(count)]


def entry(number, index, words, author):
    site = home(number)
    paragraphs = [words.sentence(words.random.randint(30, 90)) for _ in range(words.random.randint(2, 12))]
    paragraphs[0] = paragraphs[0].replace(" ", f' <a href="/tags/{index}">déjà-vu</a> ', 1)
    paragraphs[-1] = paragraphs[-1].replace(" ", " <em>&amp;</em> ", 1)
    html = "\n".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return {
        "id": f"tag:{number}-{index}", "link": f"{site}/{index}", "title": words.sentence(5)[:-1].title() + " & more",
        "time": END - index * 86_400 * 3 - words.random.randrange(86_400), "author": author,
        "tags": words.some(words.random.randint(0, 3)), "summary": words.sentence(20),
        "html": f'{html}\n<p><img src="/images/{index}.jpg" alt="“{words.some(1)[0]}”"></p>'}


def home(number):
    return f"https://blog-{number}.example"


def iso(time):
    return datetime.datetime.fromtimestamp(time, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def declaration(encoding):
    return f'<?xml version="1.0" encoding="{encoding}"?>\n'


def rss(number, entries, encoding, is_escaped=False, has_bodies=True):
    items = "".join(rss_item(entry, is_escaped, has_bodies) for entry in entries)
    return (f'{declaration(encoding)}<rss version="2.0" {NAMESPACES}>\n<channel>\n<title>Blog {number}</title>\n'
            f"<link>{home(number)}/</link>\n<description>Made up</description>\n<language>en</language>\n{items}"
            "</channel>\n</rss>\n")


def rss_escaped(number, entries, encoding):
    """A common variant: HTML in the description, without `content:encoded`."""
    return rss(number, entries, encoding, is_escaped=True, has_bodies=False)


def rss_item(entry, is_escaped=False, has_bodies=True):
    body = escape(entry["html"], quote=False) if is_escaped else f"<![CDATA[{entry['html']}]]>"
    tags = "".join(f"<category>{tag}</category>\n" for tag in entry["tags"])
    texts = (f"<description>{entry['summary']}</description>\n<content:encoded>{body}</content:encoded>\n"
             if has_bodies else f"<description>{body}</description>\n")
    return (f"<item>\n<title>{escape(entry['title'])}</title>\n<link>{entry['link']}</link>\n"
            f'<guid isPermaLink="false">{entry["id"]}</guid>\n'
            f"<pubDate>{email.utils.formatdate(entry['time'], usegmt=True)}</pubDate>\n"
            f"<dc:creator>{entry['author']}</dc:creator>\n{tags}{texts}</item>\n")


def rdf(number, entries, encoding):
    items = "".join(
        f'<item rdf:about="{entry["link"]}">\n<title>{escape(entry["title"])}</title>\n<link>{entry["link"]}</link>\n'
        f"<dc:date>{iso(entry['time'])}</dc:date>\n<dc:creator>{entry['author']}</dc:creator>\n"
        f"<description>{entry['summary']}</description>\n"
        f"<content:encoded><![CDATA[{entry['html']}]]></content:encoded>\n</item>\n" for entry in entries)
    resources = "".join(f'<rdf:li rdf:resource="{entry["link"]}"/>' for entry in entries)
    return (f'{declaration(encoding)}<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
            f'xmlns="http://purl.org/rss/1.0/" {NAMESPACES}>\n<channel rdf:about="{home(number)}/">\n'
            f"<title>Blog {number}</title>\n<link>{home(number)}/</link>\n<description>Made up</description>\n"
            f"<items><rdf:Seq>{resources}</rdf:Seq></items>\n</channel>\n{items}</rdf:RDF>\n")


def atom(number, entries, encoding, is_xhtml=False):
    def content(entry):
        if is_xhtml:
            html = entry["html"].replace('”">', '”"/>')
            return f'<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">{html}</div></content>'
        return f'<content type="html">{escape(entry["html"], quote=False)}</content>'

    items = "".join(
        f'<entry>\n<title>{escape(entry["title"])}</title>\n<link rel="alternate" href="{entry["link"]}"/>\n'
        f"<id>{entry['id']}</id>\n<published>{iso(entry['time'])}</published>\n"
        f"<updated>{iso(entry['time'])}</updated>\n"
        f"<author><name>{entry['author']}</name></author>\n"
        + "".join(f'<category term="{tag}"/>\n' for tag in entry["tags"])
        + f"<summary>{entry['summary']}</summary>\n{content(entry)}\n</entry>\n" for entry in entries)
    return (f'{declaration(encoding)}<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">\n'
            f'<title>Blog {number}</title>\n<link href="{home(number)}/"/>\n<id>{home(number)}/</id>\n'
            f"<updated>{iso(END)}</updated>\n{items}</feed>\n")


def atom_xhtml(number, entries, encoding):
    return atom(number, entries, encoding, is_xhtml=True)


def json_feed(number, entries, _):
    return dump({
        "version": "https://jsonfeed.org/version/1.1", "title": f"Blog {number}", "home_page_url": f"{home(number)}/",
        "items": [{
            "id": entry["id"], "url": entry["link"], "title": entry["title"], "summary": entry["summary"],
            "content_html": entry["html"], "date_published": iso(entry["time"]), "tags": entry["tags"],
            "authors": [{"name": entry["author"]}]} for entry in entries]})


# Roughly in the proportions of the feeds that people follow. RSS 2.0 comes first.
FORMS = [
    ("xml", rss, "utf-8"), ("xml", rss_escaped, "utf-8"), ("xml", atom, "utf-8"), ("xml", rss, "utf-8"),
    ("xml", rss, "iso-8859-1"), ("xml", atom_xhtml, "utf-8"), ("json", json_feed, "utf-8"), ("xml", rss, "utf-8"),
    ("xml", rdf, "utf-8"), ("xml", rss_escaped, "windows-1252"), ("xml", rss, "utf-8"), ("xml", atom, "utf-8"),
    ("xml", rss, "utf-16"), ("xml", rdf, "shift_jis"),
]

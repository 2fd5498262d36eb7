"""Fetches feeds concurrently, parses them and stores their items. Usage: feeds.py DATABASE ADDRESSES"""

import sqlite3
import sys
import urllib.request
import xml.etree.ElementTree
from concurrent.futures import ThreadPoolExecutor


def items(address):
    with urllib.request.urlopen(address) as response:
        root = xml.etree.ElementTree.fromstring(response.read())
    return [tuple(item.findtext(name) for name in ("guid", "title", "link", "pubDate", "description"))
            + (item.findtext("{http://purl.org/rss/1.0/modules/content/}encoded"),) for item in root.iter("item")]


with open(sys.argv[2]) as file, ThreadPoolExecutor(20) as pool, sqlite3.connect(sys.argv[1]) as database:
    database.execute("CREATE TABLE IF NOT EXISTS items(guid PRIMARY KEY, title, link, date, summary, body)")
    for found in pool.map(items, file.read().split()):
        database.executemany("INSERT OR REPLACE INTO items VALUES (?, ?, ?, ?, ?, ?)", found)

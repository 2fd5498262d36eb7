"""Fetches feeds with Python's `reader`. Usage: reader_feeds.py DATABASE URLS WORKERS"""

import sys

from reader import make_reader

database, addresses, workers = sys.argv[1:]
reader = make_reader(database)
with open(addresses) as file:
    for address in file:
        reader.add_feed(address.strip(), exist_ok=True)
reader.update_feeds(workers=int(workers))

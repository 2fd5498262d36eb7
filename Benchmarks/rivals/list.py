"""Groups posts by author, newest first, as `blog list --group author --sort date` does in a pipe."""

import itertools
import json
import sys

posts = json.load(sys.stdin)
posts.sort(key=lambda post: post["publishDate"], reverse=True)
posts.sort(key=lambda post: post["author"]["name"])
for author, group in itertools.groupby(posts, key=lambda post: post["author"]["name"]):
    for post in group:
        sys.stdout.write("\t".join((author, post["id"], post["publishDate"], post["title"], post["summary"])) + "\n")

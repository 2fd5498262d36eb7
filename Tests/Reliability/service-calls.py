#!/usr/bin/env python3
"""Sends the same hundred calls to two servers with the Google Reader API, and compares the answers field by field.

    Tests/Reliability/service-calls.py REAL MOCK

REAL is the API of a FreshRSS with the user alice, the API password apipass1, at least two feeds in folders, and unread items;
MOCK that of `mock-server --service freshrss`. Items differ, so each call names its items by their place in the list of
unread ones, and values are compared by kind: status, media type, names and types of members, and what a call changed. Exits
with 1 if an answer differs in anything else.
"""

import json
import sys
import urllib.error
import urllib.parse
import urllib.request

READ, STARRED, ALL = (f"user/-/state/com.google/{name}" for name in ["read", "starred", "reading-list"])
LONG = "tag:google.com,2005:reader/item/"


class Server:
    def __init__(self, base):
        self.base, self.key = base.rstrip("/"), None
        _, text = self.send("accounts/ClientLogin", [("Email", "alice"), ("Passwd", "apipass1")])
        self.key = next(line[5:] for line in text.splitlines() if line.startswith("Auth="))
        self.token = self.send("reader/api/0/token")[1].strip()
        self.items = [item["id"] for item in self.json(ids(ALL, xt=READ, n=50))["itemRefs"]]
        self.feed = self.json(("subscription/list", {"output": "json"}))["subscriptions"][0]["id"]

    def send(self, path, form=None, key=""):
        request = urllib.request.Request(f"{self.base}/{path}")
        key = self.key if key == "" else key
        if key:
            request.add_header("Authorization", f"GoogleLogin auth={key}")
        data = None if form is None else urllib.parse.urlencode(form).encode()
        try:
            with urllib.request.urlopen(request, data) as response:
                return response.status, response.read().decode()
        except urllib.error.HTTPError as error:
            marks = [name for name in error.headers if name.lower().endswith("google-bad-token")]
            return error.code, error.read().decode() + "".join(marks)

    def json(self, call):
        return json.loads(self.send(get(call))[1])

    def value(self, text):
        """A value of a call, with the server's own items, feed and token."""
        if isinstance(text, str) and text.startswith("$"):
            kind, _, number = text[1:].partition(":")
            if kind == "token":
                return self.token
            if kind == "feed":
                return self.feed
            number = int(self.items[int(number)])
            return {"short": str(number), "hex": f"{number:016x}", "long": f"{LONG}{number:016x}"}[kind]
        return text


def get(call):
    path, query = call
    return "reader/api/0/" + path + ("?" + urllib.parse.urlencode(query) if query else "")


def ids(stream, **query):
    return "stream/items/ids", {"output": "json", "s": stream, **query}


def shape(value):
    """The kind of a value: the kinds of all members, the first item of a list, and texts by their form."""
    if isinstance(value, dict):
        return {name: shape(member) for name, member in sorted(value.items()) if name not in OPTIONAL}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    if isinstance(value, str):
        for prefix in [LONG, "user/-/state/", "user/-/label/", "feed/", "http"]:
            if value.startswith(prefix):
                return prefix
        return "number" if value.isdigit() else "text"
    return type(value).__name__


# What only some items and feeds have.
OPTIONAL = {"enclosure", "author", "iconUrl", "error", "continuation"}


def answer(status, text):
    try:
        value = json.loads(text)
        more = {"continuation": "continuation" in value} if isinstance(value, dict) else {}
        return status, shape(value), more
    except ValueError:
        words = text.split()
        return status, "OK" if words == ["OK"] else text[:12] if status >= 400 else "text", {}


def calls():
    """The calls: name, path, form (None for GET), and the Authorization ("" for the valid one)."""
    post = [("T", "$token")]

    def edit(name, *fields):
        return name, "reader/api/0/edit-tag", post + list(fields), ""

    def read(name, call, key=""):
        return name, get(call), None, key

    def login(name, *fields):
        return name, "accounts/ClientLogin", list(fields), None

    yield login("login", ("Email", "alice"), ("Passwd", "apipass1"))
    yield login("login with a wrong password", ("Email", "alice"), ("Passwd", "x"))
    yield login("login of nobody", ("Email", "bob"), ("Passwd", "apipass1"))
    yield login("login without fields")
    for key in [None, "alice/0123", "x"]:
        for path in ["token", "subscription/list", "tag/list"]:
            yield read(f"{path} with the key {key}", (path, {"output": "json"}), key)
        yield f"edit-tag with the key {key}", "reader/api/0/edit-tag", [("a", READ), ("i", "$long:0")], key
    for path in ["subscription/list", "tag/list"]:
        yield read(path, (path, {"output": "json"}))
        yield read(path + " without output", (path, {}))
    yield read("token", ("token", {}))
    for stream in [ALL, STARRED]:
        for n in [1, 5, 49, 1000, 10000]:
            yield read(f"ids of {stream}, n={n}", ids(stream, n=n))
            yield read(f"unread ids of {stream}, n={n}", ids(stream, n=n, xt=READ))
    yield read("ids of an unknown label", ids("user/-/label/never used", n=1000))
    yield read("ids without a stream", ("stream/items/ids", {"n": 5}))
    yield read("ids without n", ids(ALL))
    for path in ["x", "preference/list", "friend/list", "stream"]:
        yield read(f"unknown path {path}", (path, {"output": "json"}))
    contents = "reader/api/0/stream/items/contents"
    for form in ["short", "hex", "long"]:
        for count in [1, 2, 20]:
            fields = [("i", f"${form}:{number}") for number in range(count)]
            yield f"contents of {count} by {form}", contents, post + fields, ""
    yield "contents of nothing", contents, post, ""
    yield "contents of an unknown item", contents, post + [("i", LONG + "0000000000000001")], ""
    yield "contents of no number", contents, post + [("i", "x")], ""
    yield "contents by GET", get(("stream/items/contents", {"i": "1"})), None, ""
    for kind, tag in [("a", READ), ("a", STARRED), ("a", "user/-/label/compared"), ("r", READ), ("r", STARRED)]:
        for form in ["short", "long"]:
            yield edit(f"{kind} {tag} by {form}", (kind, tag), ("i", f"${form}:1"))
            yield read(f"starred ids after {kind} {tag}", ids(STARRED, n=1000))
            yield read(f"tags after {kind} {tag}", ("tag/list", {"output": "json"}))
    yield read("ids of the label", ids("user/-/label/compared", n=1000))
    yield edit("two of a: the last one counts", ("a", STARRED), ("a", READ), ("i", "$long:2"))
    yield read("starred ids after two of a", ids(STARRED, n=1000))
    yield edit("a and r", ("a", READ), ("r", STARRED), ("i", "$long:2"))
    yield edit("an unknown item", ("a", READ), ("i", LONG + "0000000000000001"))
    yield edit("no number", ("a", READ), ("i", "x"))
    yield edit("no item", ("a", READ))
    yield edit("no tag", ("i", "$long:3"))
    yield edit("a label named like a folder", ("a", "user/-/label/Tech"), ("i", "$long:3"))
    yield read("ids of that label", ids("user/-/label/Tech", n=1000))
    for token in ["x", "", "wrong"]:
        yield f"edit-tag with the token {token}", "reader/api/0/edit-tag", [("T", token), ("a", READ), ("i", "$long:4")], ""
    yield "edit-tag without a token", "reader/api/0/edit-tag", [("a", READ), ("i", "$long:4")], ""
    edit_feed = "reader/api/0/subscription/edit"
    yield "a feed moves", edit_feed, post + [("ac", "edit"), ("s", "$feed"), ("a", "user/-/label/Moved")], ""
    yield read("tags after the move", ("tag/list", {"output": "json"}))
    yield "an unknown feed moves", edit_feed, post + [("ac", "edit"), ("s", "feed/9999"), ("a", "user/-/label/M")], ""
    yield "an unknown feed is unfollowed", edit_feed, post + [("ac", "unsubscribe"), ("s", "feed/9999")], ""
    yield "no action", edit_feed, post + [("s", "$feed")], ""
    yield "a feed is unfollowed", edit_feed, post + [("ac", "unsubscribe"), ("s", "$feed")], ""
    yield "and once more", edit_feed, post + [("ac", "unsubscribe"), ("s", "$feed")], ""
    yield read("feeds after that", ("subscription/list", {"output": "json"}))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    servers = [Server(address) for address in sys.argv[1:]]
    count = failures = 0
    for name, path, form, key in calls():
        count += 1
        real, mock = (
            answer(*server.send(path, form and [(field, server.value(value)) for field, value in form], key))
            for server in servers
        )
        if real != mock:
            failures += 1
            print(f"{name}:\n  real {real}\n  mock {mock}")
    print(f"{count} calls, {failures} differences")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()

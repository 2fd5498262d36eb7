#!/usr/bin/env python3
"""Marks posts on both sides of a sync server, breaks everything on the way, and compares what both sides say.

    Tests/Reliability/service.py --blog .build/release/blog --server URL [--rounds 50] [--seed 1]

URL is that of the API of a FreshRSS with the user alice and the API password apipass1, or of `mock-server --service`.
Between blog and the server stands a proxy that cuts connections before, within and after requests, sends only half of a
change, and lets blog be killed (SIGKILL) at any moment. After each round a whole sync must leave both sides equal, with no
mark of the round lost or inverted. Exits with 1 if one was.
"""

import argparse
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

READ, STARRED = "user/-/state/com.google/read", "user/-/state/com.google/starred"
LABELS = ["later", "r & d"]


class Server:
    """The server, as another program of the user sees it."""

    def __init__(self, base):
        self.base = base.rstrip("/")
        form = {"Email": "alice", "Passwd": "apipass1"}
        lines = self.request("accounts/ClientLogin", form).splitlines()
        self.key = next(line[5:] for line in lines if line.startswith("Auth="))
        self.token = self.request("reader/api/0/token").strip()
        self.has_labels = self.base.endswith("greader.php")

    def request(self, path, form=None):
        request = urllib.request.Request(f"{self.base}/{path}")
        if hasattr(self, "key"):
            request.add_header("Authorization", f"GoogleLogin auth={self.key}")
        data = None if form is None else urllib.parse.urlencode(form, doseq=True).encode()
        with urllib.request.urlopen(request, data) as response:
            return response.read().decode()

    def ids(self, stream, excluded=None):
        query = {"s": stream, "n": 100000, "output": "json"}
        if excluded:
            query["xt"] = excluded
        found, seen = [], set()
        while True:
            answer = json.loads(self.request("reader/api/0/stream/items/ids?" + urllib.parse.urlencode(query)))
            new = [item["id"] for item in answer["itemRefs"] if item["id"] not in seen]
            found += new
            seen.update(new)
            if "continuation" not in answer or not new:
                return [f"{int(number) & (1 << 64) - 1:016x}" for number in found]
            query["c"] = answer["continuation"]

    def state(self):
        """The unread and starred items, and those with each label."""
        state = {
            "unread": set(self.ids("user/-/state/com.google/reading-list", READ)),
            "starred": set(self.ids(STARRED)),
        }
        if self.has_labels:
            tags = json.loads(self.request("reader/api/0/tag/list?output=json"))["tags"]
            for label in LABELS:
                known = any(tag["id"].endswith("/label/" + label) and tag.get("type") == "tag" for tag in tags)
                state[label] = set(self.ids("user/-/label/" + label)) if known else set()
        return state

    def mark(self, items, mark):
        name, kind = CHANGES[mark] if mark in CHANGES else ("a" if mark[0] == "+" else "r", "user/-/label/" + mark[1:])
        items = [f"tag:google.com,2005:reader/item/{item}" for item in items]
        for start in range(0, len(items), 200):
            answer = self.request(
                "reader/api/0/edit-tag", [("T", self.token), (name, kind)] + [("i", i) for i in items[start : start + 200]]
            )
            assert answer.strip() == "OK", answer


CHANGES = {"read": ("a", READ), "unread": ("r", READ), "saved": ("a", STARRED), "unsaved": ("r", STARRED)}


class Proxy:
    """Passes connections on to the server, and breaks them as it is told to."""

    def __init__(self, base):
        parts = urllib.parse.urlsplit(base)
        self.target = (parts.hostname, parts.port or 80)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}{parts.path}"
        self.random, self.rate = random.Random(0), 0.0
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        try:
            with client:
                while self.exchange(client):
                    pass
        except OSError:
            pass

    def exchange(self, client):
        data = b""
        while b"\r\n\r\n" not in data:
            part = client.recv(65536)
            if not part:
                return False
            data += part
        head, _, body = data.partition(b"\r\n\r\n")
        match = re.search(rb"(?i)content-length: (\d+)", head)
        while match and len(body) < int(match[1]):
            body += client.recv(65536)
        fault = self.random.choice(["before", "half", "after", "within"]) if self.random.random() < self.rate else None
        if fault == "before":
            return False
        if fault == "half" and match:
            fields = body.split(b"&")
            body = b"&".join(fields[: len(fields) // 2 + 2])
            head = re.sub(rb"(?i)(content-length: )\d+", rb"\g<1>" + str(len(body)).encode(), head)
        # One request a connection, so that the end of a response is the end of its connection.
        head = re.sub(rb"(?im)^connection:.*\r\n", b"", head) + b"\r\nConnection: close"
        with socket.create_connection(self.target) as server:
            server.sendall(head + b"\r\n\r\n" + body)
            answer = b""
            while part := server.recv(65536):
                answer += part
        if fault in ("half", "after"):
            return False
        client.sendall(answer[: len(answer) // 2] if fault == "within" else answer)
        return False


class Reader:
    """blog, in a home of its own."""

    def __init__(self, program, home, proxy):
        self.program, self.home, self.proxy = program, home, proxy
        with open(f"{home}/.netrc", "w") as file:
            file.write("machine 127.0.0.1 login alice password apipass1\n")
        os.chmod(f"{home}/.netrc", 0o600)

    def start(self, *arguments, stdin=""):
        environment = {"HOME": self.home, "PATH": "/usr/bin:/bin", "TZ": "UTC"}
        process = subprocess.Popen(
            [self.program, *arguments], env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        return process

    def run(self, *arguments, stdin="", check=True):
        process = self.start(*arguments)
        output, errors = process.communicate(stdin)
        if check and process.returncode != 0:
            sys.exit(f"blog {' '.join(arguments)}: {process.returncode}\n{errors}")
        return output

    def posts(self):
        """The short IDs by those of the server."""
        rows = json.loads(self.run("list", "-s", "home", "--offline", "--json=id,postId", "--duplicates", "show"))
        return {row["postId"]: row["id"] for row in rows}

    def state(self, has_labels):
        rows = json.loads(
            self.run("list", "-s", "home", "--offline", "--json=postId,read,saved,labels", "--duplicates", "show")
        )
        state = {
            "unread": {row["postId"] for row in rows if not row["read"]},
            "starred": {row["postId"] for row in rows if row["saved"]},
        }
        for label in LABELS if has_labels else []:
            state[label] = {row["postId"] for row in rows if label in (row.get("labels") or [])}
        return state

    def mark(self, ids, mark):
        words = ["mark", mark] if mark in CHANGES else ["label", "add" if mark[0] == "+" else "remove", mark[1:]]
        self.run(*words, "--quiet", "-", stdin="\n".join(ids) + "\n")

    def sync(self, kill_after=None):
        process = self.start("sync", "-s", "home", "--quiet", "--timeout", "5")
        if kill_after is not None:
            time.sleep(kill_after)
            process.send_signal(signal.SIGKILL)
        return process


def holds(state, item, mark):
    kind, value = {
        "read": ("unread", False), "unread": ("unread", True), "saved": ("starred", True), "unsaved": ("starred", False),
    }.get(mark, (mark[1:], mark[0] == "+"))
    return (item in state[kind]) == value


def by_mark(marks):
    groups = {}
    for item, mark in marks.items():
        groups.setdefault(mark, []).append(item)
    return groups


def play(reader, server, proxy, rng, kinds):
    """Marks both sides, breaks some syncs, and returns what must hold afterwards."""
    posts = reader.posts()
    chosen = rng.sample(sorted(posts), min(70, len(posts)))
    ours = {item: rng.choice(kinds) for item in chosen[:30]}
    theirs = {item: rng.choice(kinds) for item in chosen[30:60]}
    for mark, items in by_mark(ours).items():
        reader.mark([posts[item] for item in items], mark)
    for mark, items in by_mark(theirs).items():
        server.mark(items, mark)
    proxy.rate = rng.choice([0.1, 0.3, 0.6])
    for _ in range(rng.randint(1, 3)):
        process = reader.sync(rng.uniform(0.005, 0.3) if rng.random() < 0.5 else None)
        late = {item: rng.choice(kinds) for item in rng.sample(chosen[60:], 2)}
        for mark, items in by_mark(late).items():
            reader.mark([posts[item] for item in items], mark)
        ours.update(late)
        process.communicate()
    proxy.rate = 0
    return {**theirs, **ours}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--blog", required=True)
    parser.add_argument("--server", required=True)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    server, proxy = Server(options.server), Proxy(options.server)
    proxy.random = random.Random(options.seed)
    failures = 0
    with tempfile.TemporaryDirectory() as home:
        reader = Reader(os.path.abspath(options.blog), home, proxy)
        reader.run("follow", proxy.url, "--as", "home")
        reader.run("sync", "-s", "home", "--all", "--quiet")
        kinds = list(CHANGES) + ([sign + label for label in LABELS for sign in "+-"] if server.has_labels else [])
        for number in range(1, options.rounds + 1):
            expected = play(reader, server, proxy, rng, kinds)
            reader.run("sync", "-s", "home", "--quiet", check=False)
            reader.run("sync", "-s", "home", "--quiet")
            here, there = reader.state(server.has_labels), server.state()
            known = set(reader.posts())
            for kind in there:
                # A read item that was never unread here is fetched only if it is starred or labelled.
                if here[kind] != there[kind] & known or kind != "unread" and there[kind] - known:
                    failures += 1
                    print(f"round {number}: {kind} differs by {len(here[kind] ^ there[kind])}")
            wrong = [(item, mark) for item, mark in expected.items() if not holds(there, item, mark)]
            if wrong:
                failures += 1
                print(f"round {number}: {len(wrong)} marks lost or inverted, such as {wrong[:3]}")
            left = reader.run("sources", "-s", "home", "--json=name,marksToSend", "--offline")
            if any(row["marksToSend"] for row in json.loads(left)):
                failures += 1
                print(f"round {number}: marks are still to be sent")
        check = reader.run("store", "check", check=False)
    print(f"{options.rounds} rounds, {failures} failures; {check.strip() or 'the store is sound'}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()

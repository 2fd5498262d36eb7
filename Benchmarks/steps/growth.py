"""The time of commands by the number of posts in the store."""

import glob
import json
import os
import shutil

import corpus
from bench import remove
from measure import in_turn, once, short
from report import seconds

READING = ["list --limit 20", "list --limit 20 --sort title", "list --limit 20 --sort author",
           "list --limit 20 --unread", "read 7", "search xenolith", "sources", "list"]
MAX_SYNCED = 100_000


def growth(bench):
    """Every kind of command with 10 to 1,000,000 posts in the store."""
    for size in bench.sizes:
        fill(bench, size)
        read(bench, size)
        # Saved for `compare`, because the next steps change the store.
        for file in glob.glob(f"{bench.store}*"):
            shutil.copyfile(file, file.replace(bench.store, f"{bench.folder}/{size}.sqlite3"))
        mark(bench, size)
        maintain(bench, size)
        sync(bench, size)
    compare(bench)


def note(bench, command, run):
    bench.growth.setdefault(f"blog {command}", []).append(run)


def fill(bench, size):
    """Stores a list with a post that only one word finds, and a body."""
    bench.forget()
    url = bench.list_of(size)
    note(bench, "list (first)", bench.run(f"list --limit 20 --url {url}"))
    needle = {**corpus.metadata(7, corpus.Words(1)), "title": "Xenolith", "id": "needle"}
    line = {"source": "blog", "address": url, "listed": True, "read": False, "saved": False, "changedAt": 1,
            "metadata": needle}
    with open(f"{bench.folder}/needle.jsonl", "w") as file:
        file.write(json.dumps(line) + "\n")
    bench.run(f"store import {bench.folder}/needle.jsonl")
    bench.small_bodies(10)
    os.makedirs(f"{bench.www}/{size}/post", exist_ok=True)
    if not os.path.exists(f"{bench.www}/{size}/post/1000007"):
        shutil.copyfile(f"{bench.www}/10/post/1000007", f"{bench.www}/{size}/post/1000007")
    bench.run(f"read 7 --url {url}")
    bench.run(f"search xenolith --url {url}")


def full(bench, command, size):
    """The command line of a command without network."""
    is_global = command == "sources" or command.startswith("store ")
    return f"{bench.blog} {command}" + ("" if is_global else f" --offline --url {bench.list_of(size)}")


def read(bench, size):
    for command in READING:
        line = full(bench, command, size)
        once(line, bench.environment)
        note(bench, command, in_turn({"blog": line}, bench.environment, 5)["blog"])


def mark(bench, size):
    commands = {name: full(bench, name, size) for name in ("mark read --all", "undo")}
    for name, run in in_turn(commands, bench.environment, rounds(size)).items():
        note(bench, name, run)


def maintain(bench, size):
    """Commands for the whole store; its export is imported into an empty one."""
    exported, other = f"{bench.folder}/exported.jsonl", f"{bench.folder}/other.sqlite3"
    bench.run("store export", exported)
    commands = {name: full(bench, f"store {name}", size) for name in ("export", "check", "vacuum")}
    commands["import"] = f"{bench.blog} store import {exported} --store {other}"
    for name, run in in_turn(commands, bench.environment, rounds(size), lambda _: remove(other)).items():
        note(bench, f"store {name}", run)
    remove(other)
    os.remove(exported)


def sync(bench, size):
    """A complete sync from scratch."""
    if size > MAX_SYNCED:
        note(bench, "sync", None)
        return bench.skip(f"`blog sync` of {size:,} posts: it takes ten times as long as that of {MAX_SYNCED:,}, and "
                          "as many files")
    url = bench.small_bodies(size)
    note(bench, "sync", in_turn({"blog": f"{bench.blog} sync --quiet --url {url}"}, bench.environment,
                                1 if size == MAX_SYNCED else 3, bench.forget)["blog"])


def rounds(size):
    return 3 if size <= MAX_SYNCED else 1


def compare(bench):
    """Adds rows that compare the largest store with the smallest."""
    few, many = bench.sizes[0], bench.sizes[-1]
    for command in READING[:-1]:
        lines = {size: f"{full(bench, command, size)} --store {bench.folder}/{size}.sqlite3" for size in (few, many)}
        times = short({"start": f"{bench.blog} --version"} | lines, bench.environment)
        ratio = (times[many] - times["start"]) / (times[few] - times["start"])
        bench.add(f"`blog {command}` of {many:,} posts", seconds(times[many]),
                  f"of {few} posts {seconds(times[few])}: {ratio:.1f} × beyond start-up", "2 ×", ratio <= 2)
    whole = bench.growth["blog list"][-1]
    bench.add(f"`blog list --offline` of {many:,} posts", f"first line after {seconds(whole.first)}, "
              f"{whole.peak:.0f} MiB", "", "100 ms, 48 MiB", whole.first < 0.1 and whole.peak < 48)

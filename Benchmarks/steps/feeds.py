"""Many small feeds from several servers, and one of almost the maximum size."""

import contextlib
import math
import os
import shutil
import sqlite3
import subprocess

import feed_files
from bench import HERE, remove
from measure import in_turn, median, once
from report import seconds

HOSTS = 20
WORKERS = 20
LATENCY = 50
# The limit is 15 MiB.
MASSIVE = 15_000_000


def feeds(bench):
    """139 feeds from 20 servers and one of 15 MB, compared with newsboat and Python's reader and feedparser."""
    rivals = installed(bench)
    many(bench, rivals)
    massive(bench, has_feedparser="feedparser" in rivals)


def installed(bench):
    """The installed rivals; the others are reported as skipped."""
    checks = {
        "newsboat": ["newsboat", "-v"], "feedparser": ["python3", "-c", "import feedparser"],
        # It imports its dependencies late.
        "reader": ["python3", "-c", "import reader; reader.make_reader(':memory:').update_feeds()"]}
    rivals = set()
    for name, check in checks.items():
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        if shutil.which(check[0]) and not subprocess.run(check, **quiet).returncode:
            rivals.add(name)
        else:
            bench.skip(f"{name}, which is not installed, beside blog's feeds")
    return rivals


# Many feeds


def many(bench, rivals):
    folder = f"{bench.folder}/feeds"
    names, entries = feed_files.make_feeds(folder)
    with served(bench, folder, names, f"{bench.folder}/urls"):
        first, second = refreshes(bench, commands(bench, rivals))
    counts = {name: count(bench, name) for name in first}
    ideal = math.ceil(len(names) / WORKERS) * LATENCY / 1000
    for work, runs in (("first", first), ("second", second)):
        add_refresh(bench, f"{work} refresh of {len(names)} feeds, {HOSTS} servers, {LATENCY} ms", runs, ideal)
    ours = counts.pop("blog")
    others = ", ".join(f"{name} {number:,}" for name, number in counts.items())
    bench.add(f"entries read, of {entries:,}", f"{ours:,}", others, "all", ours == entries)


@contextlib.contextmanager
def served(bench, folder, names, addresses):
    """Serves the feeds of a folder from several hosts, and writes their URLs to a file."""
    with open(f"{folder}/index.html", "w") as file:
        file.write("feeds")
    with bench.mock_server(LATENCY, "--feeds", folder, hosts=HOSTS + 1) as port:
        with open(addresses, "w") as file:
            file.writelines(
                f"http://127.0.0.{2 + index % HOSTS}:{port}/feeds/{name}\n" for index, name in enumerate(names))
        yield


def blog(bench):
    """The program without BLOG_URL, so that its scope is all sources."""
    return f"env -u BLOG_URL {bench.blog}"


def commands(bench, rivals):
    """The commands of each program for its first refresh, from scratch, and its second."""
    folder = bench.folder
    ours = (f"{blog(bench)} follow --kind feed --quiet {folder}/urls",
            f"{blog(bench)} list --refresh --quiet --limit 20")
    found = {"blog": ours}
    if "newsboat" in rivals:
        with open(f"{folder}/newsboat.conf", "w") as file:
            file.write(f"reload-threads {WORKERS}\nmax-items 0\n")
        reload = f"newsboat -q -C {folder}/newsboat.conf -u {folder}/urls -c {cache(bench, 'newsboat')} -x reload"
        found["newsboat"] = (reload, reload)
    if "reader" in rivals:
        update = f"python3 {HERE}/rivals/reader_feeds.py {cache(bench, 'reader')} {folder}/urls {WORKERS}"
        found["reader"] = (update, update)
    return found


def refreshes(bench, commands):
    """The medians of the first and of the second refreshes, by program."""
    runs = {name: ([], []) for name in commands}
    for _ in range(3):
        for name, pair in commands.items():
            if name == "blog":
                bench.forget()
            else:
                remove(cache(bench, name))
            for several, command in zip(runs[name], pair):
                several.append(once(command, bench.environment))
    return [{name: median(pair[turn]) for name, pair in runs.items()} for turn in (0, 1)]


def cache(bench, name):
    return f"{bench.folder}/{name}.db"


def count(bench, name):
    """The number of entries that a program has stored."""
    if name == "blog":
        return bench.count_of("list --offline", blog(bench))
    table = {"newsboat": "rss_item", "reader": "entries"}[name]
    with sqlite3.connect(cache(bench, name)) as database:
        return database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


def add_refresh(bench, work, runs, ideal):
    def text(run):
        return f"{seconds(run.wall)} ({run.wall / ideal:.2f} × ideal), {run.peak:.0f} MiB"

    beside = "; ".join(f"{name} {text(run)}" for name, run in runs.items() if name != "blog")
    bench.add(work, text(runs["blog"]), f"ideal {seconds(ideal)}" + (f"; {beside}" if beside else ""))


# One feed


def massive(bench, has_feedparser):
    path = f"{bench.www}/massive.xml"
    feed_files.make_massive_feed(path, MASSIVE)
    size = os.path.getsize(path)
    url = f"{bench.site}/massive.xml"
    commands = {"blog": f"{blog(bench)} follow --kind feed --quiet {url}", "curl": f"curl -sf {url} -o {os.devnull}"}
    runs = in_turn(commands, bench.environment, 3, bench.forget)
    ours, curl = runs["blog"], runs["curl"]
    beside = f"`curl` {seconds(curl.wall)}: {ours.wall / curl.wall:.0f} ×"
    if has_feedparser:
        part = f"{bench.folder}/part.xml"
        feed_files.make_massive_feed(part, size // 10)
        parsed = once(f"python3 {HERE}/rivals/parse_feed.py {part}", bench.environment)
        rate = os.path.getsize(part) / parsed.wall / 1e6
        beside += f"; feedparser, a tenth of it and only parsed, {rate:.1f} MB/s, {parsed.peak:.0f} MiB"
    bench.add(f"a feed of {size / 1e6:.0f} MB, read and stored",
              f"{seconds(ours.wall)}, {size / ours.wall / 1e6:.0f} MB/s, {ours.peak:.0f} MiB", beside)

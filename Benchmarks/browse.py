"""The full-screen reader: its first frame, its keys, and its cost when idle."""

import contextlib
import glob
import math
import os
import re
import statistics
import subprocess
import time

import corpus
from terminal import Terminal

SIZES = [(80, 24), (200, 50)]
FEEDS, HOSTS, LATENCY = 150, 20, 50
PAGE_UP, PAGE_DOWN, ENTER = "\x1b[5~", "\x1b[6~", "\r"
MAX_MEDIAN, MAX_P99 = 0.002, 0.016
# Only keys address or scroll a row above the last one, which is the status line.
ADDRESS = re.compile(rb"\x1b\[(\d*)(?:;\d+)?[Hr]")


def milliseconds(value):
    return f"{value * 1000:.1f} ms"


def browse(bench):
    """`blog browse` on a terminal: frames, keys, also during a refresh, and ten seconds without a key."""
    desk = Desk(bench)
    many = 10_000 if bench.is_quick else 100_000
    corpus.make_posts(f"{bench.folder}/{many}", many, 300, bodies=10)
    corpus.make_posts(f"{bench.folder}/reading", 300, 10_000)
    corpus.make_article(f"{bench.folder}/article", 100_000)
    with desk.followed(str(many)), desk.followed("reading"), desk.followed("article"):
        for name in ("reading", "article"):
            desk.run(name, "sync --quiet")
        for size in SIZES:
            first_frame(desk, many, *size)
            list_keys(desk, many, *size)
            post_keys(desk, *size)
        idle(desk, many)
    during_refresh(desk)


class Desk:
    """The stores, and `blog browse` on a terminal with one of them."""

    def __init__(self, bench):
        self.bench = bench
        self.count = 40 if bench.is_quick else 200
        self.environment = bench.environment | {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
        for name in ("COLORTERM", "NO_COLOR", "ACCESSIBLE", "TMUX"):
            self.environment.pop(name, None)
        for file in glob.glob(f"{bench.folder}/browse-*.sqlite3*"):
            os.remove(file)

    def at(self, name):
        """The environment with a store."""
        return self.environment | {"BLOG_STORE": f"{self.bench.folder}/browse-{name}.sqlite3"}

    def run(self, name, arguments):
        subprocess.run([self.bench.blog, *arguments.split()], env=self.at(name), check=True, stdout=subprocess.DEVNULL)

    @contextlib.contextmanager
    def followed(self, name):
        """A served folder of posts, in a store of its own."""
        with self.bench.serve(f"{self.bench.folder}/{name}") as url:
            self.run(name, f"follow --quiet {url}")
            yield

    def open(self, name, columns, rows):
        return Terminal(f"{self.bench.blog} browse", self.at(name), columns, rows)

    @contextlib.contextmanager
    def settled(self, name, columns=80, rows=24):
        """The program after its first frame."""
        with self.open(name, columns, rows) as terminal:
            terminal.output(quiet=1)
            yield terminal


def first_frame(desk, many, columns, rows):
    times, processor = [], []
    for _ in range(5 if desk.bench.is_quick else 15):
        with desk.open(str(many), columns, rows) as terminal:
            times.append(terminal.until_shown(lambda screen: screen.filled == rows))
            processor.append(terminal.processor)
    median = statistics.median(times)
    desk.bench.add(
        f"`blog browse`: first frame at {many:,} posts, {columns}×{rows}",
        f"{milliseconds(median)}, at best {milliseconds(min(times))}, processor "
        f"{milliseconds(statistics.median(processor))}", "", "50 ms", median < 0.05)


class Presses:
    """The results of a key that was pressed many times."""

    def __init__(self):
        self.times, self.sizes, self.processor = [], [], 0

    @property
    def median(self):
        return statistics.median(self.times)

    @property
    def p99(self):
        return sorted(self.times)[math.ceil(len(self.times) * 0.99) - 1]

    def __str__(self):
        return f"{milliseconds(self.median)}, p99 {milliseconds(self.p99)}"


def press(terminal, keys, count):
    """Presses keys in turn."""
    result = Presses()
    for number in range(count):
        before = terminal.processor
        output = terminal.press(keys[number % len(keys)])
        if not output.chunks:
            raise RuntimeError(f"nothing after {keys[number % len(keys)]!r}: {terminal.screen.text}")
        result.processor += terminal.processor - before
        result.times.append(output.seconds)
        result.sizes.append(output.size)
    return result


def add(desk, work, result, max_median=MAX_MEDIAN, max_bytes=None):
    """Adds the row of a key."""
    bars = [f"median {milliseconds(max_median)}"] if max_median else []
    bars += [f"p99 {milliseconds(MAX_P99)}"] + ([f"{max_bytes} bytes"] if max_bytes else [])
    size = statistics.median(result.sizes)
    holds = (not max_median or result.median < max_median) and result.p99 < MAX_P99 and size <= (max_bytes or math.inf)
    desk.bench.add(
        f"`blog browse`: {work}",
        f"{result}, processor {milliseconds(result.processor / len(result.times))}, {size:,.0f} bytes, at most "
        f"{max(result.sizes):,}", "", ", ".join(bars), holds)


def list_keys(desk, many, columns, rows):
    with desk.settled(str(many), columns, rows) as terminal:
        for work, keys, most in (
                ("`j` in the list", ["j"], 250), ("`k` in the list", ["k"], 250),
                ("a page of the list", [PAGE_DOWN] * 8 + [PAGE_UP] * 7, None)):
            add(desk, f"{work}, {columns}×{rows}", press(terminal, keys, desk.count - 10), max_bytes=most)


def post_keys(desk, columns, rows):
    with desk.settled("article", columns, rows) as terminal:
        first = Presses()
        for _ in range(desk.count):
            terminal.type(ENTER)
            # Before, there is only a list of one post.
            first.times.append(terminal.until_shown(lambda screen: screen.filled > rows // 2, quiet=0.03))
            terminal.press("q")
        desk.bench.add(f"`blog browse`: first screen of a stored post of 100 KB, {columns}×{rows}", first, "",
                       f"p99 {milliseconds(MAX_P99)}", first.p99 < MAX_P99)
        terminal.press(ENTER, quiet=1)
        add(desk, f"`j` in the post, {columns}×{rows}", press(terminal, ["j"], desk.count), max_bytes=150)
        pages = press(terminal, [" "] * 20 + [PAGE_UP] * 20, desk.count)
        add(desk, f"a page of the post, {columns}×{rows}", pages)
    with desk.settled("reading", columns, rows) as terminal:
        terminal.press(ENTER, quiet=1)
        add(desk, f"`n` to the next post of 10 KB, {columns}×{rows}", press(terminal, ["n"], desk.count // 2), None)


def idle(desk, many):
    """Output and wake-ups in ten seconds."""
    with desk.settled(str(many)) as posts, desk.settled("article") as post:
        post.press(ENTER, quiet=1)
        # Idle threads of a pool end after a few seconds.
        time.sleep(15)
        for work, terminal in (("the list", posts), ("a post", post)):
            terminal.output(patience=0)
            switches = terminal.status("voluntary_ctxt_switches")
            time.sleep(10)
            switches = terminal.status("voluntary_ctxt_switches") - switches
            size = terminal.output(patience=0).size
            desk.bench.add(f"`blog browse`: 10 s with no key, {work}", f"{size} bytes, {switches} wake-ups", "",
                           "0 bytes, 5 wake-ups", size == 0 and switches <= 5)


def during_refresh(desk):
    """Presses `j` during refreshes in which all feeds have new entries."""
    folder = f"{desk.bench.folder}/browse-feeds"
    os.makedirs(folder, exist_ok=True)
    result, edition = Presses(), 0

    def write():
        for number in range(1, FEEDS + 1):
            corpus.make_feed(f"{folder}/{number}.xml", number, edition=edition)

    write()
    with open(f"{folder}/index.html", "w") as file:
        file.write("feeds")
    options = ["--feeds", folder, "--latency", str(LATENCY)]
    with desk.bench.serve("mocks/data/blog", *options, hosts=HOSTS + 1) as url:
        addresses = [f"http://127.0.0.{2 + number % HOSTS}:{url.split(':')[-1]}/feeds/{number}.xml"
                     for number in range(1, FEEDS + 1)]
        desk.run("feeds", f"follow --kind feed --quiet {' '.join(addresses)}")
        with desk.settled("feeds") as terminal:
            while len(result.times) < desk.count:
                edition += 1
                write()
                before = len(result.times)
                press_during(terminal, result)
                assert len(result.times) > before, "the refresh was over before a key was pressed"
    desk.bench.add(f"`blog browse`: `j` in the list during refreshes of {FEEDS} feeds with new entries, 80×24",
                   result, f"{len(result.times)} keys",
                   f"median {milliseconds(MAX_MEDIAN)}, p99 {milliseconds(MAX_P99)}",
                   result.median < MAX_MEDIAN and result.p99 < MAX_P99)


def press_during(terminal, result):
    terminal.press("R", quiet=0.005)
    for number in range(1000):
        terminal.type("jk"[number % 2])
        output = terminal.output(patience=1, is_enough=lambda chunk: any(
            int(match[1] or 1) < terminal.rows for match in ADDRESS.finditer(chunk)))
        if "refreshed" not in terminal.screen.text[-1]:
            break
        result.times.append(output.seconds)
        terminal.output(quiet=0.01, patience=0.01)
    terminal.output(quiet=1)

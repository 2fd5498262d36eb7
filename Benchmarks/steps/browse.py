"""The full-screen reader: its first frame, its keys, and its cost when idle."""

import contextlib
import math
import os
import re
import shutil
import statistics
import subprocess
import time
from html import escape

import bodies
import feed_files
from bench import remove
from report import marked, milliseconds
from terminal import Terminal

from .feeds import served

SIZES = [(80, 24), (200, 50)]
KEYS = 200
FEEDS = 150
UP, DOWN, PAGE_UP, PAGE_DOWN, ENTER = "\x1bOA", "\x1bOB", "\x1b[5~", "\x1b[6~", "\r"
MAX_MEDIAN, MAX_P99 = 0.002, 0.016
# Only keys address or scroll a row above the last one, which is the status line.
ADDRESS = re.compile(rb"\x1b\[(\d*)(?:;\d+)?[Hr]")


def browse(bench):
    """`blog browse` on a terminal, key by key, compared with newsboat, less and tig."""
    desk = Desk(bench)
    first_frames(desk)
    for size in SIZES:
        list_keys(desk, *size)
        post_keys(desk, *size)
    during_refresh(desk)
    idle(desk)
    ahead(desk)
    memory(desk)


class Desk:
    """The stores and the programs to compare."""

    def __init__(self, bench):
        self.bench = bench
        self.count = KEYS // 5 if bench.is_quick else KEYS
        self.many = 10_000 if bench.is_quick else 100_000
        self.environment = os.environ | {
            "HOME": bench.folder, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "LESS": "", "LESSHISTFILE": "-"}
        for name in ("BLOG_URL", "COLORTERM", "NO_COLOR", "ACCESSIBLE", "TMUX"):
            self.environment.pop(name, None)
        self.rivals = {name for name in ("newsboat", "less", "tig") if shutil.which(name)}
        for name in {"newsboat", "less", "tig"} - self.rivals:
            bench.skip(f"{name}, which is not installed, beside `blog browse`")
        self.fill()

    def fill(self):
        bench, www = self.bench, self.bench.www
        for count in (1_000, self.many):
            self.follow(str(count), bench.list_of(count))
        bodies.make_bodies(f"{www}/reading", 300, 10_000)
        self.follow("reading", f"{bench.site}/reading")
        self.run("reading", "sync --quiet")
        self.article = f"{bench.folder}/article.md"
        with open(self.article, "w", encoding="utf-8") as file:
            file.write(bodies.make_article(f"{www}/article", 100_000))
        self.follow("article", f"{bench.site}/article")
        self.run("article", "read 1")
        size = 10_000_000 if bench.is_quick else 100_000_000
        bodies.make_long(f"{www}/long-{size}", size)
        self.follow("long", f"{bench.site}/long-{size}")
        self.long = f"{bench.folder}/long.md"
        with open(self.long, "wb") as file:
            subprocess.run([bench.blog, "read", "1", "--body"], env=self.at("long"), check=True, stdout=file)
        if "newsboat" in self.rivals:
            self.fill_newsboat()

    def fill_newsboat(self):
        """Loads a feed of 1,000 items, and one of the article, into newsboat."""
        with open(self.article, encoding="utf-8") as file:
            html = "\n".join(f"<p>{escape(part)}</p>" for part in file.read().split("\n\n"))
        feeds = {"items": feed_files.entries_of(7, 1_000), "article": [feed_files.entries_of(8, 1)[0] | {"html": html}]}
        for name, entries in feeds.items():
            with open(f"{self.bench.www}/{name}.xml", "w", encoding="utf-8") as file:
                file.write(feed_files.rss(7, entries, "utf-8"))
            with open(f"{self.bench.folder}/{name}.urls", "w") as file:
                file.write(f"{self.bench.site}/{name}.xml\n")
            remove(f"{self.bench.folder}/{name}.cache")
            subprocess.run([*self.newsboat(name).split(), "-x", "reload"], env=self.environment, check=True)

    # Programs

    def newsboat(self, name):
        folder = self.bench.folder
        return f"newsboat -q -C {os.devnull} -u {folder}/{name}.urls -c {folder}/{name}.cache"

    def at(self, name):
        """The environment with a store."""
        return self.environment | {"BLOG_STORE": self.store(name)}

    def store(self, name):
        return f"{self.bench.folder}/browse-{name}.sqlite3"

    def follow(self, name, url):
        remove(self.store(name))
        self.run(name, f"follow --quiet {url}")

    def run(self, name, arguments):
        subprocess.run(
            [self.bench.blog, *arguments.split()], env=self.at(name), check=True, stdout=subprocess.DEVNULL)

    def blog(self, name, columns, rows):
        return Terminal(f"{self.bench.blog} browse", self.at(name), columns, rows)

    def rival(self, command, columns, rows):
        """A rival on a terminal; None if it isn't installed."""
        if command.split()[0] in self.rivals:
            return Terminal(command, self.environment, columns, rows)
        return None

    @contextlib.contextmanager
    def open(self, **terminals):
        """Several programs after their first frames."""
        with contextlib.ExitStack() as stack:
            programs = {name: stack.enter_context(terminal) for name, terminal in terminals.items() if terminal}
            for terminal in programs.values():
                terminal.output(quiet=1)
            yield programs


# First frames


def first_frames(desk):
    rounds = 5 if desk.bench.is_quick else 15
    for columns, rows in SIZES:
        starts = {
            "tig": (lambda: desk.rival("tig", columns, rows), lambda screen: screen.filled >= rows - 2),
            # It only reads what it shows, so waiting for its last byte is enough.
            "less": (lambda: desk.rival(f"less {desk.article}", columns, rows), None),
            "newsboat": (lambda: desk.rival(desk.newsboat("items"), columns, rows),
                         lambda screen: any("Blog 7" in row for row in screen.text))}
        starts = {name: start for name, start in starts.items() if name in desk.rivals}
        for count in (1_000, desk.many):
            starts[str(count)] = (
                lambda count=count: desk.blog(str(count), columns, rows), lambda screen: screen.filled == rows)
        times, processor = {name: [] for name in starts}, {name: [] for name in starts}
        for _ in range(rounds):
            for name, (start, is_there) in starts.items():
                with start() as terminal:
                    shown = terminal.until_shown(is_there) if is_there else terminal.output(quiet=0.3).seconds
                    times[name].append(shown)
                    processor[name].append(terminal.processor)
        texts = {
            name: f"{milliseconds(statistics.median(times[name]))}, at best {milliseconds(min(times[name]))}, "
            f"processor {milliseconds(statistics.median(processor[name]))}" for name in starts}
        beside = "; ".join(f"{name}{NOTES[name]} {texts[name]}" for name in NOTES if name in texts)
        for count in (1_000, desk.many):
            desk.bench.add(f"`blog browse`: first frame at {count:,} posts, {columns}×{rows}", texts[str(count)],
                           beside, "50 ms", statistics.median(times[str(count)]) < 0.05)


NOTES = {"newsboat": " with 1,000 items, its list of feeds", "less": "", "tig": ""}


# Keys


class Presses:
    """The results of a key that was pressed many times."""

    def __init__(self):
        self.times, self.sizes, self.excess, self.processor = [], [], [], 0

    @property
    def median(self):
        return statistics.median(self.times)

    @property
    def p99(self):
        return sorted(self.times)[math.ceil(len(self.times) * 0.99) - 1]

    @property
    def text(self):
        return (f"{milliseconds(self.median)}, p99 {milliseconds(self.p99)}, processor "
                f"{milliseconds(self.processor / len(self.times))}, {statistics.median(self.sizes):,.0f} bytes")


def press(terminals, keys, count, after=None):
    """Presses keys in each program alternately, each followed by a key from `after` that isn't measured."""
    results = {name: Presses() for name in terminals}
    for turn in range(10):
        for name, terminal in terminals.items():
            result = results[name]
            for number in range(turn * count // 10, (turn + 1) * count // 10):
                key = keys[name][number % len(keys[name])]
                before = terminal.processor
                output = terminal.press(key)
                if not output.chunks:
                    raise RuntimeError(f"{name} wrote nothing after {key!r}: {terminal.screen.text}")
                result.processor += terminal.processor - before
                result.times.append(output.seconds)
                result.sizes.append(output.size)
                result.excess.append(output.size / max(sum(len(row.encode()) for row in terminal.screen.text), 1))
                if after:
                    terminal.press(after[name])
    return results


def add(desk, work, results, max_median=MAX_MEDIAN, max_bytes=None, max_excess=None):
    """Adds the row of a key."""
    ours = results["blog"]
    beside = "; ".join(f"{name} {result.text}" for name, result in results.items() if name != "blog")
    bars = [f"median {milliseconds(max_median)}" if max_median else "", f"p99 {milliseconds(MAX_P99)}"]
    holds = (not max_median or ours.median < max_median) and ours.p99 < MAX_P99
    text = ours.text
    if max_bytes:
        bars.append(f"{max_bytes} bytes")
        fits = statistics.median(ours.sizes) <= max_bytes
        text += marked(f", at most {max(ours.sizes)}", fits)
        holds = holds and fits
    if max_excess:
        excess = statistics.median(ours.excess)
        bars.append(f"{max_excess} × its text")
        text += marked(f", {excess:.2f} × its text", excess <= max_excess)
        holds = holds and excess <= max_excess
    desk.bench.add(f"`blog browse`: {work}", text, beside, ", ".join(bar for bar in bars if bar), holds)


def list_keys(desk, columns, rows):
    size = f"{columns}×{rows}"
    terminals = {
        "blog": desk.blog(str(desk.many), columns, rows), "tig": desk.rival("tig", columns, rows),
        "newsboat": desk.rival(desk.newsboat("items"), columns, rows)}
    with desk.open(**terminals) as programs:
        if "newsboat" in programs:
            programs["newsboat"].press(ENTER, quiet=1)
        same = {"blog": ["j"], "tig": ["j"], "newsboat": [DOWN]}
        add(desk, f"`j` in the list, {size}", press(programs, same, desk.count), max_bytes=250)
        same = {"blog": ["k"], "tig": ["k"], "newsboat": [UP]}
        add(desk, f"`k` in the list, {size}", press(programs, same, desk.count - 10), max_bytes=250)
        pages = dict.fromkeys(programs, [PAGE_DOWN] * 8 + [PAGE_UP] * 7)
        add(desk, f"a page of the list, {size}", press(programs, pages, desk.count))
        ours = {"blog": programs["blog"]}
        add(desk, f"unread posts and all posts, {size}", press(ours, {"blog": ["2", "1"]}, desk.count), None)
        add(desk, f"sources on and off, {size}", press(ours, {"blog": ["\\", "\\"]}, desk.count))


def opening(desk, readers, rows, size):
    """Adds the row for opening the article repeatedly, with the times of its first screen and of its last byte."""
    screens = []

    def look(seconds):
        # Before, there is only a list of one post.
        if len(screens[-1]) == 0 and readers["blog"].screen.filled > rows // 2:
            screens[-1].append(seconds)

    whole = press(readers, dict.fromkeys(readers, [ENTER]), desk.count, after=dict.fromkeys(readers, "q"))
    for _ in range(desk.count):
        screens.append([])
        readers["blog"].type(ENTER)
        readers["blog"].output(look=look)
        readers["blog"].press("q")
    first = Presses()
    first.times = [seconds for several in screens for seconds in several]
    assert len(first.times) == desk.count, "a post was not shown"
    desk.bench.add(f"`blog browse`: first screen of a stored post of 100 KB, {size}",
                   f"{milliseconds(first.median)}, p99 {milliseconds(first.p99)}; all of it {whole['blog'].text}",
                   "; ".join(f"{name} {result.text}" for name, result in whole.items() if name != "blog"),
                   f"p99 {milliseconds(MAX_P99)}", first.p99 < MAX_P99)


def post_keys(desk, columns, rows):
    size = f"{columns}×{rows}"
    terminals = {
        "blog": desk.blog("article", columns, rows), "less": desk.rival(f"less {desk.article}", columns, rows),
        "newsboat": desk.rival(desk.newsboat("article"), columns, rows)}
    with desk.open(**terminals) as programs:
        readers = {name: terminal for name, terminal in programs.items() if name != "less"}
        if "newsboat" in programs:
            programs["newsboat"].press(ENTER, quiet=1)
        opening(desk, readers, rows, size)
        for terminal in readers.values():
            terminal.press(ENTER, quiet=1)
        down = {"blog": ["j"], "less": ["j"], "newsboat": [DOWN]}
        add(desk, f"`j` in the post, {size}", press(programs, down, desk.count), max_bytes=150)
        pages = dict.fromkeys(programs, [" "] * 20 + [PAGE_UP] * 20)
        add(desk, f"a page of the post, {size}", press(programs, pages, desk.count), max_excess=1.1)
    terminals = {
        "blog": desk.blog("reading", columns, rows), "newsboat": desk.rival(desk.newsboat("items"), columns, rows)}
    with desk.open(**terminals) as programs:
        if "newsboat" in programs:
            programs["newsboat"].press(ENTER, quiet=1)
        for terminal in programs.values():
            terminal.press(ENTER, quiet=1)
        nexts = press(programs, dict.fromkeys(programs, ["n"]), desk.count // 2)
        add(desk, f"`n` to the next post of 10 KB, {size}", nexts, None)


# During a refresh


def during_refresh(desk):
    """Presses `j` during refreshes in which all feeds have new entries."""
    folder = f"{desk.bench.folder}/browse-feeds"
    names, _ = feed_files.make_feeds(f"{folder}/0", FEEDS)
    shutil.copytree(f"{folder}/0", f"{folder}/served", dirs_exist_ok=True)
    urls = f"{folder}/urls"
    result, refreshes = Presses(), 0
    with served(desk.bench, f"{folder}/served", names, urls):
        remove(desk.store("feeds"))
        desk.run("feeds", f"follow --kind feed --quiet {urls}")
        with desk.open(blog=desk.blog("feeds", 80, 24)) as programs:
            terminal = programs["blog"]
            for _ in range(10):
                terminal.press("j")
            while len(result.times) < desk.count:
                refreshes += 1
                feed_files.make_feeds(f"{folder}/{refreshes}", FEEDS, refreshes)
                shutil.copytree(f"{folder}/{refreshes}", f"{folder}/served", dirs_exist_ok=True)
                press_during(terminal, result)
                assert result.times, "the refresh was over before a key was pressed"
    desk.bench.add(
        f"`blog browse`: `j` in the list during {refreshes} refreshes of {FEEDS} feeds with new entries, 80×24",
        f"{milliseconds(result.median)}, p99 {milliseconds(result.p99)}", f"{len(result.times)} keys",
        f"median {milliseconds(MAX_MEDIAN)}, p99 {milliseconds(MAX_P99)}",
        result.median < MAX_MEDIAN and result.p99 < MAX_P99)


def press_during(terminal, result):
    terminal.press("R", quiet=0.005)
    for number in range(1000):
        terminal.type("jk"[number % 2])
        output = terminal.output(patience=1, is_enough=lambda chunk: is_of_key(chunk, terminal.rows))
        if "refreshed" not in terminal.screen.text[-1]:
            break
        result.times.append(output.seconds)
        terminal.output(quiet=0.01, patience=0.01)
    terminal.output(quiet=1)


def is_of_key(chunk, rows):
    return any(int(match[1] or 1) < rows for match in ADDRESS.finditer(chunk))


# Idle


def idle(desk):
    """Output and wake-ups in ten seconds."""
    with desk.open(
            blog=desk.blog(str(desk.many), 80, 24), post=desk.blog("article", 80, 24),
            newsboat=desk.rival(desk.newsboat("items"), 80, 24), less=desk.rival(f"less {desk.article}", 80, 24),
            tig=desk.rival("tig", 80, 24)) as programs:
        programs["post"].press(ENTER, quiet=1)
        # Idle threads of a pool end after a few seconds.
        time.sleep(15)
        for terminal in programs.values():
            terminal.output(patience=0)
        switches = {name: -terminal.status("voluntary_ctxt_switches") for name, terminal in programs.items()}
        time.sleep(10)
        sizes = {}
        for name, terminal in programs.items():
            switches[name] += terminal.status("voluntary_ctxt_switches")
            sizes[name] = terminal.output(patience=0).size
    texts = {name: f"{sizes[name]} bytes, {switches[name]} wake-ups" for name in programs}
    beside = "; ".join(f"{name} {text}" for name, text in texts.items() if name not in ("blog", "post"))
    for name, work in (("blog", "the list"), ("post", "a post")):
        desk.bench.add(f"`blog browse`: 10 s with no key, {work}", texts[name], beside, "0 bytes, 0 wake-ups",
                       sizes[name] == switches[name] == 0)


# Keys faster than frames


def ahead(desk):
    """2,000 keys at once, keys before the first frame, and a held key."""
    with desk.open(blog=desk.blog(str(desk.many), 80, 24), less=desk.rival(f"less {desk.article}", 80, 24)) as programs:
        outputs = {name: terminal.press("j" * 2_000, quiet=0.5) for name, terminal in programs.items()}
        texts = {name: f"{milliseconds(output.seconds)}, {output.size:,} bytes" for name, output in outputs.items()}
        row = cursor(programs["blog"])
        desk.bench.add("`blog browse`: 2,000 `j` at once",
                       f"row {row:,}; {texts['blog']}, {outputs['blog'].frames} frames",
                       f"less {texts['less']}" if "less" in texts else "", "row 2,001", row == 2_001)
    with desk.blog(str(desk.many), 80, 24) as terminal:
        terminal.type("j" * 20)
        terminal.output(quiet=1)
        row = cursor(terminal)
        desk.bench.add("`blog browse`: 20 `j` before the first frame", f"row {row}", "", "row 21", row == 21)
    with desk.open(blog=desk.blog(str(desk.many), 80, 24)) as programs:
        held(desk, programs["blog"])


def held(desk, terminal):
    frames, keys = 0, 1_000
    for _ in range(keys):
        terminal.type("j")
        frames += terminal.output(quiet=0, patience=0.002).frames
    last = terminal.output(quiet=0.3, patience=0.3)
    row = cursor(terminal)
    late = milliseconds(last.seconds) if last.chunks else "0 ms"
    desk.bench.add("`blog browse`: `j` held down, a key every 2 ms",
                   f"row {row:,} after {keys:,} keys, {frames + last.frames} frames, the last one {late} after its key",
                   "", "row 1,001", row == keys + 1)


def cursor(terminal):
    """The row of the cursor in the list, from the status line of the opened post."""
    terminal.press(ENTER, quiet=0.5)
    return int(re.search(r"(\d+)/[\d…]", terminal.screen.text[-1])[1])


# Memory


def memory(desk):
    """Peak memory at the end of a long list, and in a post that is too long for memory."""
    with desk.open(blog=desk.blog(str(desk.many), 80, 24)) as programs:
        terminal = programs["blog"]
        end = terminal.press("G", quiet=1, patience=60)
        peak, row = terminal.peak, cursor(terminal)
        desk.bench.add(f"`blog browse`: `G` at {desk.many:,} posts", f"{milliseconds(end.seconds)}, {peak:.0f} MiB", "",
                       "64 MiB", peak < 64 and row == desk.many)
    size = os.path.getsize(desk.long)
    with desk.open(blog=desk.blog("long", 80, 24)) as programs:
        terminal = programs["blog"]
        terminal.type(ENTER)
        first = terminal.until_shown(lambda screen: screen.filled > 12, quiet=0.05)
        paging = press({"blog": terminal}, {"blog": [" "]}, 50)["blog"]
        terminal.output(quiet=2, patience=60)
        terminal.press("G", quiet=1)
        beside = ""
        if "less" in desk.rivals:
            beside = f"less {milliseconds(less_on(desk))}"
        peak = terminal.peak
        desk.bench.add(f"`blog browse`: first screen of a stored post of {size / 1e6:.0f} MB, 80×24",
                       milliseconds(first), beside, "50 ms", first < 0.05)
        desk.bench.add("`blog browse`: paging in it at once, and all of it", f"{paging.text}; {peak:.0f} MiB",
                       "", "64 MiB", peak < 64)


def less_on(desk):
    """The time of less's first frame with the text of the long post."""
    with desk.rival(f"less {desk.long}", 80, 24) as terminal:
        return terminal.output(quiet=0.3).seconds

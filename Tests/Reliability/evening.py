#!/usr/bin/env python3
"""Leaves `blog browse` open for an evening on a pseudo-terminal, with a clock that runs faster, while feeds change, other
processes sync, mark, follow and unfollow, the network goes away, the window changes its size, keys arrive in pieces, and the
program is stopped and continued.

After each step, the rows, marks and counts on the screen, also those of the sources beside the list, must be those of the
store; keys in pieces change no mark; and memory must stay flat.

    Tests/Reliability/evening.py [--program PATH] [--hours N] [--speed N] [--seed N]
"""

import argparse, codecs, fcntl, http.server, os, pathlib, pty, random, re, select, signal, struct, subprocess, sys
import tempfile, termios, threading, time

CLOCK = pathlib.Path(__file__).with_name("clock.c")
ROOT = pathlib.Path(__file__).resolve().parents[2]
START = 1_790_000_000
FEEDS = 56
#: This one has links to the posts of the others, as a planet has.
PLANET = FEEDS
#: Seconds within which the screen must show what another process did: two of the program's, and its work.
PATIENCE = 20


class Failure(Exception):
    pass


class Feeds:
    """Feeds on loopback, to which posts are added; the server can go away and come back."""

    def __init__(self):
        self.posts = {number: [] for number in range(1, FEEDS + 1)}
        self.count, self.requests, self.server = 0, 0, None
        self.open(0)

    def add(self, number, now):
        own = [posts for feed, posts in self.posts.items() if feed != PLANET and posts]
        if number == PLANET and own:
            title = random.choice(own)[-1][0]
            if all(title != known for known, _ in self.posts[PLANET]):
                self.posts[PLANET].append((title, now))
            return
        self.count += 1
        self.posts[number].append((f"Post {self.count:04} of feed {number}", now))

    def document(self, number):
        items = "".join(
            f"<item><title>{title}</title><guid>{title}</guid><link>http://localhost:{self.port}/{title.replace(' ', '-')}</link>"
            f"<pubDate>{time.strftime('%a, %d %b %Y %H:%M:%S GMT', time.gmtime(date))}</pubDate>"
            f"<description>Text of {title}, which is short.</description></item>"
            for title, date in reversed(self.posts[number][-30:]))
        return f'<rss version="2.0"><channel><title>Feed {number}</title>{items}</channel></rss>'.encode()

    def open(self, port):
        feeds = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *arguments):
                pass

            def do_GET(self):
                feeds.requests += 1
                number = int(re.sub(r"\D", "", self.path) or 0)
                body = feeds.document(number) if number in feeds.posts else b""
                self.send_response(200 if body else 404)
                self.send_header("Content-Type", "application/rss+xml")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

        self.server = Server(("127.0.0.1", port), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
        self.server = None

    def address(self, number):
        return f"http://localhost:{self.port}/feed{number}.xml"


class Screen:
    """What a terminal shows, for the sequences that the program uses."""

    TOKEN = re.compile(rb"\x1b\[([0-9;?<>]*)([@-~])|\x1b\](?:[^\x07\x1b])*(?:\x07|\x1b\\)|\x1b\\|[^\x1b]+|\x1b")

    def __init__(self, columns, rows):
        # A character may be cut, too.
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.resize(columns, rows)

    def resize(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.cells = [[" "] * columns for _ in range(rows)]
        self.row = self.column = 0
        self.margins = (0, rows - 1)

    def take(self, data):
        for token in self.TOKEN.finditer(data):
            if token.group(2):
                self.control(token.group(1).decode(), token.group(2).decode())
            elif not token.group().startswith(b"\x1b"):
                for character in self.decoder.decode(token.group()):
                    if character >= " " and self.row < self.rows and self.column < self.columns:
                        self.cells[self.row][self.column] = character
                        self.column += 1

    def control(self, parameters, final):
        numbers = [int(text or 0) for text in parameters.split(";")] if re.fullmatch(r"[\d;]*", parameters) else []
        first = numbers[0] if numbers else 0
        if final == "H":
            self.row, self.column = max(first, 1) - 1, max(numbers[1] if len(numbers) > 1 else 1, 1) - 1
        elif final == "G":
            self.column = max(first, 1) - 1
        elif final == "E":
            self.row, self.column = self.row + max(first, 1), 0
        elif final == "K" and self.row < self.rows:
            self.cells[self.row][self.column:] = [" "] * (self.columns - self.column)
        elif final == "r":
            self.margins = (first - 1, numbers[1] - 1) if len(numbers) > 1 else (0, self.rows - 1)
            self.row = self.column = 0
        elif final in "ST" and parameters.isdigit() or final in "ST" and not parameters:
            top, bottom = self.margins
            for _ in range(max(first, 1)):
                blank = [" "] * self.columns
                if final == "S":
                    self.cells[top:bottom + 1] = self.cells[top + 1:bottom + 1] + [blank]
                else:
                    self.cells[top:bottom + 1] = [blank] + self.cells[top:bottom]

    @property
    def lines(self):
        return ["".join(cells).rstrip() for cells in self.cells]


class Window:
    """The program on a pseudo-terminal."""

    def __init__(self, command, environment, columns, rows):
        self.screen = Screen(columns, rows)
        self.process, self.master = pty.fork()
        if self.process == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.execve(command[0], command, environment)
        self.rest = b""

    def resize(self, columns, rows):
        if (columns, rows) == (self.screen.columns, self.screen.rows):
            return
        self.read(0.2)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen.resize(columns, rows)

    def read(self, seconds):
        """Reads until nothing has come for some time."""
        while select.select([self.master], [], [], seconds)[0]:
            try:
                data = os.read(self.master, 1 << 16)
            except OSError:
                data = b""
            if not data:
                raise Failure("the program has ended: " + " ".join("\n".join(self.screen.lines).split())[-300:])
            if b"\x1b[c" in data:
                os.write(self.master, b"\x1b[?62;22c")
            # A sequence may be cut.
            data = self.rest + data
            cut = data.rfind(b"\x1b", max(len(data) - 64, 0))
            complete = cut < 0 or self.screen.TOKEN.match(data, cut).group() != b"\x1b"
            self.rest, data = (b"", data) if complete else (data[cut:], data[:cut])
            self.screen.take(data)

    def press(self, keys):
        os.write(self.master, keys.encode())
        self.read(0.2)

    @property
    def memory(self):
        status = pathlib.Path(f"/proc/{self.process}/status").read_text()
        return int(re.search(r"VmRSS:\s*(\d+)", status).group(1)) / 1024

    def end(self):
        os.write(self.master, b"Q")
        try:
            self.read(2)
        except Failure:
            pass
        _, status = os.waitpid(self.process, 0)
        return os.waitstatus_to_exitcode(status)


class Evening:
    def __init__(self, options, folder):
        self.options, self.random = options, random.Random(options.seed)
        self.feeds, self.began = Feeds(), time.monotonic()
        library = folder + "/clock.so"
        subprocess.run(["clang", "-shared", "-fPIC", "-O1", "-o", library, str(CLOCK), "-ldl"], check=True)
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": folder, "TERM": "xterm-256color", "LANG": "C.UTF-8", "TZ": "UTC",
            "BLOG_STORE": folder + "/blog.sqlite3", "LD_PRELOAD": library, "CLOCK_START": str(START),
            "CLOCK_SINCE": str(self.began), "CLOCK_SPEED": str(options.speed)}
        self.followed, self.memory, self.checks = set(range(1, FEEDS + 1)), [], 0

    @property
    def now(self):
        """The clock of the evening."""
        return START + (time.monotonic() - self.began) * self.options.speed

    def blog(self, *arguments):
        run = subprocess.run(
            [self.options.program, *arguments], env=self.environment, capture_output=True, text=True)
        if run.returncode not in (0, 1, 5):
            raise Failure(f"blog {' '.join(arguments)}: {run.returncode}, {run.stderr}")
        return run.stdout.splitlines()

    def start(self):
        for number in self.feeds.posts:
            for _ in range(2):
                self.feeds.add(number, self.now - self.random.randrange(86_400))
        for folder in range(4):
            self.blog("follow", "--folder", f"folder{folder}", *(
                self.feeds.address(number) for number in self.feeds.posts if number % 4 == folder))
        self.window = Window(
            [self.options.program, "browse", "--every", "30m"], self.environment, 80, 24)
        self.window.read(1)

    # What other processes, the network and the user do; each returns its description.

    def arrive(self):
        number = self.random.choice(sorted(self.followed))
        for _ in range(self.random.randint(1, 3)):
            self.feeds.add(number, self.now)
        return f"posts arrive in feed {number}"

    def sync(self):
        words = self.random.choice([["sync", "--quiet"], ["list", "--refresh", "--quiet", "--limit", "1"]])
        self.blog(*words)
        return f"another process runs blog {words[0]}"

    def mark(self):
        ids = self.blog("list", "--offline", "--format", "ids", "--limit", "20")
        word = self.random.choice(["read", "unread", "saved", "unsaved"])
        self.blog("mark", word, *self.random.sample(ids, min(3, len(ids))))
        return f"another process marks posts as {word}"

    def unfollow(self):
        if len(self.followed) > 5:
            number = self.random.choice(sorted(self.followed))
            self.followed.discard(number)
            self.blog("unfollow", self.feeds.address(number))
            return f"another process unfollows feed {number}"
        return self.follow()

    def follow(self):
        rest = sorted(set(self.feeds.posts) - self.followed)
        if not rest or not self.feeds.server:
            return "nothing"
        number = self.random.choice(rest)
        self.followed.add(number)
        self.blog("follow", self.feeds.address(number))
        return f"another process follows feed {number}"

    def network(self):
        if self.feeds.server:
            self.feeds.close()
            return "the network goes away"
        self.feeds.open(self.feeds.port)
        return "the network comes back"

    def size(self):
        columns, rows = self.random.choice([(50, 12), (80, 24), (100, 30), (139, 40), (60, 8)])
        self.window.resize(columns, rows)
        return f"the window has {columns} columns and {rows} rows"

    def keys(self):
        keys = "".join(self.random.choice(["j", "k", "g", "j", "m", "s", "\r \x1b", "jj"]) for _ in range(6))
        self.window.press("g")
        for key in keys:
            self.window.press(key)
            if key == "\x1b":
                self.window.read(0.3)
        return f"keys {keys!r}"

    def pieces(self):
        """Keys of several bytes, which a slow line cuts anywhere: no rest of one may be taken for a letter."""
        before = sorted(self.expected())
        for key in self.random.sample(["\x1b[A", "\x1b[B", "\x1b[6~", "\x1b[5~", "\x1b[F", "\x1b[H", "\x1bOA", "\x1b[1;5D"], 3):
            for byte in key.encode():
                os.write(self.window.master, bytes([byte]))
                # Less than the second for which the program waits, by its clock.
                self.window.read(self.random.random() * 0.4 / self.options.speed)
        self.window.read(0.3)
        # Left and Escape go from the list to the sources.
        if sum("│" in line[20:30] for line in self.window.screen.lines) > 5:
            self.window.press("\\")
        after = sorted(self.expected())
        if after != before and self.known(before) == self.known(after):
            raise Failure(f"keys in pieces changed {set(before) ^ set(after)}")
        return "keys arrive in pieces"

    @staticmethod
    def known(rows):
        return [title for title, _, _ in rows]

    def stop(self):
        for signal_number in self.random.sample([signal.SIGTSTP, signal.SIGSTOP], 1):
            os.kill(self.window.process, signal_number)
            self.window.read(0.5)
            os.kill(self.window.process, signal.SIGCONT)
            self.window.read(0.5)
        return "the program is stopped and continued"

    def wait(self):
        self.window.read(0.01)
        time.sleep(1800 / self.options.speed)
        return "half an hour passes"

    # The comparison.

    def expected(self):
        rows = [line.split("\t") for line in self.blog(
            "list", "--offline", "--format", "tsv", "--fields", "title,read,saved")]
        return [(title, read == "true" or read == "yes", saved == "true" or saved == "yes") for title, read, saved in rows]

    def shown(self):
        lines = self.window.screen.lines
        body = lines[1:-1] if lines[0].startswith("All posts") else lines[:-1]
        rows = []
        for line in body:
            title = re.search(r"Post \d+ of feed \d+", line)
            if title:
                rows.append((title.group(), line[:1] != "●", line[1:2] == "★"))
        return rows, lines[-1]

    def difference(self):
        """What differs between the screen and the store; nil if nothing does."""
        expected, (rows, status) = self.expected(), self.shown()
        if not rows and expected:
            return "no rows"
        for index, row in enumerate(rows):
            if index >= len(expected) or row != expected[index]:
                return f"row {index} is {row}, stored is {expected[index] if index < len(expected) else None}"
        unread = len(self.blog("list", "--offline", "--unread", "--format", "ids"))
        counts = re.search(r"([\d,]+) unread of ([\d,]+)", status)
        if counts and counts.groups() != (f"{unread:,}", f"{len(expected):,}"):
            return f"“{counts.group()}” instead of {unread} unread of {len(expected)}"
        return None

    def sources(self):
        """What differs between the sources beside the list and the store; nil if nothing does."""
        if self.window.screen.columns < 100:
            return None
        self.window.press("\\")
        self.window.read(0.3)
        lines = [line.partition("│")[0] for line in self.window.screen.lines[:-1]]
        self.window.press("\\")
        counts = dict(line.split("\t") for line in self.blog("sources", "--fields", "title,unread", "--format", "tsv"))
        counts["All posts"] = str(len(self.blog("list", "--offline", "--unread", "--format", "ids")))
        shown = 0
        for line in lines:
            row = re.match(r"[\W]*(.*?)(?:\s+([\d,]+))?\s*$", line)
            if row.group(1) in counts:
                shown += 1
                if (row.group(2) or "0").replace(",", "") != counts[row.group(1)]:
                    return f"“{row.group(1)}” has {row.group(2)} unread beside the list instead of {counts[row.group(1)]}"
        return None if shown > 3 else "no sources beside the list"

    def check(self, what):
        """Waits until the marks are those of the store, then shows what is new, and compares everything."""
        self.window.press("g")
        end, problem = time.monotonic() + PATIENCE, "?"
        while problem:
            self.window.read(0.3)
            # New posts, and those of sources that were unfollowed, wait for the user.
            if re.search(r"(?:new|changed) \(r", self.window.screen.lines[-1]):
                self.window.press("r")
                self.window.press("g")
            problem = self.difference() or self.sources()
            if problem and time.monotonic() > end:
                print("\n".join(self.window.screen.lines), file=sys.stderr)
                raise Failure(f"after “{what}”: {problem}")
        self.checks += 1
        self.memory.append(self.window.memory)

    def run(self):
        self.start()
        self.check("start")
        steps = [self.arrive, self.arrive, self.sync, self.sync, self.mark, self.mark, self.unfollow, self.follow,
                 self.network, self.size, self.size, self.keys, self.keys, self.pieces, self.stop, self.wait]
        while self.now < START + self.options.hours * 3600:
            step = self.random.choice(steps)
            what = step()
            self.check(what)
            hours = (self.now - START) / 3600
            print(f"{hours:5.2f} h  {self.memory[-1]:6.1f} MiB  {what}", flush=True)
        status = self.window.end()
        if status != 0:
            raise Failure(f"exit status {status}")
        # The first refresh takes some for good.
        third = len(self.memory) // 3
        early, late = max(self.memory[third:2 * third]), max(self.memory[2 * third:])
        print(f"{self.checks} comparisons, {self.feeds.requests} requests, {early:.1f} then {late:.1f} MiB")
        if late > early * 1.1 + 4:
            raise Failure("memory grows")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=str(ROOT / ".build/release/blog"))
    parser.add_argument("--hours", type=float, default=8)
    parser.add_argument("--speed", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        evening = Evening(options, folder)
        try:
            evening.run()
        except Failure as failure:
            sys.exit(f"FAILED: {failure}")
        finally:
            if hasattr(evening, "window"):
                try:
                    os.kill(evening.window.process, signal.SIGKILL)
                except ProcessLookupError:
                    pass


main()

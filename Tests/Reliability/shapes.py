#!/usr/bin/env python3
"""Measures the program with the texts of shapes.json at three lengths.

Each text is served as a feed of one post, which is followed, listed, read in a pipe, on a terminal and as a page,
searched and synced; with --pages, each HTML is served as a page instead, whose article is read. A row has the processor
time of each command at each length in seconds, the peak memory and the longest output. It is a failure if a command
fails, if time grows faster than n log n from 100 KB on, if memory exceeds ten times what was served plus 64 MiB, and if
an output exceeds twenty times the text.

    Tests/Reliability/shapes.py [--pages] [--lengths 10000,100000,1000000] [--only WORDS] [--program PATH]
"""

import argparse, html, http.server, json, math, os, pathlib, pty, resource, select, subprocess, sys, tempfile, threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHAPES = json.loads((ROOT / "Tests/Reliability/shapes.json").read_text())["shapes"]
MIB = 1 << 20
#: Shorter times, in seconds, are noise.
LEAST = 0.15
#: The kinds of texts that a page is made of, and those that are measured in no other way.
PAGES, ONLY_PAGES = ("html", "page", "head"), ("page", "head")


def text(shape, length):
    """A text of a shape, of about `length` bytes."""
    repeat, close = shape["repeat"], shape.get("close", "")
    count = max(1, length // len((repeat + close).encode()))
    if "{" in repeat and ("{n}" in repeat or "{bars}" in repeat):
        parts, size = [], 0
        for number in range(1, count + 1):
            if size >= length:
                break
            parts.append(repeat.replace("{n}", str(number)).replace("{bars}", "`" * number))
            size += len(parts[-1].encode())
        many = "".join(parts)
    else:
        many = repeat * count
    start = shape.get("start", "").replace("{pad}", "p" * (length // 10))
    return start + many + shape.get("middle", "") + close * count + shape.get("end", "")


def feed(shape, length):
    """A feed of one post with a text of a shape; Markdown is sent as plain text."""
    body = text(shape, length)
    if shape["kind"] == "line":
        # It is in the feed four times.
        line = html.escape(text(shape, length // 4))
        inside = f'<author><name>{line}</name></author><category term="{line}"/><content>needle</content>'
        return (
            '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>shape</title>'
            f"<entry><title>needle {line}</title><id>{line}</id><updated>2026-01-01T00:00:00Z</updated>{inside}</entry>"
            "</feed>")
    if shape["kind"] == "feed":
        inside = body
    else:
        # Control characters are invalid in XML, but servers send them anyway.
        kind = "html" if shape["kind"] == "html" else "text"
        inside = f'<content type="{kind}">' + html.escape(body) + "</content>"
    return (
        '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:u="urn:x"><title>shape</title>'
        f"<entry><title>needle</title><id>i</id><updated>2026-01-01T00:00:00Z</updated>{inside}</entry></feed>"
    )


def page(shape, length):
    """A web page with an article and the text of a shape."""
    body = text(shape, length)
    prose = "<p>Gulls and terns, as we know, nest on the coast, where the warden counts them.</p>" * 8
    head, rest = (body, "") if shape["kind"] == "head" else ("", body)
    return (
        f"<html><head><title>The gulls of the north coast</title>{head}</head>"
        f"<body><article>{prose}{rest}</article></body></html>")


class Server(http.server.ThreadingHTTPServer):
    content, type = b"", ""


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", self.server.type)
        self.send_header("Content-Length", str(len(self.server.content)))
        self.end_headers()
        self.wfile.write(self.server.content)

    def log_message(self, *_):
        pass


class Run:
    """A run of a command: its processor time, peak memory, length of output and exit code."""

    def __init__(self, program, arguments, environment, on_terminal=False, keys=b"", output=None):
        master, slave = pty.openpty() if on_terminal else (None, None)
        if keys:
            os.write(master, keys)
        stdout = slave if on_terminal else subprocess.PIPE
        process = subprocess.Popen(
            [program] + arguments, stdin=slave if keys else subprocess.DEVNULL, stdout=stdout, stderr=subprocess.DEVNULL,
            env=environment, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (120, 120)))
        if on_terminal:
            os.close(slave)
        source = master if on_terminal else process.stdout.fileno()
        self.bytes = 0
        while True:
            try:
                chunk = os.read(source, 1 << 16)
            except OSError:
                break
            if not chunk:
                break
            self.bytes += len(chunk)
            if output:
                output.write(chunk)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = 0
        if on_terminal:
            os.close(master)
        else:
            process.stdout.close()
        self.code = os.waitstatus_to_exitcode(status)
        self.seconds = usage.ru_utime + usage.ru_stime
        self.memory = usage.ru_maxrss * 1024


def runs(program, shape, length, server, is_page):
    """The run of each command, and the length of what the server sends."""
    server.type = "text/html; charset=utf-8" if is_page else "application/atom+xml"
    server.content = (page if is_page else feed)(shape, length).encode()
    address = f"http://127.0.0.1:{server.server_port}/feed"
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            "HOME": folder, "BLOG_STORE": folder + "/store.sqlite3", "PATH": os.environ["PATH"], "TERM": "xterm-256color",
            "COLUMNS": "80", "LANG": "C.UTF-8",
        }
        def run(*arguments, **options):
            return Run(program, list(arguments), environment, **options)
        if is_page:
            return {
                "pipe": run("read", address),
                "terminal": run("read", address, "--no-pager", "--images", "never", on_terminal=True),
            }, len(server.content)
        result = {"follow": run("follow", address, "--as", "s", "--quiet")}
        result["list"] = run("list", "--offline")
        result["pipe"] = run("read", "s:1", "--offline", "--no-mark")
        result["terminal"] = run("read", "s:1", "--offline", "--no-mark", "--no-pager", "--images", "never", on_terminal=True)
        result["page"] = run("read", "s:1", "--offline", "--no-mark", "--format", "html")
        result["search"] = run("search", "needle")
        result["sync"] = run("sync", "--quiet")
        result["complete"] = run("__complete", "bash", "blog", "list", "--author", "")
        result["browse"] = run("browse", "--offline", on_terminal=True, keys=b"Q")
        copy = folder + "/export.jsonl"
        with open(copy, "wb") as output:
            result["export"] = run("store", "export", output=output)
        environment["BLOG_STORE"] = folder + "/copy.sqlite3"
        result["import"] = run("store", "import", copy, "--quiet")
        result["check"] = run("store", "check", "--quiet")
        return result, len(server.content)


def faults(name, lengths, results, sizes, is_page):
    """The failures of a shape; a page may be refused, as too long or too complicated."""
    good = (0, 1, 3, 5) if is_page else (0, 3, 5)
    for length in lengths:
        for command, run in results[length].items():
            where = f"{name}, {length} bytes, {command}"
            if run.code not in good:
                yield f"{where}: exit code {run.code}"
            if run.memory > 10 * sizes[length] + 64 * MIB:
                yield f"{where}: {run.memory // MIB} MiB of memory"
            if run.bytes > 20 * sizes[length] + 20_000:
                yield f"{where}: {run.bytes} bytes of output"
    for short, long in zip(lengths, lengths[1:]):
        if short < 100_000:
            continue
        factor = sizes[long] / sizes[short]
        most = 2 * factor * math.log(sizes[long]) / math.log(sizes[short])
        for command, run in results[long].items():
            before = max(results[short][command].seconds, LEAST / factor)
            if run.code != results[short][command].code:
                continue
            if run.seconds > LEAST and run.seconds > most * before:
                yield f"{name}, {command}: {before:.2f} s at {short}, {run.seconds:.2f} s at {long} bytes"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pages", action="store_true")
    parser.add_argument("--lengths", default="10000,100000,1000000")
    parser.add_argument("--only", default="")
    parser.add_argument("--program")
    options = parser.parse_args()
    program = options.program
    if not program:
        subprocess.run(["swift", "build", "-q", "-c", "release", "--product", "blog"], cwd=ROOT, check=True)
        folder = subprocess.check_output(["swift", "build", "-c", "release", "--show-bin-path"], cwd=ROOT, text=True)
        program = folder.strip() + "/blog"
    lengths = [int(length) for length in options.lengths.split(",")]
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    bad, count = [], 0
    commands = [
        "follow", "list", "pipe", "terminal", "page", "search", "sync", "complete", "browse", "export", "import", "check",
    ]
    print("shape | " + " | ".join(commands) + " | most memory, MiB | longest output, times the feed")
    for shape in SHAPES:
        # The tests read the others.
        kind = shape["kind"]
        if options.only not in shape["name"] or kind in ("json", "opml") or options.pages and kind not in PAGES:
            continue
        count += 1
        is_page = options.pages or kind in ONLY_PAGES
        results, sizes = {}, {}
        for length in lengths:
            results[length], sizes[length] = runs(program, shape, length, server, is_page)
        cells = [
            " ".join(f"{results[length][command].seconds:.2f}" for length in lengths if command in results[length])
            for command in commands]
        memory = " ".join(str(max(run.memory for run in results[length].values()) // MIB) for length in lengths)
        last = lengths[-1]
        longest = max(run.bytes for run in results[last].values()) / sizes[last]
        print(" | ".join([shape["name"]] + cells + [memory, f"{longest:.1f}"]), flush=True)
        bad += faults(shape["name"], lengths, results, sizes, is_page)
    for line in bad:
        print("FAILED: " + line, file=sys.stderr)
    print(f"{count} shapes, {len(bad)} failures")
    sys.exit(1 if bad else 0)


main()

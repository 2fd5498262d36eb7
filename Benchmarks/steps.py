"""What is measured."""

import glob
import json
import math
import os
import shutil
import subprocess
import time
import urllib.request

import corpus
from measure import in_turn, once, short
from report import Row, seconds

HERE = os.path.dirname(os.path.abspath(__file__))
PORT, MOCK_PORT = 8196, 8197
SITE = f"http://127.0.0.1:{PORT}"


class Bench:
    """The programs and data of a run, and what was measured so far."""

    def __init__(self, binaries, folder, is_quick):
        self.blog, self.mock = f"{binaries}/blog", f"{binaries}/mock-server"
        self.folder, self.is_quick = folder, is_quick
        self.www, self.store = f"{folder}/www", f"{folder}/blog.sqlite3"
        self.rows, self.growth = [], {}
        self.sizes = [10, 1_000, 10_000] if is_quick else [10, 1_000, 100_000, 1_000_000]
        self.environment = os.environ | {"HOME": folder, "BLOG_STORE": self.store, "BLOG_URL": SITE}

    def serve(self):
        """Starts nginx over the data."""
        with open(f"{self.folder}/nginx.conf", "w") as file:
            file.write(f"""
                worker_processes 1; daemon on; pid {self.folder}/nginx.pid; error_log {self.folder}/nginx.log;
                events {{ worker_connections 256; }}
                http {{
                    access_log off; sendfile on; default_type application/json; keepalive_requests 1000000;
                    server {{ listen 127.0.0.1:{PORT}; root {self.www}; }}
                }}""")
        subprocess.run(["nginx", "-e", f"{self.folder}/nginx.log", "-c", f"{self.folder}/nginx.conf"], check=True)

    def stop(self):
        subprocess.run(
            ["nginx", "-e", f"{self.folder}/nginx.log", "-c", f"{self.folder}/nginx.conf", "-s", "stop"],
            stderr=subprocess.DEVNULL)

    def forget(self, _=None):
        """Empties the store."""
        for file in glob.glob(f"{self.store}*"):
            os.remove(file)

    def run(self, arguments, output=None):
        return once(f"{self.blog} {arguments}", self.environment, output)

    def list_of(self, count):
        """The address of a list of so many posts."""
        if not os.path.exists(f"{self.www}/{count}/post-metadata"):
            corpus.make_list(f"{self.www}/{count}", count)
        return f"{SITE}/{count}"

    def add(self, work, ours, beside, bar, holds=None):
        self.rows.append(Row(work, ours, beside, bar, holds))


def start_up(bench):
    commands = {name: f"{bench.blog} {name}" for name in ("--version", "help", "completions bash")}
    times = short(commands | {"curl": "curl --version"}, bench.environment)
    for name in commands:
        bench.add(f"`blog {name}`", seconds(times[name]), f"`curl --version` {seconds(times['curl'])}", "20 ms",
                  times[name] < 0.02)


def small_list(bench):
    url = bench.list_of(12)
    rows = ".[] | [.id, .publishDate, .author.name, .title, .summary] | @tsv"
    times = short({
        "blog": f"{bench.blog} list --url {url}", "curl": f"sh -c \"curl -s {url}/post-metadata | jq -r '{rows}'\"",
    }, bench.environment)
    ratio = times["blog"] / times["curl"]
    bench.add("list of 12 posts", seconds(times["blog"]), f"`curl \\| jq` {seconds(times['curl'])}: {ratio:.2f} ×",
              "1 ×", ratio <= 1)


def first_list(bench):
    count = 10_000 if bench.is_quick else 100_000
    url = bench.list_of(count)
    fetch = f"curl -s {url}/post-metadata"
    commands = {
        "blog": f"{bench.blog} list --group author --sort date --url {url}",
        "curl \\| jq": f"{fetch} | jq -rf {HERE}/rivals/list.jq",
        "curl \\| python3": f"{fetch} | python3 {HERE}/rivals/list.py",
        "curl \\| node": f"{fetch} | node {HERE}/rivals/list.mjs",
    }
    # All must print the same posts under the same authors; ours has the author once more.
    printed = {}
    for name, command in commands.items():
        bench.forget()
        once(command, bench.environment, f"{bench.folder}/out")
        with open(f"{bench.folder}/out", encoding="utf-8") as file:
            rows = [line.split("\t") for line in file.read().splitlines()]
        printed[name] = sorted(tuple(row[:3] + row[4:] if name == "blog" else row) for row in rows)
    assert len(printed["blog"]) == count and all(rows == printed["blog"] for rows in printed.values())
    runs = in_turn(commands, bench.environment, 3 if bench.is_quick else 7, bench.forget)
    ours = runs["blog"]
    for name, bar in (("curl \\| jq", 0.4), ("curl \\| python3", 1), ("curl \\| node", 1)):
        ratio = ours.wall / runs[name].wall
        bench.add(f"first list of {count:,} posts by author, stored too", f"{seconds(ours.wall)}, {ours.peak:.0f} MiB",
                  f"`{name}` {seconds(runs[name].wall)}, {runs[name].peak:.0f} MiB: {ratio:.2f} ×", f"{bar} ×",
                  ratio <= bar)
    bench.run(f"list --limit 1 --url {url}")
    again = in_turn({
        "blog": f"{bench.blog} list --limit 20 --url {url}", "curl": f"{fetch} -o {os.devnull}",
    }, bench.environment, 9)
    bench.add("the same again, unchanged, `--limit 20`", seconds(again["blog"].wall),
              f"the transfer {seconds(again['curl'].wall)}", "the transfer + 50 ms",
              again["blog"].wall < again["curl"].wall + 0.05)


def growth(bench):
    commands = ["list --limit 20", "list --limit 20 --sort title", "list --limit 20 --sort author",
                "list --limit 20 --unread", "read 7", "search xenolith", "sources", "list"]
    needle = json.dumps({**corpus.metadata(7, corpus.Words(1)), "title": "Xenolith"})
    for size in bench.sizes:
        bench.forget()
        url = bench.list_of(size)
        bench.growth.setdefault("blog list (first)", []).append(bench.run(f"list --limit 20 --url {url}"))
        state = {**json.loads(needle), "id": "needle"}
        line = {"source": "blog", "address": url, "listed": True, "read": False, "saved": False,
                "changedAt": 1, "metadata": state}
        with open(f"{bench.folder}/needle.jsonl", "w") as file:
            file.write(json.dumps(line) + "\n")
        bench.run(f"store import {bench.folder}/needle.jsonl")
        os.makedirs(f"{bench.www}/{size}/post", exist_ok=True)
        with open(f"{bench.www}/{size}/post/1000007", "w") as file:
            file.write('{"body":"A body.","metadata":{},"id":"1000007"}')
        bench.run(f"read 7 --url {url}")
        bench.run(f"search xenolith --url {url}")
        for command in commands:
            full = f"{bench.blog} {command} --offline --url {url}".replace("sources --offline --url " + url, "sources")
            once(full, bench.environment)
            runs = in_turn({"blog": full}, bench.environment, 5)["blog"]
            bench.growth.setdefault(f"blog {command}", []).append(runs)
            whole = runs
        # The last to close it has merged its journal.
        assert not os.path.exists(f"{bench.store}-wal")
        shutil.copyfile(bench.store, f"{bench.folder}/{size}.sqlite3")
    few, many = bench.sizes[0], bench.sizes[-1]
    for command in commands[:-1]:
        def of(size):
            url = "" if command == "sources" else f"--offline --url {bench.list_of(size)}"
            return f"{bench.blog} {command} {url} --store {bench.folder}/{size}.sqlite3"
        times = short({"start": f"{bench.blog} --version", few: of(few), many: of(many)}, bench.environment)
        ratio = (times[many] - times["start"]) / (times[few] - times["start"])
        bench.add(f"`blog {command}` of {many:,} posts", seconds(times[many]),
                  f"of {few} posts {seconds(times[few])}: {ratio:.1f} × beyond start-up", "2 ×", ratio <= 2)
    bench.add(f"`blog list --offline` of {many:,} posts", f"first line after {seconds(whole.first)}, "
              f"{whole.peak:.0f} MiB", "", "100 ms, 48 MiB", whole.first < 0.1 and whole.peak < 48)


def massive(bench):
    for number, size, name in ((1, 57_000_000, "57 MB"), (2, 1_050_000_000, "1 GB")):
        if bench.is_quick and number == 2:
            continue
        folder = f"{bench.www}/massive"
        if not os.path.exists(f"{folder}/post/{1_000_000 + number}"):
            corpus.make_massive(folder, number, size)
        curl = f"curl -s {SITE}/massive/post/{1_000_000 + number}"
        runs = in_turn({
            "blog": f"{bench.blog} read {number} --url {SITE}/massive | cat", "curl": f"{curl} | cat",
            "head": f"{bench.blog} read {number} --url {SITE}/massive | head -1",
        }, bench.environment, 5 if number == 1 else 1, bench.forget)
        ours, theirs = runs["blog"], runs["curl"]
        ratio = theirs.wall / ours.wall
        bench.add(f"`blog read` of {name} in a pipe, stored too", f"{seconds(ours.wall)}, {ours.peak:.0f} MiB",
                  f"`curl` {seconds(theirs.wall)}: {ratio:.2f} × its throughput", "0.7 ×, 48 MiB",
                  ratio >= 0.7 and ours.peak < 48)
        bench.add(f"its first line, then `head -1` is done", f"{seconds(ours.first)}, {seconds(runs['head'].wall)}",
                  f"all of it {seconds(ours.wall)}", "")
        bench.forget()
        bench.run(f"read {number} --url {SITE}/massive")
        stored = bench.run(f"read {number} --offline --url {SITE}/massive")
        bench.add(f"the same from the store", f"{seconds(stored.wall)}, {stored.peak:.0f} MiB", "", "48 MiB",
                  stored.peak < 48)


def hacker_news(bench):
    for latency in (50,) if bench.is_quick else (50, 200):
        mock = subprocess.Popen(
            [bench.mock, "--port", str(MOCK_PORT), "--posts", "1", "--hackernews", "mocks/data/hackernews", "--latency",
             str(latency)], stderr=subprocess.DEVNULL)
        url = f"http://127.0.0.1:{MOCK_PORT}/v0"
        while True:
            try:
                ids = json.load(urllib.request.urlopen(f"{url}/topstories.json"))
                break
            except OSError:
                time.sleep(0.1)
        try:
            trips = 1 + math.ceil(len(ids) / 20)
            works = [("500 stories", "list --limit 500", trips)]
            for story in (500_000, 2_000_000):
                levels = thread_levels(url, story, latency)
                works.append((f"a thread of {sum(levels) - 1:,} comments, {len(levels) - 1} deep", f"read {story} --json",
                              sum(math.ceil(level / 20) for level in levels)))
            for work, command, trips in works:
                runs = in_turn({"blog": f"{bench.blog} {command} -s hn --url {url}"}, bench.environment, 3, bench.forget)
                ideal, ours = trips * latency / 1000, runs["blog"]
                bench.add(f"{work} at {latency} ms a request", f"{seconds(ours.wall)}, {ours.peak:.0f} MiB",
                          f"{trips} round trips {seconds(ideal)}: {ours.wall / ideal:.2f} ×", "1.3 ×",
                          ours.wall <= 1.3 * ideal)
                if latency == 50:
                    share = ours.cpu / ours.wall
                    bench.add("the processor meanwhile", seconds(ours.cpu), f"{share:.2f} of the time", "0.1",
                              share <= 0.1)
        finally:
            mock.terminate()
            mock.wait()


def thread_levels(url, story, latency):
    """How many items each level of a thread has: they are the rounds that nobody can do without."""
    from concurrent.futures import ThreadPoolExecutor

    levels, ids = [], [story]
    with ThreadPoolExecutor(50) as pool:
        while ids:
            levels.append(len(ids))
            items = pool.map(lambda id: json.load(urllib.request.urlopen(f"{url}/item/{id}.json")), ids)
            ids = [kid for item in items if item for kid in item.get("kids", [])]
    return levels


def search(bench):
    count = 2_000 if bench.is_quick else 100_000
    folder = f"{bench.www}/bodies"
    if not os.path.exists(f"{folder}/bytes"):
        text = corpus.make_bodies(folder, count, 10_000)
        with open(f"{folder}/bytes", "w") as file:
            file.write(str(text))
    with open(f"{folder}/bytes") as file:
        text = int(file.read()) + os.path.getsize(f"{folder}/post-metadata")
    with open(f"{bench.folder}/urls", "w") as file:
        for number in range(1, count + 1):
            file.write(f'url = "{SITE}/bodies/post/{1_000_000 + number}"\noutput = "/dev/null"\n')
    bench.forget()
    curl = once(f"curl -s --parallel --parallel-max 4 -K {bench.folder}/urls", bench.environment)
    sync = bench.run(f"sync --quiet --url {SITE}/bodies")
    size = sum(os.path.getsize(file) for file in glob.glob(f"{bench.store}*"))
    bench.add(f"sync of {count:,} bodies of 10 KB, searchable", f"{seconds(sync.wall)}, {sync.peak:.0f} MiB",
              f"`curl` with as many connections {seconds(curl.wall)}: {sync.wall / curl.wall:.2f} ×", "1.5 ×",
              sync.wall <= 1.5 * curl.wall)
    bench.add("the store of them", f"{size / 1e6:,.0f} MB", f"their text {text / 1e6:,.0f} MB: {size / text:.2f} ×",
              "1.6 ×", size <= 1.6 * text)
    words = corpus.Words(11).words
    for word in (words[12_000], words[3_000], words[700], words[300], words[60], "the"):
        ours = f"{bench.blog} search '{word}' --limit 20 --url {SITE}/bodies"
        hits = subprocess.run(
            f"{bench.blog} search '{word}' --format ids --url {SITE}/bodies | wc -l", shell=True, text=True,
            env=bench.environment, capture_output=True).stdout.strip()
        runs = in_turn({"blog": ours, "rg": f"rg -ilw '{word}' {folder}/text | sort"}, bench.environment, 3)
        bench.add(f"search with {int(hits):,} hits", seconds(runs["blog"].wall),
                  f"`rg` over the same as files {seconds(runs['rg'].wall)}", "50 ms", runs["blog"].wall < 0.05)
    whole = bench.run(f"search '{words[12_000]}' --url {SITE}/bodies")
    bench.add("the first of them, every hit printed", seconds(whole.wall), "", "")


ALL = {"start-up": start_up, "small-list": small_list, "first-list": first_list, "growth": growth, "massive": massive,
       "hacker-news": hacker_news, "search": search}

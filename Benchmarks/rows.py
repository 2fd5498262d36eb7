"""The kinds of work: each function measures one of them beside its rivals, on the same data, in the same run."""

import contextlib
import json
import math
import os
import shutil
import sqlite3
import subprocess
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import corpus
from browse import browse
from measure import seconds

HERE = os.path.dirname(os.path.abspath(__file__))
CONNECTIONS = 20
# The most posts of a list: longer ones exceed what blog reads of a response, or what people have.
MANY = 100_000
LATENCY = 50


def start_up(bench):
    """Starting, and a list of 12 posts."""
    corpus.make_posts(f"{bench.folder}/12", 12)
    with bench.serve(f"{bench.folder}/12") as url:
        rows = ".[] | [.id, .publishDate, .author.name, .title, .summary] | @tsv"
        times = bench.short({
            "blog": f"{bench.blog} --version", "curl": "curl --version", "list": f"{bench.blog} list --url {url}",
            "jq": f"sh -c \"curl -s {url}/post-metadata | jq -r '{rows}'\""})
    bench.add("`blog --version`", seconds(times["blog"]), f"`curl --version` {seconds(times['curl'])}", "20 ms",
              times["blog"] < 0.02)
    ratio = times["list"] / times["jq"]
    bench.add("list of 12 posts", seconds(times["list"]), f"`curl \\| jq` {seconds(times['jq'])}: {ratio:.2f} ×", "1 ×",
              ratio <= 1)


def first_list(bench):
    """The first list of 100,000 posts, which stores them; the same again; all of it as JSON."""
    count = 10_000 if bench.is_quick else MANY
    corpus.make_posts(f"{bench.folder}/{count}", count, 300, bodies=10)
    with bench.serve(f"{bench.folder}/{count}") as url:
        fetch = f"curl -s {url}/post-metadata"
        runs = bench.in_turn({
            "blog": f"{bench.blog} list --group author --sort date --url {url}",
            "jq": f"{fetch} | jq -rf {HERE}/rivals/list.jq",
            "python3": f"{fetch} | python3 {HERE}/rivals/list.py",
        }, 7, bench.forget)
        ours = runs.pop("blog")
        ratios = {name: ours.wall / run.wall for name, run in runs.items()}
        bench.add(f"first list of {count:,} posts, compact, by author, stored too", ours,
                  "; ".join(f"`curl \\| {name}` {run}: {ratios[name]:.2f} ×" for name, run in runs.items()),
                  "0.6 × of `jq`, 64 MiB", ratios["jq"] <= 0.6 and ours.peak <= 64)
        bench.run(f"list --limit 1 --url {url}")
        again = bench.in_turn({"blog": f"{bench.blog} list --limit 20 --url {url}",
                               "curl": f"{fetch} -o {os.devnull}"}, 9)
        bench.add("the same again, unchanged, `--limit 20`", seconds(again["blog"].wall),
                  f"the transfer {seconds(again['curl'].wall)}", "the transfer + 50 ms",
                  again["blog"].wall < again["curl"].wall + 0.05)
        whole = bench.in_turn({"blog": f"{bench.blog} list --offline --json --url {url}",
                               "jq": f"jq . {bench.folder}/{count}/all.json"}, 5)
        bench.add(f"all {count:,} from the store, as JSON", whole["blog"], f"`jq` over the file {whole['jq']}")


STORED = ["list --limit 20", "list --limit 20 --sort title", "list --limit 20 --sort author",
          "list --limit 20 --unread", "read 7", f"search {corpus.RARE}", "sources"]
WHOLE = ["list", "mark read --all", "undo", "store export", "store check", "store vacuum", "store import"]


def stored(bench):
    """Every kind of command with 100,000 posts in the store, and with ten."""
    few, many = sizes = 10, 10_000 if bench.is_quick else MANY
    stores = {size: f"{bench.folder}/stored-{size}.sqlite3" for size in sizes}
    exported, imported = f"{bench.folder}/exported.jsonl", f"{bench.folder}/imported.sqlite3"

    def clear(path):
        subprocess.run(f"rm -f {path}*", shell=True, check=True)

    with contextlib.ExitStack() as stack:
        urls = {}
        for size in sizes:
            corpus.make_posts(f"{bench.folder}/{size}", size, 300, bodies=10)
            urls[size] = stack.enter_context(bench.serve(f"{bench.folder}/{size}"))

        def line(command, size):
            scope = "" if command == "sources" or command.startswith("store ") else f" --url {urls[size]}"
            return f"{bench.blog} {command}{scope} --store {stores[size]}"

        runs = {("list (first)", size): run for size, run in bench.in_turn(
            {size: line("list --limit 20", size) for size in sizes}, 3, lambda size: clear(stores[size])).items()}
        for size in sizes:
            bench.once(line("read 7", size))
            for command in STORED:
                bench.once(line(command, size))
        times = bench.short(
            {(command, size): line(f"{command} --offline", size) for command in STORED for size in sizes}
            | {"start": f"{bench.blog} --version", "sqlite3": by_hand(bench, many)})
        lines = {(command, size): line(f"{command} --offline", size) for command in WHOLE for size in sizes}
        for size in sizes:
            lines["store export", size] += f" > {exported}-{size}"
            lines["store import", size] = f"{bench.blog} store import {exported}-{size} --store {imported}"
        runs |= bench.in_turn(lines, 3, lambda _: clear(imported))
    for command in STORED:
        ratio = (times[command, many] - times["start"]) / (times[command, few] - times["start"])
        hand = f"; `sqlite3` with a table by hand {seconds(times['sqlite3'])}" if command == STORED[0] else ""
        bench.add(f"`blog {command}` of {many:,} posts", seconds(times[command, many]),
                  f"of {few} posts {seconds(times[command, few])}: {ratio:.1f} × beyond start-up{hand}", "2 ×",
                  ratio <= 2)
    for command in ["list (first)", *WHOLE]:
        bench.add(f"`blog {command}` of {many:,} posts", runs[command, many], f"of {few} posts {runs[command, few]}")


def by_hand(bench, size):
    """The command that lists 20 posts from a table with an index."""
    path = f"{bench.folder}/by-hand-{size}.sqlite3"
    if not os.path.exists(path):
        with open(f"{bench.folder}/{size}/all.json") as file, sqlite3.connect(path) as database:
            database.execute("CREATE TABLE posts(id, date, author, title, summary)")
            database.executemany("INSERT INTO posts VALUES (?, ?, ?, ?, ?)", (
                (post["id"], post["publishDate"], post["author"]["name"], post["title"], post["summary"])
                for post in json.load(file)))
            database.execute("CREATE INDEX by_date ON posts(date)")
    return f"sqlite3 {path} 'SELECT * FROM posts ORDER BY date DESC LIMIT 20'"


# How a post of 14 MB is read: its ID, options, what it is called, and the most memory that it may take, in MiB.
READINGS = [(1, "", "14 MB", 96), (1, "--json", "14 MB", 96), (1, "--raw", "14 MB", None),
            (1, "--format text", "14 MB", None), (1, "--format markdown", "14 MB", None),
            (1, "--format html", "14 MB", None), (1, "--format csv", "14 MB", None), (2, "", "14 MB of HTML", None)]


def massive(bench):
    """A post of 14 MB that uses all of Markdown, in a pipe, in each format; one in HTML."""
    data = f"{bench.folder}/massive"
    corpus.make_posts(data, 2)
    corpus.make_article(data, 20_000)
    with open(f"{data}/all.json") as file:
        corpus.write_post(data, json.load(file)[1], corpus.html(corpus.Words(13), 20_000))
    with open(f"{data}/routes.json", "w") as file:
        json.dump({"/post/*": {"grow": 14_000_000}}, file)
    with bench.serve(data) as url:
        fetch = f"curl -s {url}/post/1000001"
        lines = {reading: f"{bench.blog} read {reading[0]} {reading[1]} --url {url}" for reading in READINGS}
        first = bench.in_turn({reading: f"{line} | cat" for reading, line in lines.items()} |
                              {"curl": f"{fetch} | cat", "jq": f"{fetch} | jq -r .body | cat"}, 5, bench.forget)
        for post in 1, 2:
            bench.run(f"read {post} --url {url}")
        again = bench.in_turn({reading: f"{line} --offline | cat" for reading, line in lines.items()}, 5)
    curl, beside = first["curl"].wall, f"; `curl \\| jq -r .body` {first['jq']}"
    for reading in READINGS:
        _, options, size, most = reading
        bar = f"{most} MiB" if most else ""
        for name, run, rivals in (
                (f"`{' '.join(['blog read', *options.split()])}` of {size} in a pipe, stored too", first[reading],
                 f"`curl` {seconds(curl)}: {curl / first[reading].wall:.2f} × its throughput{beside}"),
                ("the same from the store", again[reading], "")):
            bench.add(name, run, rivals, bar, run.peak <= most if most else None)
        beside = ""


def sync_and_search(bench):
    """10,000 small bodies and 100,000 of 10 KB, fetched and then searched for words from rare to ubiquitous."""
    for count, size, name in ((10_000, 300, "small bodies"), (100_000, 10_000, "bodies of 10 KB")):
        count = count // 20 if bench.is_quick else count
        data = f"{bench.folder}/bodies-{size}"
        corpus.make_posts(data, count, size)
        with bench.serve(data) as url:
            with open(f"{bench.folder}/curl.conf", "w") as file:
                file.writelines(f'url = "{url}/post/{1_000_000 + number}"\noutput = "{os.devnull}"\n'
                                for number in range(1, count + 1))
            runs = bench.in_turn({
                "curl": f"curl -sf --parallel --parallel-max 4 -K {bench.folder}/curl.conf",
                "blog": f"{bench.blog} sync --jobs 4 --quiet --url {url}"}, 1, bench.forget)
            ours, curl = runs["blog"], runs["curl"]
            bench.add(f"sync of {count:,} {name}", f"{ours}, processor {seconds(ours.cpu)}",
                      f"`curl` with as many connections {seconds(curl.wall)}: {ours.wall / curl.wall:.2f} ×")
    start = time.perf_counter()
    while bench.lines(f"search the --offline --format ids --url {url}") < count:
        assert time.perf_counter() - start < 600, "a search doesn't find all posts"
    waited = time.perf_counter() - start
    bench.add("a word of all of them finds them all", f"{seconds(waited)} after its end", "", "60 s", waited < 60)
    search(bench, url, count, f"{data}/text")


def search(bench, url, count, texts):
    grep = f"rg -ilw '%s' {texts} | sort" if shutil.which("rg") else f"grep -rilw '%s' {texts} | sort"
    words = corpus.Words(11).words
    for word in (words[12_000], words[300], "the"):
        find = f"search '{word}' --offline --url {url}"
        hits, most = bench.lines(f"{find} --format ids"), 0.1 if word == "the" else 0.05
        runs = bench.in_turn({"blog": f"{bench.blog} {find} --limit 20", "grep": grep % word}, 3)
        bench.add(f"search with {hits:,} hits" + (", which is every post" if hits == count else ""),
                  seconds(runs["blog"].wall),
                  f"`{grep.split()[0]}` over the same as files {seconds(runs['grep'].wall)}", seconds(most),
                  runs["blog"].wall < most)
    bench.add("the first of them, every hit printed",
              seconds(bench.run(f"search '{words[12_000]}' --offline --url {url}").wall))


def hacker_news(bench):
    """Stories and a thread of Hacker News at 50 ms per request."""
    with bench.serve("mocks/data/blog", "--hackernews", "mocks/data/hackernews", "--latency", str(LATENCY)) as url:
        for work, command, levels in (
                ("500 stories", "list --limit 500", [20, 500]),
                ("a thread of 2,000 comments, 12 deep", "read 2000000 --json", thread_levels(f"{url}/v0", 2_000_000))):
            line = f"{bench.blog} {command} -s hn --url {url}/v0"
            ours = bench.in_turn({"blog": line}, 3, bench.forget)["blog"]
            trips = sum(math.ceil(level / CONNECTIONS) for level in levels)
            ideal = trips * LATENCY / 1000
            bench.add(f"{work} at {LATENCY} ms a request", ours,
                      f"{trips} round trips {seconds(ideal)}: {ours.wall / ideal:.2f} ×", "1.3 ×",
                      ours.wall <= 1.3 * ideal)
            share = ours.cpu / ours.wall
            bench.add("the processor meanwhile", seconds(ours.cpu), f"{share:.2f} of the time")


def thread_levels(url, story):
    """The number of items at each level of a thread; each level needs at least one round trip."""
    levels, ids = [], [story]
    with ThreadPoolExecutor(50) as pool:
        while ids:
            levels.append(len(ids))
            items = pool.map(lambda id: json.load(urllib.request.urlopen(f"{url}/item/{id}.json")), ids)
            ids = [kid for item in items if item for kid in item.get("kids", [])]
    return levels


def feeds(bench):
    """139 feeds from 20 servers at 50 ms per request, twice, and one of 15 MB."""
    folder, count, hosts = f"{bench.folder}/feeds", 139, 20
    os.makedirs(folder, exist_ok=True)
    for name in ("index.html", "newsboat.conf"):
        with open(f"{folder}/{name}", "w") as file:
            file.write(f"reload-threads {CONNECTIONS}\nmax-items 0\n")
    for number in range(1, count + 1):
        corpus.make_feed(f"{folder}/{number}.xml", number)
    corpus.make_feed(f"{folder}/massive.xml", 1, entries=460 if bench.is_quick else 4_600)
    with bench.serve("mocks/data/blog", "--feeds", folder, "--latency", str(LATENCY), hosts=hosts + 1) as url:
        with open(f"{folder}/urls", "w") as file:
            file.writelines(f"http://127.0.0.{2 + number % hosts}:{url.split(':')[-1]}/feeds/{number}.xml\n"
                            for number in range(1, count + 1))
        update = f"python3 {HERE}/rivals/feeds.py {folder}/db {folder}/urls"
        # Addresses of this machine count only as typed, not in a list.
        pairs = {"blog": (f"{bench.blog} follow --kind feed --quiet $(cat {folder}/urls)",
                          f"{bench.blog} list --refresh --quiet --limit 20"), "a script": (update, update)}
        if shutil.which("newsboat"):
            reload = f"newsboat -q -C {folder}/newsboat.conf -u {folder}/urls -c {folder}/db.newsboat -x reload"
            pairs["newsboat"] = (reload, reload)
        bench.forget()
        subprocess.run(f"rm -f {folder}/db*", shell=True, check=True)
        for turn, work in enumerate(("first", "second")):
            runs = bench.in_turn({name: pair[turn] for name, pair in pairs.items()}, 1)
            bench.add(f"{work} refresh of {count} feeds, {hosts} servers, {LATENCY} ms", runs.pop("blog"),
                      "; ".join(f"{name} {run}" for name, run in runs.items()))
        ours = bench.lines("list --offline --format ids")
        bench.add(f"entries read, of {count * 13:,}", f"{ours:,}", "", "all", ours == count * 13)
        massive = f"{url}/feeds/massive.xml"
        with open(f"{folder}/massive", "w") as file:
            file.write(massive)
        runs = bench.in_turn({"blog": f"{bench.blog} follow --kind feed --quiet {massive}",
                              "a script": f"python3 {HERE}/rivals/feeds.py {folder}/db.one {folder}/massive"}, 3,
                             bench.forget)
    size = os.path.getsize(f"{folder}/massive.xml") / 1e6
    bench.add(f"a feed of {size:.0f} MB, read and stored", f"{runs['blog']}, {size / runs['blog'].wall:.0f} MB/s",
              f"a script {runs['a script']}")


ALL = {"start-up": start_up, "first-list": first_list, "stored": stored, "massive": massive,
       "sync-and-search": sync_and_search, "hacker-news": hacker_news, "feeds": feeds, "browse": browse}

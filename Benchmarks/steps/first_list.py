"""The first list of many posts, in every form of JSON."""

import hashlib
import os

from bench import HERE
from forms import FORMS
from measure import in_turn, once
from report import marked, seconds

RIVALS = {"curl \\| jq": f"jq -rf {HERE}/rivals/list.jq", "curl \\| python3": f"python3 {HERE}/rivals/list.py",
          "curl \\| node": f"node {HERE}/rivals/list.mjs"}
BARS = {"curl \\| jq": 0.6, "curl \\| python3": 1, "curl \\| node": 1}
MAX_MEMORY = 64


def first_list(bench):
    """The first list of 100,000 and of 1,000,000 posts in compact JSON, and of the 100,000 once more."""
    count = 10_000 if bench.is_quick else 100_000
    measure(bench, count, "compact", list(RIVALS), 3 if bench.is_quick else 7)
    again(bench, count)
    if bench.is_quick:
        bench.skip("the first list of 1,000,000 posts: too much for a quick run")
    else:
        # The only bar is memory; the rivals' memory is for comparison.
        measure(bench, 1_000_000, "compact", ["curl \\| jq", "curl \\| python3"], 1, bars={})


def list_forms(bench):
    """The first list of 100,000 posts in every other form of JSON, and with other texts."""
    count = 10_000 if bench.is_quick else 100_000
    for form in list(FORMS)[1:]:
        measure(bench, count, form, ["curl \\| jq", "curl \\| python3"], 1 if bench.is_quick else 3)


def measure(bench, count, form, rivals, rounds, bars=BARS):
    """Adds the row of a list: its time compared with the rivals', and its peak memory."""
    url = bench.list_of(count, form)
    commands = {"blog": f"{bench.blog} list --group author --sort date --url {url}"}
    commands |= {name: f"curl -s {url}/post-metadata | {RIVALS[name]}" for name in rivals}
    check(bench, commands, url, count)
    runs = in_turn(commands, bench.environment, rounds, bench.forget)
    ours, holds, beside = runs["blog"], runs["blog"].peak < MAX_MEMORY, []
    for name in rivals:
        ratio = ours.wall / runs[name].wall
        fits = name not in bars or ratio <= bars[name]
        holds = holds and fits
        figure = marked(f"{ratio:.2f} ×", fits)
        beside.append(f"`{name}` {seconds(runs[name].wall)}, {runs[name].peak:.0f} MiB: {figure}")
    bar = [f"{bars[name]} ×" for name in rivals if name in bars] + [f"{MAX_MEMORY} MiB"]
    memory = marked(f"{ours.peak:.0f} MiB", ours.peak < MAX_MEMORY)
    bench.add(f"first list of {count:,} posts, {form}, by author, stored too", f"{seconds(ours.wall)}, {memory}",
              "; ".join(beside), "; ".join(bar), holds)


def check(bench, commands, url, count):
    """Checks that all commands print the same posts under the same authors, and that blog stores them."""
    printed = {}
    for name, command in commands.items():
        bench.forget()
        once(command, bench.environment, f"{bench.folder}/out")
        printed[name] = fingerprint(f"{bench.folder}/out", is_ours=name == "blog")
        if name == "blog":
            stored = bench.count_of(f"list --offline --url {url}")
            assert stored == count, f"{stored} of {count} posts of {url} are stored"
    assert all(rows == (count, printed["blog"][1]) for rows in printed.values()), f"not the same of {url}: {printed}"


def fingerprint(path, is_ours):
    """The number of rows in a file and the sum of their digests, regardless of their order, because that of posts with
    the same date is undefined."""
    count = total = 0
    with open(path, "rb") as file:
        for row in file:
            columns = row.rstrip(b"\n").split(b"\t")
            # The author is both the group and a column.
            if is_ours:
                del columns[3]
            # Long summaries are truncated in lists.
            row = b"\t".join(columns[:-1] + [columns[-1][:200]])
            total += int.from_bytes(hashlib.blake2b(row, digest_size=8).digest(), "big")
            count += 1
    return count, total % 2 ** 64


def again(bench, count):
    """Adds the row of an unchanged list."""
    url = bench.list_of(count)
    bench.forget()
    bench.run(f"list --limit 1 --url {url}")
    runs = in_turn({
        "blog": f"{bench.blog} list --limit 20 --url {url}", "curl": f"curl -s {url}/post-metadata -o {os.devnull}",
    }, bench.environment, 9)
    bench.add("the same again, unchanged, `--limit 20`", seconds(runs["blog"].wall),
              f"the transfer {seconds(runs['curl'].wall)}", "the transfer + 50 ms",
              runs["blog"].wall < runs["curl"].wall + 0.05)

"""Fetching many bodies."""

import glob
import os
import time

import bodies
from measure import in_turn, once
from report import seconds

CONNECTIONS = 4
MAX_WAITING = 60


def sync(bench):
    """100,000 bodies of 10 KB and 10,000 small ones, compared with `curl` with as many connections."""
    small_bodies(bench)
    count, text = posts_with_bodies(bench)
    bench.forget()
    curl = once(curl_all(bench, f"{bench.site}/bodies", count), bench.environment)
    run = bench.run(f"sync --jobs {CONNECTIONS} --quiet --url {bench.site}/bodies")
    waited = until_found(bench, count)
    bench.has_bodies = True
    size = sum(os.path.getsize(file) for file in glob.glob(f"{bench.store}*"))
    ratio = run.wall / curl.wall
    bench.add(f"sync of {count:,} bodies of 10 KB", f"{seconds(run.wall)}, {run.peak:.0f} MiB",
              f"`curl` with as many connections {seconds(curl.wall)}: {ratio:.2f} ×", "2 ×", ratio <= 2)
    bench.add("a word of all of them finds them all", f"{seconds(waited)} after its end", "", f"{MAX_WAITING} s",
              waited <= MAX_WAITING)
    bench.add("the store of them", f"{size / 1e6:,.0f} MB", f"their text {text / 1e6:,.0f} MB: {size / text:.2f} ×",
              "1.6 ×", size <= 1.6 * text)


def posts_with_bodies(bench):
    """Generates posts with bodies of 10 KB; returns their number and the size of their text."""
    count = 2_000 if bench.is_quick else 100_000
    text = bodies.make_bodies(f"{bench.www}/bodies", count, 10_000, with_text=True)
    return count, text + os.path.getsize(f"{bench.www}/bodies/post-metadata")


def addresses(url, count):
    return (f"{url}/post/{1_000_000 + number}" for number in range(1, count + 1))


def curl_all(bench, url, count):
    """The command that fetches all bodies with `curl` and discards them."""
    with open(f"{bench.folder}/curl.conf", "w") as file:
        file.writelines(f'url = "{address}"\noutput = "{os.devnull}"\n' for address in addresses(url, count))
    return f"curl -sf --parallel --parallel-max {CONNECTIONS} -K {bench.folder}/curl.conf"


def small_bodies(bench):
    """Adds the row of small bodies, which measures the cost of requests."""
    count = 1_000 if bench.is_quick else 10_000
    url = bench.small_bodies(count)
    with open(f"{bench.folder}/addresses", "w") as file:
        file.writelines(f"{address}\n" for address in addresses(url, count))
    runs = in_turn({
        "blog": f"{bench.blog} sync --jobs {CONNECTIONS} --quiet --url {url}", "curl": curl_all(bench, url, count),
        "urlsession": f"{bench.urlsession()} {CONNECTIONS} {bench.folder}/addresses",
    }, bench.environment, 3, bench.forget)
    times = {name: f"{seconds(run.wall)}, processor {seconds(run.cpu)}" for name, run in runs.items()}
    bench.add(f"sync of {count:,} small bodies", times["blog"],
              f"bare URLSession with as many connections {times['urlsession']}; `curl` so {times['curl']}")


def until_found(bench, count):
    """Seconds until a search for a word in all posts finds them all: a sync may end before its posts are indexed."""
    start = time.perf_counter()
    while True:
        found = bench.count_of(f"search the --url {bench.site}/bodies")
        waited = time.perf_counter() - start
        if found == count:
            return waited
        assert waited < 10 * MAX_WAITING, f"a search finds {found} of {count} posts"
        time.sleep(0.5)

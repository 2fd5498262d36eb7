"""Many small responses from a distant server."""

import json
import math
import urllib.request
from concurrent.futures import ThreadPoolExecutor

from measure import in_turn
from report import seconds

CONNECTIONS = 20


def hacker_news(bench):
    """Stories and threads of Hacker News at 50 and 200 ms per request, compared with the necessary round trips."""
    for latency in (50,) if bench.is_quick else (50, 200):
        with bench.mock_server(latency, "--hackernews", "mocks/data/hackernews") as port:
            measure(bench, f"http://127.0.0.1:{port}/v0", latency)
    if bench.is_quick:
        bench.skip("Hacker News at 200 ms a request: too much for a quick run")


def measure(bench, url, latency):
    trips = 1 + math.ceil(len(get(f"{url}/topstories.json")) / CONNECTIONS)
    works = [("500 stories", "list --limit 500", trips)]
    for story in (500_000, 2_000_000):
        levels = thread_levels(url, story)
        works.append((f"a thread of {sum(levels) - 1:,} comments, {len(levels) - 1} deep", f"read {story} --json",
                      sum(math.ceil(level / CONNECTIONS) for level in levels)))
    for work, command, trips in works:
        # One story is missing on purpose, which is exit code 5.
        line = f"{bench.blog} {command} -s hn --url {url} || [ $? = 5 ]"
        ours = in_turn({"blog": line}, bench.environment, 3, bench.forget)["blog"]
        ideal = trips * latency / 1000
        bench.add(f"{work} at {latency} ms a request", f"{seconds(ours.wall)}, {ours.peak:.0f} MiB",
                  f"{trips} round trips {seconds(ideal)}: {ours.wall / ideal:.2f} ×", "1.3 ×", ours.wall <= 1.3 * ideal)
        if latency == 50:
            share = ours.cpu / ours.wall
            bench.add("the processor meanwhile", seconds(ours.cpu), f"{share:.2f} of the time", "0.1", share <= 0.1)


def get(url):
    return json.load(urllib.request.urlopen(url))


def thread_levels(url, story):
    """The number of items at each level of a thread; each level needs at least one round trip."""
    levels, ids = [], [story]
    with ThreadPoolExecutor(50) as pool:
        while ids:
            levels.append(len(ids))
            items = pool.map(lambda id: get(f"{url}/item/{id}.json"), ids)
            ids = [kid for item in items if item for kid in item.get("kids", [])]
    return levels

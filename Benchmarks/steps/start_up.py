"""Commands that take hardly any time beyond start-up."""

from measure import short
from report import seconds


def start_up(bench):
    """Commands without network, compared with `curl --version`."""
    commands = {name: f"{bench.blog} {name}" for name in ("--version", "help", "completions bash")}
    times = short(commands | {"curl": "curl --version"}, bench.environment)
    for name in commands:
        bench.add(f"`blog {name}`", seconds(times[name]), f"`curl --version` {seconds(times['curl'])}", "20 ms",
                  times[name] < 0.02)


def small_list(bench):
    """A list of 12 posts, compared with `curl | jq`."""
    url = bench.list_of(12)
    rows = ".[] | [.id, .publishDate, .author.name, .title, .summary] | @tsv"
    times = short({
        "blog": f"{bench.blog} list --url {url}", "curl": f"sh -c \"curl -s {url}/post-metadata | jq -r '{rows}'\"",
    }, bench.environment)
    ratio = times["blog"] / times["curl"]
    bench.add("list of 12 posts", seconds(times["blog"]), f"`curl \\| jq` {seconds(times['curl'])}: {ratio:.2f} ×",
              "1 ×", ratio <= 1)

"""Searching in many bodies."""

import corpus
from measure import in_turn
from report import seconds

from .sync import posts_with_bodies, until_found


def search(bench):
    """Words from rare to ubiquitous in 100,000 posts, compared with `rg` over the same texts as files."""
    count, _ = posts_with_bodies(bench)
    url, text = f"{bench.site}/bodies", f"{bench.www}/bodies/text"
    if not bench.has_bodies:
        bench.forget()
        bench.run(f"sync --quiet --url {url}")
        until_found(bench, count)
    words = corpus.Words(11).words
    for word in (words[12_000], words[3_000], words[700], words[300], words[60], "the"):
        hits = bench.count_of(f"search '{word}' --url {url}")
        # All hits must be ranked, so a word that is in every post may take longer.
        most = 0.1 if hits == count else 0.05
        runs = in_turn({
            "blog": f"{bench.blog} search '{word}' --limit 20 --url {url}", "rg": f"rg -ilw '{word}' {text} | sort",
        }, bench.environment, 3)
        bench.add(f"search with {hits:,} hits" + (", which is every post" if hits == count else ""),
                  seconds(runs["blog"].wall), f"`rg` over the same as files {seconds(runs['rg'].wall)}", seconds(most),
                  runs["blog"].wall < most)
    whole = bench.run(f"search '{words[12_000]}' --url {url}")
    bench.add("the first of them, every hit printed", seconds(whole.wall))

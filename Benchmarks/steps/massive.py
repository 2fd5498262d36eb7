"""A post that is too long for memory."""

import hashlib
import json

import bodies
from measure import in_turn
from report import marked, seconds

MIN_THROUGHPUT, MAX_MEMORY = 0.6, 48


def massive(bench):
    """A post of 57 MB and one of 1 GB in a pipe, compared with `curl` and a bare URLSession."""
    measure(bench, 1, 57_000_000, "57 MB", 5)
    if bench.is_quick:
        bench.skip("a post of 1 GB: too much for a quick run")
    else:
        measure(bench, 2, 1_050_000_000, "1 GB", 1)


def measure(bench, number, size, name, rounds):
    bodies.make_massive(f"{bench.www}/massive", number, size)
    address = f"{bench.site}/massive/post/{1_000_000 + number}"
    read = f"read {number} --body --url {bench.site}/massive"
    runs = in_turn({
        "blog": f"{bench.blog} {read} | cat", "curl": f"curl -s {address} | cat",
        "urlsession": f"{bench.urlsession()} {address} | cat",
    }, bench.environment, rounds, bench.forget)
    ours = runs["blog"]
    ratio = runs["curl"].wall / ours.wall
    is_quick, is_small = ratio >= MIN_THROUGHPUT, ours.peak < MAX_MEMORY
    bench.add(f"`blog read` of {name} in a pipe, stored too",
              f"{seconds(ours.wall)}, {marked(f'{ours.peak:.0f} MiB', is_small)}",
              f"`curl` {seconds(runs['curl'].wall)}: {marked(f'{ratio:.2f} ×', is_quick)} its throughput",
              f"{MIN_THROUGHPUT} ×, {MAX_MEMORY} MiB", is_quick and is_small)
    bare = runs["urlsession"]
    bench.add("the same beside a bare URLSession, which stores nothing", f"{seconds(ours.wall)}, {ours.peak:.0f} MiB",
              f"{seconds(bare.wall)}, {bare.peak:.0f} MiB: {bare.wall / ours.wall:.2f} × its throughput")
    stored = check(bench, number, read)
    bench.add("the same from the store", f"{seconds(stored.wall)}, {stored.peak:.0f} MiB", "", f"{MAX_MEMORY} MiB",
              stored.peak < MAX_MEMORY)


def check(bench, number, read):
    """Checks that the body is the same as sent, also from the store; returns the run that read it from the store."""
    bench.forget()
    bench.run(read, f"{bench.folder}/sent")
    stored = bench.run(f"{read} --offline", f"{bench.folder}/stored")
    sent = digest(f"{bench.folder}/sent")
    assert sent == digest(f"{bench.folder}/stored"), f"post {number} is not the same from the store"
    # Decoding the other, a gigabyte of JSON, would take too much memory.
    if number == 1:
        with open(f"{bench.www}/massive/post/{1_000_000 + number}", encoding="utf-8") as file:
            body = json.load(file)["body"]
        assert sent == hashlib.sha256(f"{body}\n".encode()).hexdigest(), f"post {number} is not shown as it was sent"
    return stored


def digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

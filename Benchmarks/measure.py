"""Runs commands and tells how long they took and how much memory they had."""

import dataclasses
import json
import os
import statistics
import subprocess
import tempfile
import time


@dataclasses.dataclass
class Run:
    """One run: seconds on the clock and of the processor, MiB at most, seconds to the first byte of output."""

    wall: float
    cpu: float
    peak: float
    first: float


def once(command, environment, output=None):
    """Runs a shell command to its end; what it prints goes to a file or nowhere. One that fails is no figure."""
    with tempfile.NamedTemporaryFile("r") as facts:
        start = time.perf_counter()
        process = subprocess.Popen(
            ["/usr/bin/time", "-q", "-o", facts.name, "-f", "%U %S %M", "sh", "-c", command], env=environment,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        chunk = os.read(process.stdout.fileno(), 1 << 20)
        first = time.perf_counter() - start
        with open(output or os.devnull, "wb") as file:
            while chunk:
                file.write(chunk)
                chunk = os.read(process.stdout.fileno(), 1 << 20)
        process.wait()
        wall = time.perf_counter() - start
        if process.returncode:
            raise RuntimeError(f"exit code {process.returncode}: {command}")
        user, system, peak = facts.read().split()
        return Run(wall, float(user) + float(system), int(peak) / 1024, first)


def median(runs):
    """A run whose every number is the median of those of several."""
    return Run(*(statistics.median(getattr(run, field.name) for run in runs) for field in dataclasses.fields(Run)))


def in_turn(commands, environment, rounds, prepare=None):
    """Runs commands one after the other, several times round, as a machine that is shared is never equally fast for
    long; gives the median of each."""
    runs = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            if prepare:
                prepare(name)
            runs[name].append(once(command, environment))
    return {name: median(several) for name, several in runs.items()}


def short(commands, environment, rounds=4):
    """The median times of commands that take milliseconds, in seconds, by hyperfine, in turn as well."""
    times = {name: [] for name in commands}
    for _ in range(rounds):
        with tempfile.NamedTemporaryFile("r") as results:
            subprocess.run(
                ["hyperfine", "-N", "--style", "none", "--warmup", "2", "--runs", "12", "--export-json", results.name,
                 *commands.values()], env=environment, check=True, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL)
            for name, result in zip(commands, json.load(results)["results"]):
                times[name] += result["times"]
    return {name: statistics.median(several) for name, several in times.items()}

"""Runs commands and measures their time and memory."""

import dataclasses
import json
import os
import statistics
import subprocess
import tempfile
import time


@dataclasses.dataclass
class Run:
    """A run: its time and CPU time in seconds, its peak memory in MiB, and the time to the first byte of output."""

    wall: float
    cpu: float
    peak: float
    first: float


def once(command, environment, output=None):
    """Runs a shell command, with its output in a file or discarded; raises an error if it fails."""
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
    """The medians of several runs."""
    return Run(*(statistics.median(getattr(run, field.name) for run in runs) for field in dataclasses.fields(Run)))


def in_turn(commands, environment, rounds, prepare=None):
    """Runs commands alternately for several rounds, as the speed of a shared machine varies; returns the medians."""
    runs = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            if prepare:
                prepare(name)
            runs[name].append(once(command, environment))
    return {name: median(several) for name, several in runs.items()}


def short(commands, environment, rounds=4):
    """The median times in seconds of commands that take milliseconds, run alternately with hyperfine."""
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

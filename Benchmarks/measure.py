"""A run of the benchmarks: its servers, its store, its measurements and its rows."""

import contextlib
import dataclasses
import glob
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time


@dataclasses.dataclass
class Run:
    """A run of a command: its time and CPU time in seconds, its peak memory in MiB."""

    wall: float
    cpu: float
    peak: float

    def __str__(self):
        return f"{seconds(self.wall)}, {self.peak:.0f} MiB"


def seconds(value):
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.2f} s"


def build(*products):
    """Builds the programs, or some of them, and returns their folder."""
    for product in products or ("blog", "mock-server"):
        # stdout is for the table.
        subprocess.run(["make", "-s", "SWIFTFLAGS=-q", f"PRODUCT={product}"], check=True, stdout=sys.stderr)
    return os.path.abspath(f"{os.environ.get('SCRATCH', '.build')}/release")


class Bench:
    def __init__(self, binaries, folder, is_quick, blog=None):
        self.blog, self.mock = blog or f"{binaries}/blog", f"{binaries}/mock-server"
        self.folder, self.is_quick = folder, is_quick
        self.store = f"{folder}/blog.sqlite3"
        self.environment = os.environ | {"HOME": folder, "BLOG_STORE": self.store}
        self.environment.pop("BLOG_URL", None)
        self.rows = []

    def add(self, work, ours, beside="", bar="", holds=None):
        self.rows.append((work, ours, beside, bar, {True: "yes", False: "**no**", None: ""}[holds]))

    @contextlib.contextmanager
    def serve(self, data, *options, hosts=1):
        """Serves a folder, and yields its address once it responds."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        mock = subprocess.Popen(
            [self.mock, "--port", str(port), "--hosts", str(hosts), "--data", data, *options],
            stderr=subprocess.DEVNULL)
        try:
            # The last host is the last to listen.
            subprocess.run(
                ["curl", "-sf", "--retry", "50", "--retry-delay", "1", "--retry-connrefused", "-o", os.devnull,
                 f"http://127.0.0.{hosts}:{port}/post-metadata"], check=True)
            yield f"http://127.0.0.1:{port}"
        finally:
            mock.terminate()
            mock.wait()

    def forget(self, _=None):
        """Empties the store."""
        for file in glob.glob(f"{self.store}*"):
            os.remove(file)

    def run(self, arguments):
        return self.once(f"{self.blog} {arguments}")

    def once(self, command):
        """Runs a shell command, and discards its output; raises an error if it fails."""
        with tempfile.NamedTemporaryFile("r") as facts:
            start = time.perf_counter()
            process = subprocess.run(
                ["/usr/bin/time", "-q", "-o", facts.name, "-f", "%U %S %M", "sh", "-c", command],
                env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            wall = time.perf_counter() - start
            if process.returncode:
                raise RuntimeError(f"exit code {process.returncode}: {command}")
            user, system, peak = facts.read().split()
            return Run(wall, float(user) + float(system), int(peak) / 1024)

    def in_turn(self, commands, rounds, prepare=None):
        """Runs commands alternately, as the speed of a shared machine varies; returns the medians."""
        runs = {name: [] for name in commands}
        for _ in range(1 if self.is_quick else rounds):
            for name, command in commands.items():
                if prepare:
                    prepare(name)
                runs[name].append(self.once(command))
        return {name: Run(*map(statistics.median, zip(*map(dataclasses.astuple, several))))
                for name, several in runs.items()}

    def short(self, commands):
        """The median times in seconds of commands that take milliseconds, run alternately with hyperfine."""
        times = {name: [] for name in commands}
        for _ in range(4):
            with tempfile.NamedTemporaryFile("r") as results:
                subprocess.run(
                    ["hyperfine", "-N", "--style", "none", "--warmup", "2", "--runs", "12", "--export-json",
                     results.name, *commands.values()], env=self.environment, check=True, stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL)
                for name, result in zip(commands, json.load(results)["results"]):
                    times[name] += result["times"]
        return {name: statistics.median(several) for name, several in times.items()}

    def lines(self, arguments):
        """The number of lines that `blog` prints."""
        return int(subprocess.run(["sh", "-c", f"{self.blog} {arguments} | wc -l"], env=self.environment,
                                  capture_output=True, check=True).stdout)

"""Shared by all steps: the programs, nginx and its data, the store, and the results."""

import contextlib
import glob
import os
import socket
import subprocess

import bodies
import forms
from measure import once
from report import Row

HERE = os.path.dirname(os.path.abspath(__file__))


class Bench:
    """A run of the steps."""

    def __init__(self, binaries, folder, is_quick):
        self.blog, self.mock = f"{binaries}/blog", f"{binaries}/mock-server"
        self.folder, self.is_quick = folder, is_quick
        self.www, self.store = f"{folder}/www", f"{folder}/blog.sqlite3"
        self.port = free_port()
        self.site = f"http://127.0.0.1:{self.port}"
        self.rows, self.growth, self.skipped, self.broken = [], {}, [], []
        self.sizes = [10, 1_000, 10_000] if is_quick else [10, 1_000, 100_000, 1_000_000]
        self.environment = os.environ | {"HOME": folder, "BLOG_STORE": self.store, "BLOG_URL": self.site}
        self.has_bodies = False
        self.built = {}

    def serve(self):
        """Starts nginx over the data."""
        with open(f"{self.folder}/nginx.conf", "w") as file:
            file.write(f"""
                worker_processes 1; daemon on; pid {self.folder}/nginx.pid; error_log {self.folder}/nginx.log;
                events {{ worker_connections 256; }}
                http {{
                    access_log off; sendfile on; default_type application/json; keepalive_requests 1000000;
                    server {{ listen 127.0.0.1:{self.port}; root {self.www}; }}
                }}""")
        self.nginx().check_returncode()

    def stop(self):
        if os.path.exists(f"{self.folder}/nginx.pid"):
            self.nginx("-s", "stop")

    def nginx(self, *arguments):
        return subprocess.run(
            ["nginx", "-e", f"{self.folder}/nginx.log", "-c", f"{self.folder}/nginx.conf", *arguments])

    @contextlib.contextmanager
    def mock_server(self, latency, *arguments, hosts=1):
        """Runs the mock server, and yields its port once it responds."""
        port = free_port()
        mock = subprocess.Popen(
            [self.mock, "--port", str(port), "--hosts", str(hosts), "--posts", "1", "--latency", str(latency), *arguments],
            stderr=subprocess.DEVNULL)
        try:
            # The last host is the last to listen.
            subprocess.run(
                ["curl", "-sf", "--retry", "50", "--retry-delay", "1", "--retry-connrefused", "-o", os.devnull,
                 f"http://127.0.0.{hosts}:{port}/post-metadata"], check=True)
            yield port
        finally:
            mock.terminate()
            mock.wait()

    def forget(self, _=None):
        """Empties the store."""
        remove(self.store)

    def run(self, arguments, output=None):
        return once(f"{self.blog} {arguments}", self.environment, output)

    def count_of(self, arguments, program=None):
        """The number of posts that a command prints."""
        once(f"{program or self.blog} {arguments} --format ids", self.environment, f"{self.folder}/ids")
        with open(f"{self.folder}/ids", "rb") as file:
            return sum(1 for _ in file)

    def list_of(self, count, form="compact"):
        """The address of a list of `count` posts."""
        name = str(count) if form == "compact" else f"{count}-{forms.slug(form)}"
        forms.make_list(f"{self.www}/{name}", count, form)
        return f"{self.site}/{name}"

    def small_bodies(self, count):
        """The address of a list of `count` posts with bodies of a paragraph or two."""
        bodies.make_bodies(f"{self.www}/{count}", count, 300)
        return f"{self.site}/{count}"

    def urlsession(self):
        """A program that only uses URLSession, built on demand."""
        if "urlsession" not in self.built:
            self.built["urlsession"] = f"{self.folder}/urlsession"
            subprocess.run(["swiftc", "-O", f"{HERE}/rivals/urlsession.swift", "-o", self.built["urlsession"]],
                           check=True)
        return self.built["urlsession"]

    def add(self, work, ours, beside="", bar="", holds=None):
        self.rows.append(Row(work, ours, beside, bar, holds))

    def skip(self, what):
        """Records a skipped measurement and the reason."""
        self.skipped.append(what)


def remove(store):
    """Removes a store with its log files."""
    for file in glob.glob(f"{store}*"):
        os.remove(file)


def free_port():
    """A free port, so that two runs can share a machine."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return server.getsockname()[1]

#!/usr/bin/env python3
"""Runs the full-screen reader as a shell job on a pseudo-terminal, and checks the terminal after every way to end.

Each time, the terminal modes (as in `stty -a`) are restored, the alternate screen is left, everything that was switched
on is off, and the exit status is right. When idle, the program writes nothing.

    Tests/Reliability/terminal.py [--program PATH] [--only WORDS] [-- ARGUMENTS OF THE PROGRAM]
"""

import argparse, fcntl, os, pathlib, random, re, select, signal, struct, sys, termios, time

ROOT = pathlib.Path(__file__).resolve().parents[2]
#: Seconds after which the program counts as hung.
PATIENCE = 20
QUERIES = {
    b"\x1b[?2026$p": b"\x1b[?2026;2$y", b"\x1b[?2027$p": b"\x1b[?2027;0$y", b"\x1b[?u": b"\x1b[?1u",
    b"\x1b[c": b"\x1b[?62;22c",
}


class Failure(Exception):
    pass


class Window:
    """A pseudo-terminal with a shell, which runs a job and reports when it stops or ends."""

    def __init__(self, command, answers=True):
        self.master, slave = os.openpty()
        self.resize(80, 24)
        self.initial_modes = termios.tcgetattr(slave)
        self.answers, self.output, self.checked = answers, b"", 0
        self.reports, reporting = os.pipe()
        ordering, self.orders = os.pipe()
        self.shell = os.fork()
        if self.shell == 0:
            for descriptor in (self.master, self.reports, self.orders):
                os.close(descriptor)
            shell(command, slave, reporting, ordering)
        for descriptor in (slave, reporting, ordering):
            os.close(descriptor)
        self.job = int(self.report())

    def start(self):
        """Waits for the first frame."""
        self.wait(b"\x1b[?1049h", 0)
        # The frame is complete when the program pauses.
        while self.read(0.2):
            pass

    def report(self):
        """Waits for the shell's next report."""
        end, line = time.monotonic() + PATIENCE, b""
        while not line.endswith(b"\n"):
            self.read(0)
            if select.select([self.reports], [], [], 0.01)[0]:
                line += os.read(self.reports, 1)
            if time.monotonic() > end:
                raise Failure("hangs")
        return line.decode().strip()

    def read(self, seconds):
        """Reads available output and answers its queries; false if there was none."""
        if self.master is None or not select.select([self.master], [], [], seconds)[0]:
            return False
        try:
            self.output += os.read(self.master, 1 << 16)
        except OSError:
            return False
        for query in re.finditer(rb"\x1b\[(\?\d+\$p|\?u|c)", self.output[self.checked:]):
            if self.answers:
                self.type(QUERIES[query.group()])
        self.checked = len(self.output)
        return True

    def wait(self, text, start):
        """Waits for a text in the output after the first `start` bytes."""
        end = time.monotonic() + PATIENCE
        while text not in self.output[start:]:
            self.read(0.1)
            if time.monotonic() > end:
                raise Failure(f"{text} does not come")

    def type(self, keys):
        os.write(self.master, keys)

    def resize(self, columns, rows):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def foreground(self):
        os.write(self.orders, b"f")

    def kill(self, number):
        os.kill(self.job, number)

    def close(self):
        os.close(self.master)
        self.master = None

    def check(self):
        """Checks that the terminal is in its initial state."""
        while self.read(0):
            pass
        if termios.tcgetattr(self.master) != self.initial_modes:
            raise Failure("the terminal's modes are not as they were")
        on = {7, 25}
        for mode, state in re.findall(rb"\x1b\[\?(\d+)([hlr])", self.output):
            (on.add if state == b"h" else on.discard)(int(mode))
        if on != {7, 25}:
            raise Failure(f"modes that are on: {sorted(on)}")
        for name, push, pop in (("keys", rb"\x1b\[>\d*u", rb"\x1b\[<u"), ("title", rb"\x1b\[22;2t", rb"\x1b\[23;2t")):
            if len(re.findall(push, self.output)) != len(re.findall(pop, self.output)):
                raise Failure(f"the {name} are not as they were")

    def ended(self, *expected):
        """Waits for the end of the job, and checks its exit status; a signal's number is negative."""
        status = int(self.report())
        if status not in expected:
            raise Failure(f"status {status} instead of {expected}")

    def end(self):
        """Kills the processes that are left."""
        for number in (self.job, self.shell):
            try:
                os.kill(number, signal.SIGKILL)
            except ProcessLookupError:
                pass
        os.waitpid(self.shell, 0)
        for descriptor in (self.master, self.reports, self.orders):
            if descriptor is not None:
                os.close(descriptor)


def shell(command, slave, reporting, ordering):
    """Runs the job as a shell does, passing the terminal to it and taking it back."""
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    for descriptor in (0, 1, 2):
        os.dup2(slave, descriptor)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        # A background job ignores some of them.
        for number in (signal.SIGTTOU, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
            signal.signal(number, signal.SIG_DFL)
        for descriptor in (reporting, ordering, slave):
            os.close(descriptor)
        os.execvp(command[0], command)
    os.write(reporting, b"%d\n" % job)
    while True:
        _, status = os.waitpid(job, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            os.write(reporting, b"%d\n" % os.waitstatus_to_exitcode(status))
            signal.pause()
        os.tcsetpgrp(0, os.getpgrp())
        os.write(reporting, b"stopped\n")
        os.read(ordering, 1)
        os.tcsetpgrp(0, job)
        os.kill(-job, signal.SIGCONT)


# The ways out: each is a function that ends the program in a window.

def key(keys, *statuses):
    def way(window):
        window.type(keys)
        window.ended(*statuses)
        window.check()
    return way


def killed(number):
    def way(window):
        window.kill(number)
        window.ended(-number)
        window.check()
    return way


def stopped(times):
    def way(window):
        for _ in range(times):
            start = len(window.output)
            window.type(b"\x1a")
            if window.report() != "stopped":
                raise Failure("Ctrl-Z ends it")
            window.check()
            window.foreground()
            window.wait(b"\x1b[?1049h", start)
            # A frame follows.
            window.wait(b"H", window.output.rindex(b"\x1b[?1049h") + 8)
        window.type(b"q")
        window.ended(0)
        window.check()
    return way


def stopped_from_outside(window):
    for number in (signal.SIGSTOP, signal.SIGTSTP):
        start = len(window.output)
        window.kill(number)
        if window.report() != "stopped":
            raise Failure("a stop ends it")
        window.foreground()
        window.wait(b"\x1b[?1049h", start)
    window.type(b"q")
    window.ended(0)
    window.check()


def ended_while_stopped(window):
    window.type(b"\x1a")
    if window.report() != "stopped":
        raise Failure("Ctrl-Z ends it")
    window.kill(signal.SIGTERM)
    window.foreground()
    window.ended(-signal.SIGTERM)
    window.check()


def resized(window):
    sizes = random.Random(1)
    for _ in range(300):
        window.resize(sizes.randint(1, 300), sizes.randint(1, 80))
        window.read(0)
    window.resize(80, 24)
    window.type(b"q")
    window.ended(0)
    window.check()


def closed(window):
    window.close()
    window.ended(-signal.SIGHUP, 0)


def without_store(window):
    """The store disappears while posts are read and marked, as if its disk were unplugged."""
    store = pathlib.Path(os.environ["BLOG_STORE"])
    away = store.with_name("away")
    store.rename(away)
    try:
        window.type(b"jms\r")
        while window.read(0.2):
            pass
        window.type(b"qAq")
        window.ended(0)
        window.check()
    finally:
        store.unlink(missing_ok=True)
        away.rename(store)


def idle(window):
    """When idle, the program writes nothing and hardly wakes up."""
    def wakes():
        tasks = pathlib.Path(f"/proc/{window.job}/task").glob("*/status")
        return {task: sum(map(int, re.findall(r"ctxt_switches:\s*(\d+)", task.read_text()))) for task in tasks}
    while window.read(1):
        pass
    before, length = wakes(), len(window.output)
    while window.read(10):
        pass
    # Idle threads may have ended.
    count = sum(number - before.get(task, 0) for task, number in wakes().items())
    # On Linux, libdispatch in the Swift runtime wakes up once a second, and the program looks at its store every two.
    if count > 16 or len(window.output) != length:
        raise Failure(f"{count} wake-ups, {len(window.output) - length} bytes")
    window.type(b"q")
    window.ended(0)
    window.check()


WAYS = {
    "q": key(b"q", 0),
    "Ctrl-C": key(b"\x03", 0, -signal.SIGINT),
    **{name: killed(signal.Signals[name]) for name in (
        "SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT", "SIGSEGV", "SIGILL", "SIGABRT", "SIGBUS", "SIGFPE", "SIGTRAP")},
    "Ctrl-Z and fg, 100 times": stopped(100),
    "stopped from outside": stopped_from_outside,
    "SIGTERM while stopped": ended_while_stopped,
    "300 sizes": resized,
    "closed terminal": closed,
    "marks, then q": key(b"jmsAUq", 0),
    "store that goes away": without_store,
    "idle for 10 s": idle,
}
ON_A_FULL_DISK = {"marks, then q": key(b"jmsAUq", 5)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=str(ROOT / ".build/debug/blog"))
    parser.add_argument("--only", default="")
    parser.add_argument("--full-disk", action="store_true")
    parser.add_argument("arguments", nargs="*", default=["browse", "--offline"])
    options = parser.parse_args()
    os.environ["TERM"] = "xterm-256color"
    failures = 0
    for name, way in (ON_A_FULL_DISK if options.full_disk else WAYS).items():
        if options.only not in name:
            continue
        for answers in (True, False):
            window = Window([options.program] + options.arguments, answers)
            try:
                window.start()
                way(window)
                result = "restored"
            except Failure as failure:
                result, failures = f"FAILED: {failure}", failures + 1
            finally:
                window.end()
            print(f"{name}{'' if answers else ', silent terminal'}: {result}", flush=True)
    sys.exit(1 if failures else 0)


main()

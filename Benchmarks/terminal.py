"""Runs a program on a terminal, presses keys, and records when output arrives and what the screen shows."""

import dataclasses
import fcntl
import glob
import os
import pty
import re
import select
import shlex
import signal
import struct
import termios
import time

# A frame has ended after this many seconds without output.
QUIET = 0.03
PATIENCE = 5
# The answers of xterm with synchronized output and without grapheme clusters.
ANSWERS = {b"\x1b[c": b"\x1b[?62;22c", b"\x1b[?2026$p": b"\x1b[?2026;2$y", b"\x1b[?2027$p": b"\x1b[?2027;0$y"}


@dataclasses.dataclass
class Output:
    """The output after a key: chunks with their times in seconds since then."""

    chunks: list

    @property
    def size(self):
        return sum(len(chunk) for _, chunk in self.chunks)

    @property
    def seconds(self):
        """The time of the last byte."""
        return self.chunks[-1][0]


class Terminal:
    """A program on a terminal."""

    def __init__(self, command, environment, columns, rows):
        self.columns, self.rows = columns, rows
        self.screen = Screen(columns, rows)
        self.pressed = time.perf_counter()
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            words = shlex.split(command)
            os.execvpe(words[0], words, environment)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.file)
        for number in (signal.SIGTERM, signal.SIGKILL):
            os.kill(self.pid, number)
            end = time.perf_counter() + 3
            while time.perf_counter() < end:
                if os.waitpid(self.pid, os.WNOHANG)[0]:
                    return
                time.sleep(0.01)
        os.waitpid(self.pid, 0)

    def press(self, keys, quiet=QUIET, patience=PATIENCE):
        """The output after some keys."""
        self.type(keys)
        return self.output(quiet, patience)

    def type(self, keys):
        self.pressed = time.perf_counter()
        os.write(self.file, keys.encode())

    def output(self, quiet=QUIET, patience=PATIENCE, is_enough=None, look=None):
        """Reads the output until it pauses, or until it is enough.

        :param look: is called with the time of each chunk, once the chunk is on the screen.
        """
        chunks, left = [], patience
        while select.select([self.file], [], [], left)[0]:
            try:
                chunk = os.read(self.file, 1 << 16)
            except OSError:
                break
            chunks.append((time.perf_counter() - self.pressed, chunk))
            for query, answer in ANSWERS.items():
                if query in chunk:
                    os.write(self.file, answer)
            left = quiet
            if is_enough and is_enough(chunk):
                break
        # Not in the loop, which must read without delay.
        for seconds, chunk in chunks:
            self.screen.show(chunk)
            if look:
                look(seconds)
        return Output(chunks)

    def until_shown(self, is_there, quiet=0.3, patience=PATIENCE):
        """The time from the start or the last key until the screen fulfills a condition, in seconds."""
        shown, end = [], time.perf_counter() + patience
        while not shown and time.perf_counter() < end:
            self.output(quiet, 1, look=lambda seconds: shown.append(seconds) if is_there(self.screen) else None)
        if not shown:
            raise RuntimeError("not on the screen:\n" + "\n".join(self.screen.text))
        return shown[0]

    # The process

    @property
    def processor(self):
        """Its CPU time in seconds, from the Linux clock ID of the process."""
        return time.clock_gettime((~self.pid << 3) | 2)

    def status(self, name):
        """The sum of a status value over all threads."""
        total = 0
        for path in glob.glob(f"/proc/{self.pid}/task/*/status"):
            with open(path) as file:
                total += sum(int(line.split()[1]) for line in file if line.startswith(f"{name}:"))
        return total


SEQUENCE = re.compile(
    rb"\x1b(?:\[([<-?]?)([\d;]*)[ -/]*([@-~])|\][^\x07\x1b]*(?:\x07|\x1b\\)|P[^\x1b]*\x1b\\|[()][A-Z0-9]"
    # The beginning of a longer sequence isn't a sequence of its own: its end may come with the next read.
    rb"|[^\[\]P()])", re.DOTALL)


class Screen:
    """The text on a screen, from the escape sequences that `blog` writes; every character counts as one column wide.

    For other programs, only contiguous text is reliable.
    """

    def __init__(self, columns, rows):
        self.columns = columns
        self.cells = [[" "] * columns for _ in range(rows)]
        self.row = self.column = 0
        self.margins = (0, rows - 1)
        self.rest = b""

    @property
    def text(self):
        return ["".join(row).strip() for row in self.cells]

    @property
    def filled(self):
        """The number of rows with text, not only rules between panes."""
        return sum(any(character.isalnum() for character in row) for row in self.text)

    def show(self, chunk):
        chunk = self.rest + chunk
        self.rest = b""
        start = 0
        for match in SEQUENCE.finditer(chunk):
            self.write(chunk[start:match.start()])
            start = match.end()
            if match[3] and not match[1]:
                self.control(match[3], [int(number or 0) for number in match[2].split(b";")])
        end = chunk.find(b"\x1b", start)
        if end >= 0:
            chunk, self.rest = chunk[:end], chunk[end:]
        # The last character may be incomplete, too.
        whole = len(chunk)
        while start < whole > len(chunk) - 3 and chunk[whole - 1] >= 0x80 and not self.is_text(chunk[start:whole]):
            whole -= 1
        self.write(chunk[start:whole])
        self.rest = chunk[whole:] + self.rest

    @staticmethod
    def is_text(chunk):
        try:
            chunk.decode()
            return True
        except UnicodeDecodeError:
            return False

    def write(self, chunk):
        for character in chunk.decode(errors="replace"):
            if character == "\r":
                self.column = 0
            elif character == "\n":
                self.feed()
            elif character == "\b":
                self.column = max(self.column - 1, 0)
            elif character >= " ":
                if self.column < self.columns:
                    self.cells[self.row][self.column] = character
                self.column += 1

    def feed(self):
        if self.row == self.margins[1]:
            self.scroll(1)
        else:
            self.row = min(self.row + 1, len(self.cells) - 1)

    def scroll(self, count):
        top, bottom = self.margins
        for _ in range(abs(count)):
            self.cells.insert(bottom if count > 0 else top, self.cells.pop(top if count > 0 else bottom))
            self.cells[bottom if count > 0 else top] = [" "] * self.columns

    def control(self, final, numbers):
        count = max(numbers[0], 1)
        if final == b"H":
            self.row = min(count, len(self.cells)) - 1
            self.column = max(numbers[1], 1) - 1 if len(numbers) > 1 else 0
        elif final == b"G":
            self.column = count - 1
        elif final == b"d":
            self.row = min(count, len(self.cells)) - 1
        elif final == b"C":
            self.column += count
        elif final == b"E":
            self.row, self.column = min(self.row + count, len(self.cells) - 1), 0
        elif final == b"K":
            self.cells[self.row][self.column:] = [" "] * (self.columns - self.column)
        elif final == b"J":
            for row in self.cells[self.row if numbers[0] == 0 else 0:]:
                row[:] = [" "] * self.columns
        elif final in b"ST":
            self.scroll(count if final == b"S" else -count)
        elif final == b"r":
            bottom = numbers[1] if len(numbers) > 1 else len(self.cells)
            self.margins, self.row, self.column = (count - 1, bottom - 1), 0, 0

import BlogLibrary
import Essentials

/// Queries the terminal for its name, where that can't do harm.
struct TerminalInquiry {
    private let output: FileStream
    private var answer: [UInt8] = []
    /// Whether a response is still to come.
    private var isOpen = false

    init(output: FileStream) {
        self.output = output
    }

    /// Sends the query, and returns the terminal's answer within a quarter of a second; nil for none.
    ///
    /// What comes later is dropped by ``end()``, which has to be called then.
    mutating func name() -> String? {
        guard isSafe, TerminalMode.change() else { return nil }
        isOpen = true
        guard (try? output.write(TerminalGraphics.question)) != nil else {
            end()
            return nil
        }
        read(for: .milliseconds(250))
        guard TerminalGraphics.isWhole(answer) else { return nil }
        isOpen = false
        TerminalMode.restore()
        return TerminalGraphics.name(in: answer)
    }

    /// Waits a little for a response that has not come, so that it is never shown, and restores the terminal.
    mutating func end() {
        guard isOpen else { return }
        isOpen = false
        read(for: .seconds(1))
        TerminalMode.restore()
    }

    /// Whether the response comes to us, and nothing that was typed is lost: stdin and stdout are the same terminal, we
    /// are in its foreground, and no key waits to be read.
    private var isSafe: Bool {
        guard isatty(STDIN_FILENO) == 1, output.isTerminal else { return false }
        var (input, screen) = (stat(), stat())
        guard fstat(STDIN_FILENO, &input) == 0, fstat(output.descriptor, &screen) == 0, input.st_rdev == screen.st_rdev
        else { return false }
        // A terminal that doesn't control us has neither foreground nor background.
        let foreground = tcgetpgrp(STDIN_FILENO)
        guard foreground == getpgrp() || foreground == -1 && errno == ENOTTY else { return false }
        return !hasInput(within: 0)
    }

    private mutating func read(for time: Duration) {
        let end = ContinuousClock.now + time
        while !TerminalGraphics.isWhole(answer), answer.count < Self.maxBytes {
            let left = Int32(max((end - .now) / .milliseconds(1), 0).rounded(.up))
            guard left > 0, hasInput(within: left) else { return }
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = Essentials.read(STDIN_FILENO, &bytes, bytes.count)
            guard count > 0 else { return }
            answer += bytes[..<count]
        }
    }

    private func hasInput(within milliseconds: Int32) -> Bool {
        var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, milliseconds) > 0
    }

    private static let maxBytes = 4096
}

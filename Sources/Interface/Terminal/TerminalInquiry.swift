import BlogLibrary
import BlogEssentials

/// Queries the terminal for its name, if that is safe.
struct TerminalInquiry {
    private let output: FileStream
    private var response: [UInt8] = []
    /// Whether the response is incomplete.
    private var isOpen = false

    init(output: FileStream) {
        self.output = output
    }

    /// Sends the query, and returns the name if the terminal responds within 250 ms.
    ///
    /// Otherwise ``end()`` must be called, which drops a later response.
    mutating func name() -> String? {
        guard isSafe, TerminalMode.change() else { return nil }
        isOpen = true
        guard (try? output.write(TerminalGraphics.nameQuery)) != nil else {
            end()
            return nil
        }
        read(for: .milliseconds(250))
        guard TerminalGraphics.isComplete(response) else { return nil }
        isOpen = false
        TerminalMode.restore()
        return TerminalGraphics.name(in: response)
    }

    /// Waits up to a second for a late response, so that it isn't echoed, and restores the terminal.
    mutating func end() {
        guard isOpen else { return }
        isOpen = false
        read(for: .seconds(1))
        TerminalMode.restore()
    }

    /// Whether we get the response, and no typed key is lost: stdin and stdout are the same terminal, we are in its
    /// foreground, and its input is empty.
    private var isSafe: Bool {
        let input = FileStream.standardInput
        guard input.isTerminal, output.isSameTerminal(as: input), output.isTerminal else { return false }
        // Only a controlling terminal has a foreground process group.
        let foreground = tcgetpgrp(STDIN_FILENO)
        guard foreground == getpgrp() || foreground == -1 && errno == ENOTTY else { return false }
        return !input.hasInput(within: 0)
    }

    private mutating func read(for time: Duration) {
        let end = ContinuousClock.now + time
        while !TerminalGraphics.isComplete(response), response.count < Self.maxBytes {
            let left = Int32(max((end - .now) / .milliseconds(1), 0).rounded(.up))
            guard left > 0, FileStream.standardInput.hasInput(within: left) else { return }
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = BlogEssentials.read(STDIN_FILENO, &bytes, bytes.count)
            guard count > 0 else { return }
            response += bytes[..<count]
        }
    }

    private static let maxBytes = 4096
}

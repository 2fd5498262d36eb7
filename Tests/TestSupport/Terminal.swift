import Foundation
import Synchronization

/// A pseudo-terminal in which the real binary runs as in a window.
package final class Terminal: Sendable {
    /// The side that the program sees.
    package let program: FileHandle
    private let screen: Screen

    /// A response that the terminal sends once a text has been written to it.
    ///
    /// It is sent by a thread of its own, since a program doesn't wait for it as long as a test may wait for its turn.
    package struct Response {
        fileprivate let query: String
        fileprivate let text: String

        package init(to query: String, _ text: String) {
            (self.query, self.text) = (query, text)
        }
    }

    /// A terminal of a given size.
    package init(columns: Int, rows: Int, response: Response? = nil) throws {
        var (master, slave) = (Int32(-1), Int32(-1))
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        guard openpty(&master, &slave, nil, nil, &size) == 0 else { throw CocoaError(.fileNoSuchFile) }
        for side in [master, slave] { _ = fcntl(side, F_SETFD, FD_CLOEXEC) }
        program = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
        let screen = Screen(side: FileHandle(fileDescriptor: master, closeOnDealloc: true))
        self.screen = screen
        Thread.detachNewThread { screen.read(response) }
    }

    /// What was written to the screen so far, with control sequences, and line ends as the program wrote them.
    package var output: String { screen.text.withLock { $0 } }

    /// How often a text has been written to the screen.
    package func count(of part: String) -> Int { output.components(separatedBy: part).count - 1 }

    /// Waits until a text has been written to the screen; throws what is on it after ``EnoughTime/ample``.
    package func wait(for part: String, times: Int = 1) async throws {
        let end = ContinuousClock.now + .seconds(EnoughTime.ample)
        while count(of: part) < times {
            guard .now < end else { throw NotOnScreen(wanted: part, screen: output) }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    private struct NotOnScreen: Error {
        let wanted: String
        let screen: String
    }

    /// Sends a text to the program, as if it were typed.
    package func type(_ text: String) throws { try screen.side.write(contentsOf: Data(text.utf8)) }

    /// Runs a process on the terminal to its end, and returns its exit code.
    package func run(_ process: BlogProcess, input: FileHandle = .nullDevice) async throws -> Int32 {
        let code = try await process.run(input: input, output: program, errors: program)
        // This mark after its output shows that all of it has arrived.
        try program.write(contentsOf: Data("\u{4}".utf8))
        try await wait(for: "\u{4}")
        screen.text.withLock { $0 = $0.replacing("\u{4}", with: "") }
        return code
    }
}

/// What is written to a terminal, which a thread reads until nobody has the terminal open.
private final class Screen: Sendable {
    let text = Mutex("")
    let side: FileHandle

    init(side: FileHandle) { self.side = side }

    func read(_ response: Terminal.Response?) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        var pending: [UInt8] = []
        var response = response
        while true {
            let count = Foundation.read(side.fileDescriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            pending += buffer[..<count]
            let whole = Self.wholeCharacters(of: pending)
            pending.removeFirst(whole.count)
            let piece = String(decoding: whole, as: UTF8.self).replacing("\r\n", with: "\n")
            let output = text.withLock { text in
                text += piece
                return text
            }
            if let due = response, output.contains(due.query) {
                response = nil
                try? side.write(contentsOf: Data(due.text.utf8))
            }
        }
    }

    /// The bytes without an incomplete character, or line end, at their end.
    private static func wholeCharacters(of bytes: [UInt8]) -> ArraySlice<UInt8> {
        let isContinuation: (UInt8) -> Bool = { $0 & 0xC0 == 0x80 }
        guard let start = bytes.lastIndex(where: { !isContinuation($0) }) else { return bytes[...] }
        let length =
            switch bytes[start] {
            case 0xF0...: 4
            case 0xE0...: 3
            case 0xC0..., UInt8(ascii: "\r"): 2
            default: 1
            }
        return bytes.count - start < length ? bytes[..<start] : bytes[...]
    }
}

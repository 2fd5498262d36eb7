import BlogRendering
import BlogTestSupport
import Foundation
import Synchronization
import Testing
@testable import BlogTerminal

/// A pseudo-terminal whose screen is painted here, so that nothing depends on the terminal in which the tests run.
private final class Window: Sendable {
    let size = ScreenSize(columns: 40, rows: 10)
    private let master: Int32
    private let slave: Int32
    private let errors: Int32
    private let sent = Mutex<[UInt8]>([])
    private let events = Mutex<[ScreenEvent]>([])

    init() throws {
        var (master, slave) = (Int32(-1), Int32(-1))
        var size = winsize(ws_row: 10, ws_col: 40, ws_xpixel: 0, ws_ypixel: 0)
        try #require(openpty(&master, &slave, nil, nil, &size) == 0)
        (self.master, self.slave, errors) = (master, slave, dup(slave))
    }

    deinit {
        for descriptor in [master, slave, errors] where descriptor >= 0 { close(descriptor) }
    }

    func open(_ variables: [String: String] = ["TERM": "xterm-256color"]) throws -> FullScreen {
        let streams = RawTerminal.Streams(input: slave, output: slave, errors: errors)
        return try FullScreen(Environment(variables), on: streams) { events in
            self.events.withLock { $0 += events }
        }
    }

    /// Types what the terminal sends: keys, and responses to queries.
    func type(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(write(master, bytes, bytes.count) == bytes.count)
    }

    /// Responds to the query.
    func respond() { type("\u{1B}[?2026;2$y\u{1B}[?2027;0$y\u{1B}[?1u\u{1B}[?62;22c") }

    func say(_ message: String) { #expect(write(errors, message, message.utf8.count) == message.utf8.count) }

    func resize(columns: Int, rows: Int) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        #expect(ioctl(master, UInt(TIOCSWINSZ), &size) == 0)
    }

    /// Waits for an event, for as long as the test may run, and takes all events.
    func events(until last: ScreenEvent) async throws -> [ScreenEvent] {
        while !events.withLock({ $0.contains(last) }) { try await Task.sleep(for: .milliseconds(2)) }
        return events.withLock { events in
            defer { events = [] }
            return events
        }
    }

    /// Everything written to the screen since the window was opened.
    var output: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 4096)
        var waiting = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        while poll(&waiting, 1, 0) > 0 {
            let count = read(master, &bytes, bytes.count)
            guard count > 0 else { break }
            sent.withLock { $0 += bytes[..<count] }
        }
        return sent.withLock { $0 }
    }

    /// The screen now.
    var screen: ScreenTerminal {
        var terminal = ScreenTerminal(size)
        terminal.take(output)
        return terminal
    }

    /// The modes of the terminal, byte by byte.
    var modes: [UInt8] {
        var mode = termios()
        #expect(tcgetattr(slave, &mode) == 0)
        return withUnsafeBytes(of: &mode) { Array($0) }
    }
}

@Suite("The full screen", .serialized) struct FullScreenTests {
    private let window: Window

    init() throws { window = try Window() }

    private func frame(_ lines: StyledText...) -> Frame {
        var frame = Frame(window.size)
        for (row, line) in lines.enumerated() { frame.write(line, row: row) }
        return frame
    }

    @Test("takes the terminal, shows frames, and restores the terminal")
    func wholeWay() async throws {
        let before = window.modes
        let screen = try window.open()
        defer { screen.close() }
        window.respond()
        window.type("j")
        #expect(try await window.events(until: .key(.character("j"))) == [.key(.character("j"))])
        #expect(window.modes != before && screen.size == window.size)
        #expect(screen.show(frame("one", "two")))
        #expect(screen.show(frame("one", "three")))
        let open = window.screen
        #expect(open.text == ["one", "three"] + Array(repeating: "", count: 8))
        #expect(open.modes == [1007, 1049, 2004] && open.keyModes == 1 && open.titles == 1 && open.isAtRest)
        screen.close()
        screen.close()
        #expect(window.modes == before)
        #expect(window.screen.modes == [7, 25] && window.screen.keyModes == 0 && window.screen.titles == 0)
    }

    @Test("paints only what changed, in synchronized output if the terminal supports it")
    func differences() async throws {
        let screen = try window.open()
        defer { screen.close() }
        window.respond()
        window.type("j")
        _ = try await window.events(until: .key(.character("j")))
        #expect(screen.show(frame("one")))
        let count = window.output.count
        #expect(screen.show(frame("one")) && window.output.count == count)
        #expect(screen.show(frame("ore")))
        #expect(String(decoding: window.output[count...], as: UTF8.self) == "\u{1B}[?2026h\u{1B}[1;2Hr\u{1B}[?2026l")
        screen.invalidate()
        #expect(screen.show(frame("ore")) && window.output.count > count + 100)
    }

    @Test("is painted again in readable colours when the terminal tells its background")
    func colors() async throws {
        let screen = try window.open()
        defer { screen.close() }
        #expect(screen.show(frame(StyledText("one", .saved))))
        #expect(String(decoding: window.output, as: UTF8.self).contains("\u{1B}[33mone"))
        window.type("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\")
        #expect(try await window.events(until: .writable) == [.writable])
        let count = window.output.count
        #expect(screen.show(frame(StyledText("one", .saved))))
        #expect(String(decoding: window.output[count...], as: UTF8.self).contains("\u{1B}[38;5;94mone"))
        window.respond()
    }

    @Test("asks for no colours if none are used")
    func noColor() throws {
        let screen = try window.open(["TERM": "xterm", "NO_COLOR": "1"])
        #expect(!String(decoding: window.output, as: UTF8.self).contains("\u{1B}]11;?"))
        window.respond()
        screen.close()
    }

    @Test("isn't available without a terminal, or on one that can't show it", arguments: ["dumb", "unknown", ""])
    func unsuitable(type: String) throws {
        let expected = ScreenError.unsuitable(type.isEmpty ? nil : type)
        #expect(throws: expected) { try window.open(["TERM": type]) }
        let (input, output) = (open("/dev/null", O_RDWR), open("/dev/null", O_RDWR))
        let streams = RawTerminal.Streams(input: input, output: output, errors: output)
        #expect(throws: ScreenError.noTerminal) {
            try FullScreen(Environment(["TERM": "xterm"]), on: streams) { _ in }
        }
        for descriptor in [input, output] { close(descriptor) }
        #expect(window.output.isEmpty)
    }

    @Test("sends the Linux console only what it knows")
    func console() throws {
        let screen = try window.open(["TERM": "linux"])
        screen.setTitle("title")
        screen.copy("text")
        #expect(screen.show(frame("one")) && window.screen.text.first == "one")
        screen.close()
        let rest = String(decoding: window.output, as: UTF8.self).replacing(/\e\[[0-9;]*[A-Za-z]/, with: "")
        #expect(rest == "\u{1B}[?7l\u{1B}[?25l\u{1B}[?25lone\u{1B}[?7h\u{1B}[?25h")
    }

    @Test("can be open only once")
    func once() throws {
        let screen = try window.open()
        window.respond()
        #expect(throws: ScreenError.isOpen) { try window.open() }
        screen.close()
        let again = try window.open()
        window.respond()
        again.close()
    }

    @Test("holds messages back until the terminal is restored")
    func messages() throws {
        let screen = try window.open()
        window.respond()
        window.say("Torn.\n")
        #expect(!String(decoding: window.output, as: UTF8.self).contains("Torn."))
        screen.close()
        window.say("After.\n")
        #expect(String(decoding: window.output, as: UTF8.self).hasSuffix("\u{1B}[?1049lTorn.\r\nAfter.\r\n"))
    }

    @Test("prints each message once, even if the terminal was restored before")
    func messagesTwice() async throws {
        let screen = try window.open()
        window.respond()
        // Nothing may be reading input when the terminal is restored.
        window.type("j")
        _ = try await window.events(until: .key(.character("j")))
        window.say("Torn again and again.\n")
        RawTerminal.release(printsErrors: true)
        #expect(String(decoding: window.output, as: UTF8.self).hasSuffix("\u{1B}[?1049lTorn again and again.\r\n"))
        kill(getpid(), SIGCONT)
        _ = try await window.events(until: .continued)
        window.say("Lost.\n")
        screen.close()
        #expect(String(decoding: window.output, as: UTF8.self).hasSuffix("\u{1B}[?1049lLost.\r\n"))
    }

    @Test("yields the terminal to another program, and comes back after it")
    func leaving() async throws {
        let before = window.modes
        let screen = try window.open()
        defer { screen.close() }
        window.respond()
        #expect(screen.show(frame("one")))
        screen.setTitle("title")
        let result = screen.withTerminalReleased {
            #expect(window.modes == before && window.screen.modes == [7, 25] && window.screen.titles == 0)
            #expect(!screen.show(frame("two")))
            window.say("Not held back.")
            screen.copy("x")
            #expect(String(decoding: window.output, as: UTF8.self).hasSuffix("Not held back."))
            return 42
        }
        #expect(result == 42 && window.modes != before)
        _ = try await window.events(until: .writable)
        #expect(screen.show(frame("two")))
        #expect(window.screen.text.first == "two" && window.screen.title == "title" && window.screen.keyModes == 1)
    }

    @Test("reports its new size, and paints no frame of the old one")
    func resized() async throws {
        let screen = try window.open()
        defer { screen.close() }
        window.respond()
        #expect(screen.show(frame("one")))
        window.resize(columns: 30, rows: 5)
        kill(getpid(), SIGWINCH)
        let size = ScreenSize(columns: 30, rows: 5)
        #expect(try await window.events(until: .resized(size)) == [.resized(size)] && screen.size == size)
        let count = window.output.count
        #expect(screen.show(frame("two")) && window.output.count == count)
        #expect(screen.show(Frame(size)) && window.output.count > count)
    }

    @Test("has 24 rows if the terminal doesn't report any")
    func unknownRows() throws {
        window.resize(columns: 30, rows: 0)
        let screen = try window.open()
        defer { screen.close() }
        #expect(screen.size == ScreenSize(columns: 30, rows: 24))
    }

    @Test("is painted again after the program was stopped from outside")
    func continued() async throws {
        let screen = try window.open()
        defer { screen.close() }
        window.respond()
        #expect(screen.show(frame("one")))
        kill(getpid(), SIGCONT)
        #expect(try await window.events(until: .continued) == [.continued])
        let count = window.output.count
        #expect(screen.show(frame("one")) && window.output.count > count && window.screen.keyModes == 1)
    }

    @Test("reports a size that changed while the program was stopped, for which there is no signal")
    func resizedMeanwhile() async throws {
        let screen = try window.open()
        defer { screen.close() }
        window.respond()
        #expect(screen.show(frame("one")))
        window.resize(columns: 30, rows: 5)
        kill(getpid(), SIGCONT)
        let size = ScreenSize(columns: 30, rows: 5)
        #expect(try await window.events(until: .continued) == [.resized(size), .continued])
        #expect(screen.size == size && screen.show(Frame(size)))
    }

    @Test("drops frames while the terminal accepts none, and reports when it does again")
    func slow() async throws {
        let screen = try window.open()
        defer { screen.close() }
        window.respond()
        var shown = 0
        // At some point, the terminal's buffer is full.
        while screen.show(frame(StyledText("\(shown) " + String(repeating: shown % 2 == 0 ? "x" : "y", count: 60)))),
            shown < 20_000
        {
            shown += 1
        }
        #expect(shown < 20_000)
        #expect(!window.output.isEmpty)
        _ = try await window.events(until: .writable)
        #expect(screen.show(frame("last")) && window.screen.text.first == "last")
    }

    @Test("ends on a signal that ends the program", arguments: [SIGTERM, SIGHUP, SIGINT])
    func ended(number: Int32) async throws {
        // The tests may be run by nohup, and an ignored signal stays ignored.
        signal(number, SIG_DFL)
        let before = window.modes
        let screen = try window.open()
        window.respond()
        kill(getpid(), number)
        #expect(try await window.events(until: .ended) == [.ended])
        screen.close()
        #expect(window.modes == before && window.screen.modes == [7, 25])
    }

    @Test("reads a lone ESC as a key, and keeps what is typed and pasted in order")
    func keys() async throws {
        let screen = try window.open()
        defer { screen.close() }
        window.type("\u{1B}[?62c\u{1B}")
        #expect(try await window.events(until: .key(.escape)) == [.key(.escape)])
        window.type("a\u{1B}[200~b\u{1B}[201~\u{3}")
        let expected: [ScreenEvent] = [.key(.character("a")), .paste("b"), .key(.control("c"))]
        var events: [ScreenEvent] = []
        while events.count < 3 { events += try await window.events(until: expected[events.count]) }
        #expect(events == expected)
    }

    @Test("copies text and sets titles without control characters")
    func commands() throws {
        let screen = try window.open()
        defer { screen.close() }
        window.respond()
        screen.copy("https://x.y/ü")
        screen.setTitle("a\u{1B}[2J\u{7}b\u{9C}c")
        #expect(window.screen.clipboard == "https://x.y/ü" && window.screen.title == "abc")
        screen.copy(String(repeating: "x", count: 100_000))
        #expect(window.screen.clipboard == "https://x.y/ü")
    }
}

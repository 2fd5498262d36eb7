import BlogLibrary
import Essentials
import Markup
import Synchronization

extension Process {
    /// Starts the program; false if that is impossible.
    ///
    /// It would inherit the signals that threads of a pool have blocked, and not hear Ctrl-C.
    fileprivate func start() -> Bool {
        var (none, blocked) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &blocked)
        defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
        return (try? run()) != nil
    }
}

/// Runs another program for its output.
enum OtherProgram {
    /// The output of a program; nil if it can't be started, fails, or takes too long.
    ///
    /// Its stdin is empty, and its stderr is hidden.
    static func output(of name: String, _ arguments: [String], _ environment: Environment) -> Data? {
        guard environment.hasProgram(name) else { return nil }
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [name] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        guard process.start() else { return nil }
        let number = process.processIdentifier
        let end = DispatchWorkItem { kill(number, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + maxSeconds, execute: end)
        let data = try? pipe.fileHandleForReading.read(upToCount: maxBytes)
        // A program that prints more waits for a reader.
        try? pipe.fileHandleForReading.close()
        process.waitUntilExit()
        end.cancel()
        return process.terminationReason == .exit && process.terminationStatus == 0 ? data : nil
    }

    private static let maxSeconds: TimeInterval = 3
    private static let maxBytes = 4 << 20
}

/// A command line of the user's, which a shell runs.
package final class UserCommand: Sendable {
    private let command: String
    /// The number of its process; 0 while it doesn't run.
    private let number = Atomic<Int32>(0)
    private let isStopped = Atomic(false)

    package init(_ command: String) {
        self.command = command
    }

    /// Stops it, and all that it has started.
    package func stop() {
        isStopped.store(true, ordering: .sequentiallyConsistent)
        let number = number.load(ordering: .sequentiallyConsistent)
        // It is the first of a group, which what it started belongs to.
        if number > 0, kill(-number, SIGKILL) != 0 { kill(number, SIGKILL) }
    }

    /// The lines that a command prints, on stdout and stderr, given a text on stdin.
    ///
    /// A command that takes too long is stopped; of an output of many megabytes the beginning is returned.
    package func output(input: String, maxSeconds: TimeInterval = 30) -> [String] {
        let (process, source, sink) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command]
        process.standardInput = source
        process.standardOutput = sink
        process.standardError = sink
        guard process.start() else { return ["Could not start /bin/sh"] }
        number.store(process.processIdentifier, ordering: .sequentiallyConsistent)
        if isStopped.load(ordering: .sequentiallyConsistent) { stop() }
        let end = DispatchWorkItem { self.stop() }
        DispatchQueue.global().asyncAfter(deadline: .now() + maxSeconds, execute: end)
        // The command may print before it has read all, or not read at all.
        Thread.detachNewThread {
            try? FileStream(descriptor: source.fileHandleForWriting.fileDescriptor).write(Array(input.utf8))
            try? source.fileHandleForWriting.close()
        }
        let data = (try? sink.fileHandleForReading.read(upToCount: Self.maxBytes)) ?? Data()
        try? sink.fileHandleForReading.close()
        process.waitUntilExit()
        number.store(0, ordering: .sequentiallyConsistent)
        end.cancel()
        // As a character, "\r\n" isn't "\n".
        let text = String(decoding: data, as: UTF8.self).replacing("\r\n", with: "\n")
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { Sanitizer.line(String($0).replacing("\t", with: "    ")) }
        if lines.last == "" { lines.removeLast() }
        if process.terminationReason != .exit || process.terminationStatus != 0 {
            lines.append("(ended with \(process.terminationStatus))")
        }
        return lines.isEmpty ? ["(no output)"] : lines
    }

    private static let maxBytes = 4 << 20
}

/// The user's browser.
package enum Browser {
    /// Opens an address, which no shell ever sees; false if no browser can be started.
    package static func open(_ address: String, _ environment: Environment) -> Bool {
        #if os(macOS)
            let usual = "open"
        #else
            let usual = "xdg-open"
        #endif
        // As others do, BROWSER is a list, and %s in an entry is the address.
        let commands = environment["BROWSER"].map { $0.split(separator: ":").map(String.init) } ?? [usual]
        return commands.contains { start($0, address, environment) }
    }

    private static func start(_ command: String, _ address: String, _ environment: Environment) -> Bool {
        var words = command.split(separator: " ").map(String.init)
        if !words.contains(where: { $0.contains("%s") }) { words.append("%s") }
        guard let program = words.first, environment.hasProgram(program) else { return false }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words.map { $0.replacing("%s", with: address) }
        if environment["BROWSER"] == nil {
            // The messages of a desktop's opener aren't useful; a browser of the user's choice may need the terminal.
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
        }
        guard process.start() else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}

/// A program that draws pictures with coloured symbols, for terminals without a protocol for pictures.
enum SymbolProgram: String, CaseIterable, Sendable {
    case chafa
    case timg

    /// The installed one; nil for none.
    static func installed(_ environment: Environment) -> SymbolProgram? {
        allCases.first { environment.hasProgram($0.rawValue) }
    }

    /// The lines of a picture; nil if the program can't draw it.
    func lines(ofFile path: String, _ frame: PictureFrame, _ environment: Environment) -> [String]? {
        let size = "\(frame.columns)x\(frame.rows)"
        let arguments =
            switch self {
            case .chafa: ["--format", "symbols", "--animate", "off", "--size", size, path]
            case .timg: ["-pq", "--frames=1", "-g\(size)", path]
            }
        guard let data = OtherProgram.output(of: rawValue, arguments, environment) else { return nil }
        let lines = TerminalGraphics.symbols(String(decoding: data, as: UTF8.self))
        return lines.isEmpty ? nil : lines
    }
}

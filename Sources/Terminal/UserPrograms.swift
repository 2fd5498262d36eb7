import BlogLibrary
import Dispatch
import Essentials
import Markup
import Model
import Synchronization

/// Runs another program for its output.
enum OtherProgram {
    /// The output of a program; nil if it can't be started, fails, or takes too long.
    ///
    /// Its stdin is empty, and its stderr is hidden.
    static func output(of name: String, _ arguments: [String], _ environment: Environment) -> [UInt8]? {
        guard environment.hasProgram(name) else { return nil }
        guard let null = FileStream.null() else { return nil }
        defer { null.close() }
        guard let pipe = FileStream.pipe() else { return nil }
        let process = ChildProcess.start([name] + arguments, streams: [null, pipe.writing, null])
        pipe.writing.close()
        guard let process else {
            pipe.reading.close()
            return nil
        }
        let end = DispatchWorkItem { kill(process.id, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + maxSeconds, execute: end)
        let data = pipe.reading.read(upTo: maxBytes)
        // A program that prints more waits for a reader.
        pipe.reading.close()
        let result = process.wait()
        end.cancel()
        return result.isSuccess ? data : nil
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
        guard let source = FileStream.pipe() else { return [Self.failure] }
        guard let sink = FileStream.pipe() else {
            source.reading.close()
            source.writing.close()
            return [Self.failure]
        }
        let process = ChildProcess.start(
            ["/bin/sh", "-c", command], streams: [source.reading, sink.writing, sink.writing])
        source.reading.close()
        sink.writing.close()
        guard let process else {
            source.writing.close()
            sink.reading.close()
            return [Self.failure]
        }
        number.store(process.id, ordering: .sequentiallyConsistent)
        if isStopped.load(ordering: .sequentiallyConsistent) { stop() }
        let end = DispatchWorkItem { self.stop() }
        DispatchQueue.global().asyncAfter(deadline: .now() + maxSeconds, execute: end)
        // The command may print before it has read all, or not read at all.
        DetachedThread.start {
            try? source.writing.write(Array(input.utf8))
            source.writing.close()
        }
        let data = sink.reading.read(upTo: Self.maxBytes)
        sink.reading.close()
        let result = process.wait()
        number.store(0, ordering: .sequentiallyConsistent)
        end.cancel()
        // As a character, "\r\n" isn't "\n".
        let text = String(decoding: data, as: UTF8.self).replacing("\r\n", with: "\n")
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { Sanitizer.line(String($0).replacing("\t", with: "    ")) }
        if lines.last == "" { lines.removeLast() }
        if !result.isSuccess { lines.append("(ended with \(result.code))") }
        return lines.isEmpty ? ["(no output)"] : lines
    }

    private static let failure = "Could not start /bin/sh"
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
        // The messages of a desktop's opener aren't useful; a browser of the user's choice may need the terminal.
        let isChosen = environment["BROWSER"] != nil
        let null = isChosen ? nil : FileStream.null()
        defer { null?.close() }
        let process = ChildProcess.start(
            words.map { $0.replacing("%s", with: address) }, streams: [nil, null, null], usesTerminal: isChosen)
        return process?.wait().isSuccess == true
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

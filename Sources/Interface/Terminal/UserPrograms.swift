import BlogEssentials
import BlogMarkup
import Synchronization

/// A shell command that the user typed.
package final class UserCommand: Sendable {
    private let command: String
    private let variables: [(name: String, value: String)]
    /// The process ID of the shell; 0 while it isn't running.
    private let id = Atomic<pid_t>(0)
    private let isStopped = Atomic(false)

    /// - Parameter variables: what is added to its environment; control characters in the values are removed.
    package init(_ command: String, variables: [(name: String, value: String)] = []) {
        self.command = command
        self.variables = variables.map { ($0.name, Sanitizer.output($0.value)) }
    }

    /// Kills it and the programs that it has started, or keeps it from starting them.
    package func stop() {
        isStopped.store(true, ordering: .sequentiallyConsistent)
        let id = id.load(ordering: .sequentiallyConsistent)
        if id > 0 { ChildProcess(id: id).kill() }
    }

    /// The lines that the command prints on stdout and stderr, given a text on stdin.
    ///
    /// A command that takes too long is killed, and output beyond 4 MB is dropped.
    ///
    /// - Parameter maxSeconds: the time after which it is killed; nil for never.
    package func output(input: String, maxSeconds: TimeInterval? = 30) -> [String] {
        guard let pipe = FileStream.pipe() else { return [Self.failure] }
        let result = ChildProcess.run(
            ["/bin/sh", "-c", command], variables: variables, input: pipe.reading, errors: nil, maxSeconds: maxSeconds
        ) { process in
            pipe.reading.close()
            id.store(process.id, ordering: .sequentiallyConsistent)
            if isStopped.load(ordering: .sequentiallyConsistent) { process.kill() }
            // The command may print before it has read everything, or not read at all.
            DetachedThread.start {
                try? pipe.writing.write(Array(input.utf8))
                pipe.writing.close()
            }
        }
        id.store(0, ordering: .sequentiallyConsistent)
        guard let result else {
            pipe.reading.close()
            pipe.writing.close()
            return [Self.failure]
        }
        // As a character, "\r\n" isn't "\n".
        let text = String(decoding: result.output, as: UTF8.self).replacing("\r\n", with: "\n")
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { Sanitizer.line(String($0).replacing("\t", with: "    ")) }
        if lines.last == "" { lines.removeLast() }
        if !result.end.isSuccess { lines.append("(exit status \(result.end.code))") }
        return lines.isEmpty ? ["(no output)"] : lines
    }

    private static let failure = "Could not start /bin/sh"
}

/// The user's browser.
package enum Browser {
    /// Opens an address without a shell; false if no browser can be started.
    package static func open(_ address: String, _ environment: Environment) -> Bool {
        #if os(macOS)
            let opener = "open"
        #else
            let opener = "xdg-open"
        #endif
        // By convention, BROWSER is a list, and %s in an entry is the address.
        let commands = environment["BROWSER"].map { $0.split(separator: ":").map(String.init) } ?? [opener]
        return commands.contains { start($0, address, environment) }
    }

    private static func start(_ command: String, _ address: String, _ environment: Environment) -> Bool {
        var words = command.split(separator: " ").map(String.init)
        if !words.contains(where: { $0.contains("%s") }) { words.append("%s") }
        guard let program = words.first, environment.hasProgram(program) else { return false }
        // The messages of the desktop's opener aren't useful; a browser of the user's choice may need the terminal.
        let isChosen = environment["BROWSER"] != nil
        let null = isChosen ? nil : FileStream.null()
        defer { null?.close() }
        let process = ChildProcess.start(
            words.map { $0.replacing("%s", with: address) }, streams: [nil, null, null], usesTerminal: isChosen)
        return process?.wait().isSuccess == true
    }
}

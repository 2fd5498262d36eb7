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
        return lines.isEmpty ? Self.noOutput : lines
    }

    package static let noOutput = ["(no output)"]

    private static let failure = "Could not start /bin/sh"
}

/// A shell command that prints a password, as `pass show rss` does.
package enum PasswordCommand {
    /// The first line that a command prints on stdout, or why there is none.
    ///
    /// It has no input, and its stderr is ours; it is killed after a minute.
    package static func password(from command: String) -> (password: String?, problem: String) {
        guard let pipe = FileStream.pipe() else { return (nil, "could not start /bin/sh") }
        pipe.writing.close()
        defer { pipe.reading.close() }
        let result = ChildProcess.run(
            ["/bin/sh", "-c", command], input: pipe.reading, errors: FileStream(descriptor: 2), maxSeconds: 60)
        guard let result else { return (nil, "could not start /bin/sh") }
        guard result.end.isSuccess else { return (nil, "exit status \(result.end.code)") }
        let line = result.output.prefix { $0 != 0x0A && $0 != 0x0D }
        return line.isEmpty ? (nil, "it printed nothing") : (String(decoding: line, as: UTF8.self), "")
    }
}

/// A command of the settings whose output is a feed: `exec.news = fetch-news --rss`.
package enum FeedCommand {
    /// What a command prints on stdout, or why there is nothing.
    ///
    /// It has no input, and is killed after 30 seconds, or once it has printed more than a feed may have. The last line of its
    /// stderr says why it failed.
    package static func output(of command: String, atMost maxBytes: Int) -> (output: [UInt8]?, problem: String) {
        guard let null = FileStream.null(), let errors = tmpfile() else { return (nil, "could not start /bin/sh") }
        defer {
            null.close()
            fclose(errors)
        }
        let result = ChildProcess.run(
            ["/bin/sh", "-c", command], input: null, errors: FileStream(descriptor: fileno(errors)),
            maxSeconds: maxSeconds, maxBytes: maxBytes + 1)
        guard let result else { return (nil, "could not start /bin/sh") }
        if result.output.count > maxBytes { return (nil, "larger than \(Counted.bytes(maxBytes))") }
        if result.end.isSuccess { return (result.output, "") }
        let end =
            result.end.isExit
            ? "exit status \(result.end.code)"
            : result.end.code == SIGKILL ? "stopped after \(Int(maxSeconds)) s" : "signal \(result.end.code)"
        let line = lastLine(of: errors)
        return (nil, line.isEmpty ? end : "\(end): \(line)")
    }

    private static let maxSeconds: TimeInterval = 30

    private static func lastLine(of file: UnsafeMutablePointer<FILE>) -> String {
        fseek(file, 0, SEEK_END)
        fseek(file, max(ftell(file) - maxLine, 0), SEEK_SET)
        var bytes = [UInt8](repeating: 0, count: maxLine)
        let count = fread(&bytes, 1, maxLine, file)
        let lines = bytes.prefix(count).split { $0 == 0x0A || $0 == 0x0D }.map { String(decoding: $0, as: UTF8.self) }
        return Sanitizer.line(lines.last { !$0.trimmed.isEmpty } ?? "").trimmed
    }

    /// The most bytes of stderr that are looked at.
    private static let maxLine = 1000
}

/// The user's browser: that in `BROWSER`, else the desktop's, else one for terminals.
package enum Browser {
    case chosen([String])
    case desktop(String)
    case text(String)

    package enum Outcome: Sendable {
        case opened
        /// It was started, and ended with this exit status.
        case failed(Int32)
        /// There is none.
        case missing
    }

    /// Nil if there is none.
    ///
    /// - Parameter hasTerminal: whether one for terminals can be used.
    package init?(_ environment: Environment, hasTerminal: Bool) {
        // By convention, BROWSER is a list, and %s in an entry is the address.
        if let commands = environment["BROWSER"] {
            self = .chosen(commands.split(separator: ":").map(String.init))
            return
        }
        let desktop = Self.openers(environment).first { environment.hasProgram($0) }
        let text = hasTerminal ? Self.textBrowsers.first { environment.hasProgram($0) } : nil
        guard let browser = desktop.map({ Browser.desktop($0) }) ?? text.map({ .text($0) }) else { return nil }
        self = browser
    }

    /// Without a display, xdg-open would start a text browser that can't read from the terminal.
    private static func openers(_ environment: Environment) -> [String] {
        #if os(macOS)
            return ["open"]
        #else
            let hasDisplay = environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
            return (hasDisplay ? ["xdg-open"] : []) + ["wslview", "termux-open-url"]
        #endif
    }

    private static let textBrowsers = ["w3m", "lynx", "links", "elinks", "www-browser"]

    /// Whether it may read from the terminal.
    package var usesTerminal: Bool {
        switch self {
        case .desktop: false
        case .chosen(let commands): !commands.allSatisfy(Self.isInBackground)
        case .text: true
        }
    }

    /// Whether a command isn't waited for, as in a shell.
    private static func isInBackground(_ command: String) -> Bool { command.trimmed.hasSuffix("&") }

    /// Opens an address, and waits until the program ends.
    package func open(_ address: String, _ environment: Environment) -> Outcome {
        switch self {
        case .chosen(let commands):
            var outcome = Outcome.missing
            for command in commands {
                outcome = Self.start(command, address, environment) ?? outcome
                if case .opened = outcome { break }
            }
            return outcome
        case .desktop(let program):
            let null = FileStream.null()
            defer { null?.close() }
            // Its messages aren't useful.
            return Self.outcome(ChildProcess.start([program, address], streams: [nil, null, null]))
        case .text(let program):
            return Self.outcome(ChildProcess.start([program, address], streams: [], usesTerminal: true))
        }
    }

    private static func outcome(_ process: ChildProcess?) -> Outcome {
        guard let end = process?.wait() else { return .missing }
        return end.isSuccess ? .opened : .failed(end.code)
    }

    /// Runs a command of the user's, split into words as a shell does; nil if its program doesn't exist.
    private static func start(_ command: String, _ address: String, _ environment: Environment) -> Outcome? {
        let isInBackground = isInBackground(command)
        let foreground = isInBackground ? String(command.trimmed.dropLast()) : command
        guard let words = ShellWords.words(of: foreground)?.filter({ $0 != "&" }), let program = words.first,
            environment.hasProgram(program)
        else { return nil }
        let code = indexOfCode(in: words)
        let isPassedOn = isPassedOn(words, code)
        let (arguments, variables) =
            isPassedOn
            ? (arguments(words, code, plain(address)), [])
            : (arguments(words, code, address, in: variable), [(variable, address)])
        guard isInBackground else {
            return outcome(ChildProcess.start(arguments, variables: variables, streams: [], usesTerminal: true))
        }
        let null = FileStream.null()
        defer { null?.close() }
        guard let process = ChildProcess.start(arguments, variables: variables, streams: [null, null, null]) else {
            return .missing
        }
        // Its end is nobody's concern, but must be taken note of.
        DetachedThread.start { _ = process.wait() }
        return .opened
    }

    /// The words of a command with an address in place of `%s`, or at the end.
    ///
    /// The address must not become a part of what a shell reads: in the code of one, it is a variable, and wherever
    /// something else may read it as code, it has no character with a meaning.
    private static func arguments(
        _ words: [String], _ code: Int?, _ address: String, in variable: String? = nil
    ) -> [String] {
        var words = words
        if !words.contains(where: { $0.contains("%s") }) {
            // The first argument of code is its name.
            words += (code.map { $0 == words.count - 1 } == true ? ["sh"] : []) + ["%s"]
        }
        return words.enumerated().map { index, word in
            guard word.contains("%s") else { return word }
            if index == code { return self.code(word, address, in: variable) }
            let isData = !word.unicodeScalars.contains { " \t\n'\"`$;|&<>\\".unicodeScalars.contains($0) }
            return word.replacing("%s", with: isData ? address : plain(address))
        }
    }

    /// Whether something besides the shell of a command may read the address as code.
    private static func isPassedOn(_ words: [String], _ code: Int?) -> Bool {
        words.enumerated().contains { index, word in
            if index == code {
                return word.split { !$0.isLetter && !$0.isNumber && $0 != "." && $0 != "-" }.contains {
                    readsCode(String($0))
                }
            }
            return passing.contains(name(of: word)) || word.unicodeScalars.contains { codeSigns.contains($0) }
        }
    }

    /// The code of a shell with an address: as a variable where that is a word of its own, quoted or not.
    private static func code(_ code: String, _ address: String, in variable: String?) -> String {
        guard let variable else { return code.replacing("%s", with: address) }
        // The sign that the current quotation began with, and how much of the result was there before it.
        var (result, rest, quote) = ("", code[...], (sign: Character, start: Int)?.none)
        while let next = rest.first {
            if rest.hasPrefix("%s") {
                rest = rest.dropFirst(2)
                if let open = quote {
                    let isWhole = open.start == result.count - 1 && rest.first == open.sign
                    if isWhole {
                        result.removeLast()
                        rest.removeFirst()
                        quote = nil
                    }
                    result += isWhole ? "\"$\(variable)\"" : plain(address)
                } else {
                    result += "\"$\(variable)\""
                }
                continue
            }
            rest.removeFirst()
            if next == "\\", quote?.sign != "'", let escaped = rest.popFirst() {
                result += [next, escaped]
                continue
            }
            if let open = quote {
                if next == open.sign { quote = nil }
            } else if next == "'" || next == "\"" {
                quote = (next, result.count)
            }
            result.append(next)
        }
        return result
    }

    /// The index of the word that a shell is told to run, as in `bash -lc CODE`; nil if there is none.
    private static func indexOfCode(in words: [String]) -> Int? {
        guard let shell = words.firstIndex(where: { shells.contains(name(of: $0)) }),
            let option = words[(shell + 1)...].firstIndex(where: { $0.wholeMatch(of: #/-[a-z]*c/#) != nil }),
            option + 1 < words.count
        else { return nil }
        return option + 1
    }

    private static func name(of program: String) -> String { String(program.split(separator: "/").last ?? "") }

    /// An address in which all is percent-encoded that may mean something to a shell.
    private static func plain(_ address: String) -> String {
        address.utf8.map { byte in
            let isPlain = byte.isASCIIAlphanumeric || "-._~/:?=%#+,@".utf8.contains(byte)
            return isPlain ? String(Unicode.Scalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    /// The variable with the address.
    private static let variable = "BLOG_ADDRESS"
    /// Those in whose code it can be used.
    private static let shells: Set = ["sh", "ash", "bash", "dash", "ksh", "mksh", "zsh"]
    /// Programs that give their arguments to a shell, or to programs elsewhere, without their environment.
    private static let passing: Set = [
        "ssh", "autossh", "slogin", "rsh", "mosh", "dbclient", "plink", "adb", "tmux", "screen", "swaymsg", "i3-msg",
        "hyprctl", "watch", "parallel", "su", "runuser", "sudo", "doas", "docker", "podman", "eval", "cmd.exe",
        "powershell.exe", "pwsh.exe", "wsl.exe",
    ]
    /// What reads code besides ``shells``, in the code of one: programs, commands and variables.
    private static let interpreters: Set = [
        "fish", "csh", "tcsh", "python", "python3", "perl", "ruby", "node", "awk", "sed", "script", "xterm", "xargs",
        "trap", "alias", "source", "SHELL", "BASH", "TERMINAL", "PS4", "print",
    ]
    /// What only code has, and no option or name of a profile.
    private static let codeSigns = Set("\"`$;|&<>".unicodeScalars)

    private static func readsCode(_ program: String) -> Bool {
        passing.contains(program) || shells.contains(program) || interpreters.contains(program)
    }
}

import BlogEssentials
import Dispatch
import Synchronization

struct ChildProcess {
    let id: pid_t

    /// Starts a program that is looked up in `PATH`; nil if that fails.
    ///
    /// - Parameters:
    ///   - variables: what its environment has besides ours.
    ///   - streams: its stdin, stdout and stderr; nil to inherit ours.
    ///   - usesTerminal: whether it may read from the terminal, which requires that it is in our process group; otherwise
    ///     it leads a group of its own.
    static func start(
        _ arguments: [String], variables: [(name: String, value: String)] = [], streams: [FileStream?],
        usesTerminal: Bool = false
    ) -> ChildProcess? {
        guard let program = arguments.first else { return nil }
        var (actions, attributes) = (SpawnActions(), SpawnAttributes())
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (number, stream) in streams.enumerated() {
            guard let stream else { continue }
            posix_spawn_file_actions_adddup2(&actions, stream.descriptor, Int32(number))
        }
        // It would inherit the signal mask of a thread pool, and ignore Ctrl-C.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setpgroup(&attributes, 0)
        let group = usesTerminal ? 0 : POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(group))
        var texts = arguments.map { strdup($0) } + [nil]
        defer { texts.forEach { free($0) } }
        var id: pid_t = 0
        let added = variables.map { strdup("\($0.name)=\($0.value)") }
        defer { added.forEach { free($0) } }
        let result = starting.withLock { _ in
            var environment = inherited(without: variables.map(\.name)) + added + [nil]
            return posix_spawnp(&id, program, &actions, &attributes, &texts, &environment)
        }
        return result == 0 ? ChildProcess(id: id) : nil
    }

    /// The entries of our environment, but for some variables.
    private static func inherited(without names: [String]) -> [UnsafeMutablePointer<CChar>?] {
        var (entries, next): ([UnsafeMutablePointer<CChar>?], _) = ([], environ)
        while let entry = next.pointee {
            if !names.contains(where: { strncmp(entry, "\($0)=", $0.utf8.count + 1) == 0 }) { entries.append(entry) }
            next += 1
        }
        return entries
    }

    /// Held while a program is started, which would inherit a pipe that isn't marked as close-on-exec yet.
    fileprivate static let starting = Mutex(())

    /// Runs a program to its end, and returns the beginning of its output; nil if it can't be started.
    ///
    /// - Parameters:
    ///   - errors: its stderr; nil to include it in the output.
    ///   - maxSeconds: the time after which it is killed; nil for never.
    ///   - maxBytes: how much of the output is read, usually 4 MB.
    ///   - started: called when it has been started.
    static func run(
        _ arguments: [String], variables: [(name: String, value: String)] = [], input: FileStream,
        errors: FileStream?, maxSeconds: TimeInterval?, maxBytes: Int = 4 << 20,
        started: (ChildProcess) -> Void = { _ in }
    ) -> (output: [UInt8], end: End)? {
        guard let pipe = FileStream.pipe() else { return nil }
        let process = start(arguments, variables: variables, streams: [input, pipe.writing, errors ?? pipe.writing])
        pipe.writing.close()
        guard let process else {
            pipe.reading.close()
            return nil
        }
        started(process)
        let timer = DispatchWorkItem { process.kill() }
        if let maxSeconds { DispatchQueue.global().asyncAfter(deadline: .now() + maxSeconds, execute: timer) }
        let output = pipe.reading.read(upTo: maxBytes)
        // A program that prints more would wait forever.
        pipe.reading.close()
        let end = process.wait()
        timer.cancel()
        return (output, end)
    }

    /// Kills it and the programs that it has started.
    func kill() {
        if BlogEssentials.kill(-id, SIGKILL) != 0 { _ = BlogEssentials.kill(id, SIGKILL) }
    }

    func wait() -> End {
        var status: Int32 = 0
        while waitpid(id, &status, 0) == -1 {
            guard errno == EINTR else { return End(code: -1, isExit: false) }
        }
        let signal = status & 0x7F
        return signal == 0 ? End(code: status >> 8 & 0xFF, isExit: true) : End(code: signal, isExit: false)
    }

    struct End {
        /// The exit status, or the number of the signal.
        let code: Int32
        let isExit: Bool

        var isSuccess: Bool { isExit && code == 0 }
    }

    #if os(Linux)
        private typealias SpawnActions = posix_spawn_file_actions_t
        private typealias SpawnAttributes = posix_spawnattr_t
    #else
        private typealias SpawnActions = posix_spawn_file_actions_t?
        private typealias SpawnAttributes = posix_spawnattr_t?
    #endif
}

extension ChildProcess {
    /// The output of a program, whose stdin is empty and whose stderr is discarded; nil if it fails or takes too long.
    static func output(of name: String, _ arguments: [String], _ environment: Environment) -> [UInt8]? {
        guard environment.hasProgram(name), let null = FileStream.null() else { return nil }
        defer { null.close() }
        let result = run([name] + arguments, input: null, errors: null, maxSeconds: 3)
        return result.flatMap { $0.end.isSuccess ? $0.output : nil }
    }
}

extension FileStream {
    /// The ends of a new pipe, which other programs don't inherit; nil if there are too many open files.
    static func pipe() -> (reading: FileStream, writing: FileStream)? {
        var ends: [Int32] = [-1, -1]
        let isOpen = ChildProcess.starting.withLock { _ in
            guard BlogEssentials.pipe(&ends) == 0 else { return false }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return true
        }
        return isOpen ? (FileStream(descriptor: ends[0]), FileStream(descriptor: ends[1])) : nil
    }

    /// `/dev/null`; nil if it can't be opened.
    static func null() -> FileStream? {
        let descriptor = open("/dev/null", O_RDWR | O_CLOEXEC)
        return descriptor < 0 ? nil : FileStream(descriptor: descriptor)
    }
}

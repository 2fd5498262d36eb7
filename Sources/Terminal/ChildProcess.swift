import BlogLibrary
import Essentials
import Synchronization

/// A running program that this one has started.
struct ChildProcess {
    let id: pid_t

    /// Starts a program that is looked up in `PATH`; nil if that is impossible.
    ///
    /// - Parameters:
    ///   - streams: what it gets as stdin, stdout and stderr, in this order; nil leaves ours.
    ///   - usesTerminal: whether it may read from the terminal, which is for programs of our process group; otherwise
    ///     it is the first of a group of its own.
    static func start(
        _ arguments: [String], streams: [FileStream?], usesTerminal: Bool = false
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
        // It would inherit the signals that threads of a pool have blocked, and not hear Ctrl-C.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setpgroup(&attributes, 0)
        let group = usesTerminal ? 0 : POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(group))
        var texts = arguments.map { strdup($0) } + [nil]
        defer { texts.forEach { free($0) } }
        var id: pid_t = 0
        let result = starting.withLock { _ in posix_spawnp(&id, program, &actions, &attributes, &texts, environ) }
        return result == 0 ? ChildProcess(id: id) : nil
    }

    /// Held while a program is started, which would inherit a pipe that isn't marked as ours yet.
    fileprivate static let starting = Mutex(())

    /// Waits for its end; returns its exit status, or the signal that ended it.
    func wait() -> End {
        var status: Int32 = 0
        while waitpid(id, &status, 0) == -1 {
            guard errno == EINTR else { return End(code: -1, isExit: false) }
        }
        let signal = status & 0x7F
        return signal == 0 ? End(code: status >> 8 & 0xFF, isExit: true) : End(code: signal, isExit: false)
    }

    /// How a program has ended.
    struct End {
        /// Its exit status, or the number of the signal.
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

extension FileStream {
    /// The two ends of a new pipe, which other programs don't inherit; nil if there are too many open files.
    static func pipe() -> (reading: FileStream, writing: FileStream)? {
        var ends: [Int32] = [-1, -1]
        let isOpen = ChildProcess.starting.withLock { _ in
            guard Essentials.pipe(&ends) == 0 else { return false }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return true
        }
        return isOpen ? (FileStream(descriptor: ends[0]), FileStream(descriptor: ends[1])) : nil
    }

    /// An empty stream to read from and write to; nil if it can't be opened.
    static func null() -> FileStream? {
        let descriptor = open("/dev/null", O_RDWR | O_CLOEXEC)
        return descriptor < 0 ? nil : FileStream(descriptor: descriptor)
    }
}

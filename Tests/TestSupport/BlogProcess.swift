import BlogCSpawn
import Foundation
import Synchronization

/// A run of the real binary, which was built with the tests, or of another program.
///
/// Not a `Process` of Foundation: on Linux, that reads past the end of a buffer when 1,365 or more files are open, as they
/// are while all tests run at once, and it takes a process for running as long as its children have its descriptors.
package final class BlogProcess: Sendable {
    private let command: [String]
    private let variables: [String]
    private let folder: URL
    /// 0 until it has been started.
    private let id = Mutex<pid_t>(0)

    package init(
        _ arguments: [String], of program: URL = BlogProcess.binary, environment: [String: String], folder: URL
    ) {
        command = [program.path] + arguments
        variables = environment.map { "\($0)=\($1)" }
        self.folder = folder
    }

    /// The binary, which is next to the bundle of the tests.
    package static let binary =
        Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
        .map { $0.deletingLastPathComponent().appending(path: "blog") }
        ?? Bundle.main.bundleURL.appending(path: "blog")

    /// Runs the process to its end.
    ///
    /// Its output goes to files, which don't fill up as pipes do. They aren't in its folder, which may be the project's,
    /// where they would stay if the tests are killed.
    package func run(input: String) async throws -> Outcome {
        let files = try ["in", "out", "err"].map { name in
            let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).\(name)")
            try Data(name == "in" ? input.utf8 : "".utf8).write(to: url)
            return url
        }
        defer { for file in files { try? FileManager.default.removeItem(at: file) } }
        let code = try await run(
            input: FileHandle(forReadingFrom: files[0]), output: FileHandle(forWritingTo: files[1]),
            errors: FileHandle(forWritingTo: files[2]))
        return Outcome(
            output: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self), code: code)
    }

    /// Starts the process with the given handles, and waits for its end.
    package func run(input: FileHandle, output: FileHandle, errors: FileHandle) async throws -> Int32 {
        try start(input: input, output: output, errors: errors)
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: self.wait()) }
        }
    }

    /// Starts the process with the given handles, and no other open file; it leads a group of its own.
    package func start(
        input: FileHandle = .nullDevice, output: FileHandle = .nullDevice, errors: FileHandle = .nullDevice
    ) throws {
        #if os(Linux)
            var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
        #else
            var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?) = (nil, nil)
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (number, handle) in [input, output, errors].enumerated() {
            posix_spawn_file_actions_adddup2(&actions, handle.fileDescriptor, Int32(number))
        }
        posix_spawn_file_actions_addchdir_np(&actions, folder.path)
        var flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK
        #if os(Linux)
            posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        #else
            flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
        #endif
        // It would inherit the signal mask of a thread pool, and ignore Ctrl-C.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        let (words, entries) = (command.map { strdup($0) } + [nil], variables.map { strdup($0) } + [nil])
        defer { for text in words + entries { free(text) } }
        let failure = id.withLock { posix_spawn(&$0, command[0], &actions, &attributes, words, entries) }
        guard failure == 0 else { throw NotStarted(program: command[0], reason: String(cString: strerror(failure))) }
    }

    private struct NotStarted: Error {
        let program: String
        let reason: String
    }

    /// Waits for the end of the process, which has been started, and returns its exit code.
    package func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(id.withLock { $0 }, &status, 0) == -1, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }

    /// Whether the process, which has been started and isn't waited for, runs.
    package var isRunning: Bool { waitpid(id.withLock { $0 }, nil, WNOHANG) == 0 }

    /// The number of the process, which has been started.
    package var processIdentifier: pid_t { id.withLock { $0 } }

    /// Sends the signal of Ctrl-C.
    package func interrupt() { send(SIGINT) }

    /// Sends a signal to the process, which has been started.
    package func send(_ signal: Int32) {
        let id = processIdentifier
        // 0 would be the whole group: the tests, and all that they have started.
        if id > 0 { kill(id, signal) }
    }
}

/// The result of a run.
package struct Outcome {
    package let output: String
    package let errors: String
    /// The exit code; for a run that a signal ended, 128 plus the signal, as in shells.
    package let code: Int32

    package init(output: String, errors: String, code: Int32) {
        self.output = output
        self.errors = errors
        self.code = code
    }

    /// The lines of the output.
    package var lines: [String] { output.split(separator: "\n").map(String.init) }

    /// The output as JSON: objects, arrays, strings and numbers.
    package func json() throws -> Any {
        try JSONSerialization.jsonObject(with: Data(output.utf8), options: .fragmentsAllowed)
    }
}

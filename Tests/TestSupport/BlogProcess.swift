import Foundation

/// A run of the real binary, which was built with the tests, or of another program.
package struct BlogProcess {
    private let process = Process()

    package init(
        _ arguments: [String], of program: URL = Self.binary, environment: [String: String], folder: URL
    ) throws {
        process.executableURL = program
        process.arguments = arguments
        process.environment = environment
        process.currentDirectoryURL = folder
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
        let handles = try [
            FileHandle(forReadingFrom: files[0]), FileHandle(forWritingTo: files[1]),
            FileHandle(forWritingTo: files[2]),
        ]
        // Foundation keeps them open as long as the process is known, and may crash if there are very many.
        defer { for handle in handles { try? handle.close() } }
        let code = try await run(input: handles[0], output: handles[1], errors: handles[2])
        return Outcome(
            output: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self), code: code)
    }

    /// Starts the process with the given handles, and waits for its end.
    package func run(input: FileHandle, output: FileHandle, errors: FileHandle) async throws -> Int32 {
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try await end()
        return code
    }

    /// Sends the signal of Ctrl-C.
    package func interrupt() { send(SIGINT) }

    /// Sends a signal to the process, which has been started.
    package func send(_ signal: Int32) {
        // On a busy machine, it can print before its number is known here. 0 would be the whole group: the tests, and all
        // that they have started.
        while process.processIdentifier <= 0 { Thread.sleep(forTimeInterval: 0.001) }
        kill(process.processIdentifier, signal)
    }

    private func end() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in continuation.resume() }
            do {
                try process.run()
            } catch {
                process.terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
    }

    private var code: Int32 {
        process.terminationReason == .uncaughtSignal ? 128 + process.terminationStatus : process.terminationStatus
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

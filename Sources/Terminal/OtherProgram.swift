import Foundation

/// A program that does a small piece of work for us.
enum OtherProgram {
    /// What a program prints; nil if it can't be started, fails, or takes too long.
    ///
    /// It gets nothing on stdin, and what it says on stderr is not shown.
    static func output(of name: String, _ arguments: [String], _ environment: Environment) -> Data? {
        guard environment.hasProgram(name) else { return nil }
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [name] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
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

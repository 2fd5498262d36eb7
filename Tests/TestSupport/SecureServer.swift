import Foundation

/// A server with TLS, run by OpenSSL, with one of the certificates next to the tests.
///
/// They are valid from 2020 to 2120, unless their names say otherwise.
package final class SecureServer {
    private let process = Process()
    package let port: Int

    /// Starts a server whose list is empty.
    package init(certificate: String, in folder: URL) throws {
        let list = "HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n[]"
        try Data(list.utf8).write(to: folder.appending(path: "post-metadata"))
        process.executableURL = Self.program
        process.arguments = ["s_server", "-accept", "0", "-cert", Self.path(certificate), "-HTTP"]
        process.currentDirectoryURL = folder
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var text = ""
        while let piece = try output.fileHandleForReading.read(upToCount: 1), !piece.isEmpty {
            text += String(decoding: piece, as: UTF8.self)
            guard !text.contains(#/ACCEPT .*\n/#) else { break }
        }
        port = text.firstMatch(of: #/ACCEPT .*:(\d+)/#).flatMap { Int($0.1) } ?? 0
    }

    deinit {
        // Not waited for: on Linux, Foundation may spin endlessly there. Not terminated either: a child of a Dispatch
        // thread inherits its mask, in which that signal is blocked.
        kill(process.processIdentifier, SIGKILL)
    }

    /// The path of a certificate.
    package static func path(_ name: String) -> String {
        Repository.root.appending(path: "Tests/Fixtures/Certificates/\(name).pem").path
    }

    /// Whether OpenSSL is installed, as it is in CI.
    package static var canRun: Bool { FileManager.default.isExecutableFile(atPath: program.path) }

    private static let program = URL(filePath: "/usr/bin/openssl")
}

import Foundation

/// A server with TLS, run by OpenSSL, with one of the certificates next to the tests.
///
/// They are valid from 2020 to 2120, unless their names say otherwise.
package final class SecureServer {
    private let process: BlogProcess
    package let port: Int

    /// Starts a server whose list is empty.
    package init(certificate: String, in folder: URL) throws {
        let list = "HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n[]"
        try Data(list.utf8).write(to: folder.appending(path: "post-metadata"))
        process = BlogProcess(
            ["s_server", "-accept", "0", "-cert", Self.path(certificate), "-HTTP"], of: Self.program, environment: [:],
            folder: folder)
        let output = Pipe()
        try process.start(output: output.fileHandleForWriting)
        try output.fileHandleForWriting.close()
        var text = ""
        while let piece = try output.fileHandleForReading.read(upToCount: 1), !piece.isEmpty {
            text += String(decoding: piece, as: UTF8.self)
            guard !text.contains(#/ACCEPT .*\n/#) else { break }
        }
        port = text.firstMatch(of: #/ACCEPT .*:(\d+)/#).flatMap { Int($0.1) } ?? 0
    }

    deinit {
        process.send(SIGKILL)
        _ = process.wait()
    }

    /// The path of a certificate.
    package static func path(_ name: String) -> String {
        Repository.root.appending(path: "Tests/Fixtures/Certificates/\(name).pem").path
    }

    /// Whether OpenSSL is installed, as it is in CI.
    package static var canRun: Bool { FileManager.default.isExecutableFile(atPath: program.path) }

    private static let program = URL(filePath: "/usr/bin/openssl")
}

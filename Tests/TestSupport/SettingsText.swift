import Foundation
@testable import BlogCommandLine
@testable import BlogTerminal

extension Settings {
    /// The settings of a file with a text, and of an environment.
    package init(_ text: String, environment variables: [String: String] = [:]) throws {
        let home = FileManager.default.temporaryDirectory.appending(path: "settings-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: home) }
        let folder = home.appending(path: ".config/blog")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: folder.appending(path: "settings"))
        try self.init(Environment(["HOME": home.path].merging(variables) { $1 }))
    }
}

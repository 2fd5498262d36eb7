import Foundation

/// The user's browser.
package enum Browser {
    /// Opens an address, which no shell ever sees; false if no browser can be started.
    package static func open(_ address: String, _ environment: Environment) -> Bool {
        #if os(macOS)
            let usual = "open"
        #else
            let usual = "xdg-open"
        #endif
        // As others do, BROWSER is a list, and %s in an entry is the address.
        let commands = environment["BROWSER"].map { $0.split(separator: ":").map(String.init) } ?? [usual]
        return commands.contains { start($0, address, environment) }
    }

    private static func start(_ command: String, _ address: String, _ environment: Environment) -> Bool {
        var words = command.split(separator: " ").map(String.init)
        if !words.contains(where: { $0.contains("%s") }) { words.append("%s") }
        guard let program = words.first, environment.hasProgram(program) else { return false }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words.map { $0.replacing("%s", with: address) }
        if environment["BROWSER"] == nil {
            // What a desktop's opener has to say is no news; a browser of the user's choice may need the terminal.
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
        }
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}

import Foundation

/// What a run of the program gave.
struct Outcome {
    let output: String
    let errors: String
    /// The exit code; for a run that a signal ended, 128 and the signal, as shells have it.
    let code: Int32

    /// The lines of the output.
    var lines: [String] { output.split(separator: "\n").map(String.init) }

    /// The output as JSON: objects, arrays, strings and numbers.
    func json() throws -> Any {
        try JSONSerialization.jsonObject(with: Data(output.utf8), options: .fragmentsAllowed)
    }
}

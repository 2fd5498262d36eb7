import BlogTestSupport
import Foundation

/// A line for the shell in a code block of README.md or of a file in docs.
///
/// Such lines are indented, in a fenced block for `sh`, or after the `$ ` in one for `console`, where the output follows.
struct DocumentedLine: Sendable {
    let file: String
    let number: Int
    let text: String
    /// The lines of output that are shown below it.
    var output: [String] = []

    /// Its place, as in `docs/cookbook.md:12`.
    var place: String { "\(file):\(number)" }

    /// The lines of a Markdown text.
    static func lines(in text: String, of file: String) -> [DocumentedLine] {
        var lines: [DocumentedLine] = []
        var fence: String?
        var isParagraph = false
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            func add(_ text: some StringProtocol) {
                lines.append(DocumentedLine(file: file, number: index + 1, text: String(text)))
            }
            if line.hasPrefix("```") {
                fence = fence == nil ? line : nil
            } else if let fence {
                switch fence {
                case "```console" where line.hasPrefix("$ "): add(line.dropFirst(2))
                case "```console": lines[lines.count - 1].output.append(line)
                case "```sh": add(line)
                default: break
                }
            } else if line.hasPrefix("    "), !isParagraph {
                add(line.trimmingCharacters(in: .whitespaces))
            } else {
                isParagraph = !line.allSatisfy(\.isWhitespace)
            }
        }
        return lines.filter { !ShellLine($0.text).commands.isEmpty }
    }

    /// The lines of each file that has any.
    static let all: [(file: String, lines: [DocumentedLine])] = DocumentedCommand.files.compactMap { file in
        let lines = (try? DocumentedCommand.text(of: file)).map { DocumentedLine.lines(in: $0, of: file) } ?? []
        return lines.isEmpty ? nil : (file, lines)
    }
}

import BlogKit
import Foundation
import Testing

@Suite("spec probe") struct SpecProbe {
    @Test func run() throws {
        guard let path = ProcessInfo.processInfo.environment["SPEC"] else { return }
        struct Example: Decodable { let markdown: String; let html: String; let example: Int; let section: String }
        let examples = try JSONDecoder().decode([Example].self, from: Data(contentsOf: URL(filePath: path)))
        var right = 0
        var failed: [String: [Int]] = [:]
        for example in examples {
            let got = HTMLPrinter().html(Markdown.document(example.markdown))
            if got == example.html { right += 1 } else {
                failed[example.section, default: []].append(example.example)
                if ProcessInfo.processInfo.environment["SHOW"] == example.section {
                    print("#### \(example.example)\n\(example.markdown.debugDescription)\nWANT \(example.html.debugDescription)\nGOT  \(got.debugDescription)")
                }
            }
        }
        print("SPEC \(right)/\(examples.count)")
        for (section, numbers) in failed.sorted(by: { $0.key < $1.key }) { print("FAIL \(section): \(numbers)") }
    }
}

import BlogTestSupport
import Testing
@testable import BlogFeeds
@testable import BlogMarkup

@Suite("kramdown's attributes") struct KramdownAttributesTests {
    @Test(
        "are removed from a line, but not from code",
        arguments: [
            ("A note{: .note}", "A note"), ("A note{:.note #here}", "A note"), ("{:toc}", ""),
            (#"[A](b){: target="_blank" rel='x y' } and more"#, "[A](b) and more"),
            (#"{: .a-b c-d="e}f" word}!"#, "!"), ("# Heading {#some-id}", "# Heading"),
            ("# Heading{#id}  ", "# Heading"),
            ("`{: .note}`", "`{: .note}`"), ("`a` {: .note}", "`a` "), ("`{:` and {: .note}", "`{:` and "),
        ])
    func removed(line: String, expected: String) {
        #expect(KramdownAttributes.removed(from: Array(line.utf8)[...]).text == expected)
    }

    @Test(
        "are kept as text if they are invalid",
        arguments: [
            "{: nearly everyone.}", "{:}", "{: }", "{: a-b}", "{: .note", #"{: a="b}"#, "{: a=b}", "{: .}", "{: ..a}",
            "A heading {#id}", "# Heading {#id} more", "# Heading {#}", "# Heading {#a b}",
        ])
    func text(line: String) {
        #expect(KramdownAttributes.removed(from: Array(line.utf8)[...]).text == line)
    }

    /// Input that was very slow with a regular expression.
    @Test("are removed in linear time")
    func time() {
        let lines: [(Int) -> String] = [
            { "{: " + String(repeating: "a", count: $0) + "." },
            { String(repeating: "{: nearly everyone a", count: $0 / 20) },
            { "# " + String(repeating: "a", count: $0) + "{#" },
            { length in
                let spaces = String(repeating: " ", count: length)
                return "#\(spaces){#id}\(spaces)x"
            },
            { "{: " + String(repeating: #"a="{:" b='"' "#, count: $0 / 13) },
        ]
        for (number, line) in lines.enumerated() {
            let growth = Growth.ofEightfoldInput(enough: 20, from: 4096) { length in
                let line = line(length)
                #expect(KramdownAttributes.removed(from: Array(line.utf8)[...]).text == line)
            }
            #expect(growth < 20, "\(number)")
        }
    }
}

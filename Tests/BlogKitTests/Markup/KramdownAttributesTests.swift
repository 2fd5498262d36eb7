import Testing
@testable import Feeds
@testable import Markup

@Suite("kramdown's attributes") struct KramdownAttributesTests {
    @Test(
        "are left out of a line, but not out of code",
        arguments: [
            ("A note{: .note}", "A note"), ("A note{:.note #here}", "A note"), ("{:toc}", ""),
            (#"[A](b){: target="_blank" rel='x y' } and more"#, "[A](b) and more"),
            (#"{: .a-b c-d="e}f" word}!"#, "!"), ("# Heading {#some-id}", "# Heading"),
            ("# Heading{#id}  ", "# Heading"),
            ("`{: .note}`", "`{: .note}`"), ("`a` {: .note}", "`a` "), ("`{:` and {: .note}", "`{:` and "),
        ])
    func removed(line: String, expected: String) {
        #expect(KramdownAttributes.removed(from: line[...]) == expected)
    }

    @Test(
        "are text where they are none",
        arguments: [
            "{: nearly everyone.}", "{:}", "{: }", "{: a-b}", "{: .note", #"{: a="b}"#, "{: a=b}", "{: .}", "{: ..a}",
            "A heading {#id}", "# Heading {#id} more", "# Heading {#}", "# Heading {#a b}",
        ])
    func text(line: String) {
        #expect(KramdownAttributes.removed(from: line[...]) == line)
    }

    /// What a regular expression took ages for.
    @Test("take no time that grows faster than the line", .timeLimit(.minutes(5)))
    func time() {
        let word = String(repeating: "a", count: 100_000)
        for line in ["{: \(word).", String(repeating: "{: nearly everyone a", count: 20_000), "# " + word + "{#"] {
            #expect(KramdownAttributes.removed(from: line[...]) == line)
        }
        let spaces = String(repeating: " ", count: 100_000)
        #expect(KramdownAttributes.removed(from: "#\(spaces){#id}\(spaces)x") == "#\(spaces){#id}\(spaces)x")
        let quotes = "{: " + String(repeating: #"a="{:" b='"' "#, count: 10_000)
        #expect(KramdownAttributes.removed(from: quotes[...]) == quotes)
    }
}

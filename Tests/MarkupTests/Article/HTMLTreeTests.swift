import Testing
@testable import BlogMarkup

@Suite("An HTML tree") struct HTMLTreeTests {
    @Test(
        "inserts the tags that a page omits",
        arguments: [
            ("<p>a<p>b", "<p>a</p><p>b</p>"), ("<p>a<div>b</div>c", "<p>a</p><div>b</div>c"),
            ("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>", "<ul><li>a</li><li>b<ul><li>c</li></ul></li><li>d</li></ul>"),
            ("<dl><dt>a<dd>b<dt>c</dl>", "<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>"),
            (
                "<table><tr><td>a<td>b<tr><th>c</table>d",
                "<table><tr><td>a</td><td>b</td></tr><tr><th>c</th></tr></table>d"
            ),
            (
                "<table><tr><td><table><tr><td>a</table>b<td>c</table>",
                "<table><tr><td><table><tr><td>a</td></tr></table>b</td><td>c</td></tr></table>"
            ),
            ("<p>a<b>b</p><p>c</b>", "<p>a<b>b</b></p><p>c</p>"), ("<b>a<p>b</b>c</p>d", "<b>a<p>bc</p></b>d"),
            ("<i>a<b>b</i>c</b>", "<i>a<b>b</b></i>c"), ("a</div></p></b>b", "ab"), ("a<br>b</br>c", "a<br>b<br>c"),
            ("<h2>a<h3>b</h2>c", "<h2>a</h2><h3>b</h3>c"),
            ("<ruby>a<rt>b<rt>c</ruby>", "<ruby>a<rt>b</rt><rt>c</rt></ruby>"),
            ("<td>a<p>b</td>", "<td>a<p>b</p></td>"), ("<div><td></div>a</td>", "<div><td>a</td></div>"),
            ("<html><body><p>a<body><html><p>b</body>c</html>d", "<p>a</p><p>bcd</p>"),
            ("<head><title>x</title><p>a<head>b</head>", "<p>ab</p>"),
            ("a&amp;<b>&lt;b&eacute;</b>", "a&amp;<b>&lt;bé</b>"),
            ("<a href=x>a<a href=y>b", "<a href=\"x\">a</a><a href=\"y\">b</a>"), ("<p title=a title=b>x", "<p>x</p>"),
            ("<textarea><p>a</textarea>b", "b"), ("<math><mi/>a</math>b", "<math><mi></mi>a</math>b"),
            ("<x-y>a</x-y><p>b", "a<p>b</p>"), ("<span>a</span>b", "ab"), ("<script>a<p>b</script>c", "c"),
            ("a < b", "a &lt; b"),
        ])
    func omitted(page: String, html: String) {
        #expect(Self.html(page) == html)
    }

    @Test("limits its depth and size, and keeps the text below the depth limit")
    func bounds() {
        let deep = HTMLTreeBuilder.tree(of: String(repeating: "<div>", count: 1000) + "a")
        let depth = deep.all(in: HTMLTree.body).map { deep.ancestors(of: $0).count }.max()
        #expect(depth == HTMLTreeBuilder.maxDepth)
        #expect(deep.text(of: HTMLTree.body) == "a")
        let long = HTMLTreeBuilder.tree(of: String(repeating: "<br>", count: HTMLTreeBuilder.maxNodes + 10))
        #expect(long.nodes.count <= HTMLTreeBuilder.maxNodes + 2)
        #expect(long.isCutOff && !deep.isCutOff)
        let full = HTMLTreeBuilder.tree(of: String(repeating: "<br>", count: HTMLTreeBuilder.maxNodes - 3))
        #expect(full.nodes.count == HTMLTreeBuilder.maxNodes && !full.isCutOff)
    }

    @Test("closes elements beyond the depth limit at their end tags")
    func tooDeep() {
        let (start, end) = (String(repeating: "<div>", count: 300), String(repeating: "</div>", count: 300))
        let tree = HTMLTreeBuilder.tree(of: start + end + "<p>a</p>")
        let paragraph = tree.all(in: HTMLTree.body).first { tree.tag($0) == .p }
        #expect(paragraph.flatMap(tree.parent) == HTMLTree.body)
    }

    @Test("can be edited")
    func changes() throws {
        var tree = HTMLTreeBuilder.tree(of: "<p>a<p>b<p>c")
        let paragraphs = tree.children(of: HTMLTree.body)
        try #require(paragraphs.count == 3)
        tree.insert(paragraphs[2], before: paragraphs[0])
        #expect(Self.html(tree) == "<p>c</p><p>a</p><p>b</p>")
        let quote = tree.makeElement(.blockquote)
        tree.replace(paragraphs[0], with: quote)
        tree.append(paragraphs[1], to: quote)
        #expect(Self.html(tree) == "<p>c</p><blockquote><p>b</p></blockquote>")
        tree.remove(paragraphs[2])
        tree.setTag(.div, of: paragraphs[1])
        #expect(Self.html(tree) == "<blockquote><div>b</div></blockquote>")
        #expect(tree.firstChild(HTMLTree.body) == quote && tree.lastChild(HTMLTree.body) == quote)
    }

    private static func html(_ page: String) -> String { html(HTMLTreeBuilder.tree(of: page)) }

    private static func html(_ tree: HTMLTree) -> String {
        let base = LinkBase("http://x.example/", allowance: LinkAllowance(bytes: 1000))
        let html = HTMLWriter.html(of: HTMLTree.body, in: tree, base: base, keepsLocalLinks: true, limit: .max)
        return (html ?? "")
            .replacing("http://x.example/", with: "")
    }
}

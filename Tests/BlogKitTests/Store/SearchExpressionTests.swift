import Testing
@testable import Store

@Suite("What is typed to search for") struct SearchExpressionTests {
    static let expressions: [(String, String?)] = [
        ("swift", #""swift""#), ("a b", #""a" AND "b""#), ("a OR b", #""a" OR "b""#),
        ("a b OR c", #"("a" AND "b") OR "c""#), ("(a OR b) c", #"("a" OR "b") AND "c""#),
        ("a AND b", #""a" AND "b""#), ("a -b", #"("a") NOT ("b")"#), ("a NOT b -c", #"("a") NOT ("b" OR "c")"#),
        ("a -(b OR c)", #"("a") NOT (("b" OR "c"))"#), ("-a", nil), ("", nil), ("OR", #""OR""#),
        ("a OR", #""a" AND "OR""#),
        ("(a", #""a""#), ("a)", #""a)""#), ("()", nil), ("((a) b", #""a" AND "b""#), ("a a a b", #""a" AND "b""#),
        ("a or b", #""a" AND "or" AND "b""#), ("a OR (b", #""a" OR "b""#),
        ("a b OR a c", #"("a" AND "b") OR ("a" AND "c")"#),
        ("ANDROID", #""ANDROID""#), ("a ORACLE", #""a" AND "ORACLE""#), ("a NOTES", #""a" AND "NOTES""#),
        ("NOT_x", #""NOT_x""#), ("a OR(b)", #""a" OR "b""#), ("a NOT(b)", #"("a") NOT ("b")"#),
        ("a (a OR b)", #""a" AND ("a" OR "b")"#), ("(a b) OR a", #"("a" AND "b") OR "a""#),
        ("a -(a b)", #"("a") NOT (("a" AND "b"))"#),
        ("title:a OR body:\"b c\"*", #"title : "a" OR body : "b c" *"#), ("-a OR b", #""b""#), (") a", #""a""#),
    ]

    @Test("is put into SQLite's words", arguments: expressions)
    func expression(typed: String, expected: String?) {
        #expect(SearchExpression(typed)?.text == expected)
    }
}

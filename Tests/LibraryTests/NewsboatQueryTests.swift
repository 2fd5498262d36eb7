import BlogLibrary
import Testing

@Suite("A query feed of newsboat") struct NewsboatQueryTests {
    @Test(
        "is a search, if its words allow that",
        arguments: [
            (#"unread = "yes""#, "is:unread"), (#"unread == "no""#, "-is:unread"), (#"unread != "yes""#, "-is:unread"),
            (#"tags # "news""#, #"folder:"news""#), (#"tags !# "news""#, #"-folder:"news""#),
            (#"title =~ "Swift 6""#, #"title:"Swift 6""#), (#"unread="yes" and title!~"x""#, #"is:unread -title:"x""#),
            (#"author =~ "Ann" and unread = "yes""#, #"author:"Ann" is:unread"#),
            (#"title =~ "a" or title =~ "b" and content =~ "c""#, #"title:"a" OR title:"b" "c""#),
            (#"(title =~ "a" or title =~ "b") and ( content =~ "c" )"#, #"(title:"a" OR title:"b") ("c")"#),
        ])
    func words(expression: String, words: String) {
        #expect(NewsboatQuery("query:My posts:\(expression)")?.words == words)
        #expect(NewsboatQuery("query:My posts:\(expression)")?.title == "My posts")
    }

    @Test(
        "isn't one with conditions that no search has, or if it is malformed",
        arguments: [
            #"title =~ "a.*b""#, #"age > 7"#, #"rssurl = "http://a""#, #"title = "a""#, #"unread = yes"#, "", "and",
            "(",
            #"(unread = "yes""#, #"unread = "yes")"#, #"unread = "yes" unread = "yes""#, #"title =~ """#,
            #"title =~ "a" and"#, #"title !~ "a""#,
            #"title =~ "unclosed"#.replacing("unclosed", with: "a\" OR is:hidden \""),
            String(repeating: "(", count: 100) + #"unread = "yes""# + String(repeating: ")", count: 100),
        ])
    func others(expression: String) { #expect(NewsboatQuery("query:X:\(expression)") == nil) }

    @Test("has a title and an expression", arguments: ["query:", "query:x", "query::unread = \"yes\"", "filter:a:b"])
    func parts(word: String) { #expect(NewsboatQuery(word) == nil) }
}

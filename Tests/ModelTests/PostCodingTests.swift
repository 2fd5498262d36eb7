import BlogModel
import BlogTestSupport
import Foundation
import Testing

@Suite("Posts as JSON") struct PostCodingTests {
    /// A document that distinguishes numbers, strings and absent members, but not the order of members.
    private func value(_ json: Data) throws -> NSDictionary {
        try #require(try JSONSerialization.jsonObject(with: json) as? NSDictionary)
    }

    private func copy<Value: Codable>(_ type: Value.Type, _ json: Data) throws -> Data {
        try JSONEncoder().encode(JSONDecoder().decode(type, from: json))
    }

    static let files = try? FileManager.default.contentsOfDirectory(
        at: Repository.mockBlog.appending(path: "post"), includingPropertiesForKeys: nil)

    @Test("are encoded as the API published them")
    func posts() throws {
        let files = try #require(Self.files)
        #expect(files.count == 15)
        for file in files {
            let json = try Data(contentsOf: file)
            #expect(try value(copy(Post.self, json)) == value(json), "\(file.lastPathComponent)")
        }
    }

    @Test("are encoded as the API listed them")
    func metadata() throws {
        let json = try Data(contentsOf: Repository.mockBlog.appending(path: "all.json"))
        let published = try #require(try JSONSerialization.jsonObject(with: json) as? NSArray)
        let copy = try JSONSerialization.jsonObject(with: copy([PostMetadata].self, json)) as? NSArray
        #expect(published.count == 15)
        #expect(copy == published)
    }

    @Test(
        "keep a date in the format in which it was published",
        arguments: ["2018-07-15T23:03:29-04:00", "2017-06-01T07:05:09.250Z", "2018-07-15 23:03Z"])
    func dates(date: String) throws {
        let json = Data(sampleJSON(["publishDate": "\"\(date)\""]).utf8)
        #expect(try value(copy(PostMetadata.self, json)) == value(json))
    }

    @Test(
        "have no member for an unknown value",
        arguments: [["summary": nil], ["author": #"{"name":"Kim"}"#], ["summary": nil, "author": #"{"name":""}"#]])
    func absent(changes: [String: String?]) throws {
        let json = Data(#"{"id":"1001","metadata":\#(sampleJSON(changes)),"body":""}"#.utf8)
        #expect(try value(copy(Post.self, json)) == value(json))
    }

    @Test("are equal after encoding and decoding", arguments: [nil, BodyFormat.html, .markdown, .plain])
    func roundTrip(format: BodyFormat?) throws {
        let post = Post(id: "1", metadata: try sample(), body: "<p>\u{0} \"é\" 🚀\r\n", bodyFormat: format)
        #expect(try JSONDecoder().decode(Post.self, from: JSONEncoder().encode(post)) == post)
    }

    @Test(
        "has details in JSON with sorted names, also without any of its own",
        arguments: [
            EntryDetails(), EntryDetails(tags: ["a/\"b"]),
            EntryDetails(enclosures: [Enclosure(url: "u", length: 3)], language: "en"),
        ])
    func details(article: EntryDetails) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = try Details.entry(article).json()
        #expect(try json == String(decoding: encoder.encode(Details.entry(article)), as: UTF8.self))
        #expect(try Details(json: json) == .entry(article))
    }

    @Test("of users are of a kind of their own, also when stored")
    func user() throws {
        let user = PostMetadata(
            id: "user:kim", title: "kim", publishDate: Timestamp(secondsSince1970: 0), postId: "user:kim", summary: nil,
            author: Author(name: "kim"), score: 3, details: .user)
        #expect(user.isUser)
        #expect(try JSONDecoder().decode(PostMetadata.self, from: JSONEncoder().encode(user)) == user)
        #expect(try Details.user.json() == #"{"user":true}"#)
        #expect(try JSONDecoder().decode(Details.self, from: Data(Details.user.json().utf8)) == .user)
        #expect(try !sample().isUser)
    }

    @Test("name a missing field in the decoding error", arguments: ["id", "metadata", "body"])
    func missing(field: String) throws {
        let members = ["id": #""1001""#, "metadata": sampleJSON(), "body": #""x""#].filter { $0.key != field }
        let json = "{" + members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Post.self, from: Data(json.utf8))
        }
        guard case .keyNotFound(let key, _)? = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(key.stringValue == field)
    }
}

import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering

@Suite("A record reader") struct RecordReaderTests {
    static let url = URL(filePath: "/post-metadata")

    /// Lists that are read, with the expected number of records and what is wrong with the others.
    static let readable: [(String, Int, [String])] = [
        ("[]", 0, []),
        ("[\(sampleJSON())]", 1, []),
        ("\u{FEFF}[\(sampleJSON())]", 1, []),
        (" \n\t[\(sampleJSON())]\r\n", 1, []),
        ("[\(sampleJSON(["new": "[1,{}]"]))]", 1, []),
        ("[\(sampleJSON(["summary": nil]))]", 1, []),
        ("[\(sampleJSON(["summary": "null"]))]", 1, []),
        ("[\(sampleJSON(["title": #""\u00e9\uD83D\uDE80\u0000\n""#]))]", 1, []),
        ("[\(sampleJSON(["title": #""5\" disks""#, "score": "7"])),\(sampleJSON(["id": #""2""#]))]", 2, []),
        ("[\(sampleJSON(["title": #""5\" disks""#, "id": "[]"])),\(sampleJSON())]", 1, ["0 id isn't a string"]),
        ("[\(sampleJSON(["title": nil])),\(sampleJSON())]", 1, ["0 title is missing"]),
        ("[\(sampleJSON(["title": "null"])),\(sampleJSON())]", 1, ["0 title is null"]),
        ("[\(sampleJSON(["title": "7"])),\(sampleJSON())]", 1, ["0 title isn't a string"]),
        ("[\(sampleJSON(["id": "1", "postId": "7"])),\(sampleJSON(["id": "1.5"]))]", 1, ["1 id isn't a string"]),
        ("[\(sampleJSON(["id": #""""#])),\(sampleJSON())]", 1, ["0 id is empty"]),
        ("[\(sampleJSON(["id": #""a\tb""#])),\(sampleJSON())]", 1, ["0 id isn't printable"]),
        ("[\(sampleJSON(["id": #""a\u001b[2J""#])),\(sampleJSON())]", 1, ["0 id isn't printable"]),
        ("[\(sampleJSON(["id": #""a\u009b""#])),\(sampleJSON())]", 1, ["0 id isn't printable"]),
        ("[\(sampleJSON(["id": #""a\u202e""#])),\(sampleJSON())]", 1, ["0 id isn't printable"]),
        ("[\(sampleJSON(["id": #""a\u2028""#])),\(sampleJSON())]", 1, ["0 id isn't printable"]),
        ("[\(sampleJSON(["id": #""é 木 👩\u200d💻""#]))]", 1, []),
        ("[\(sampleJSON(["author": "{}"])),\(sampleJSON(["author": nil])),\(sampleJSON(["author": "null"]))]", 3, []),
        ("[\(sampleJSON(["author": #"{"name":null}"#, "publishDate": #""2018-07-15 23:03:29.1234""#]))]", 1, []),
        ("[\(sampleJSON(["author": #""Kerri""#])),\(sampleJSON())]", 1, ["0 author isn't an object"]),
        (
            "[\(sampleJSON(["publishDate": #""soon""#])),\(sampleJSON())]", 1,
            ["0 publishDate isn't an ISO 8601 timestamp"]
        ),
        (
            "[\(sampleJSON(["publishDate": #""99999-01-01T00:00:00Z""#])),\(sampleJSON())]", 1,
            ["0 publishDate isn't an ISO 8601 timestamp"]
        ),
        (
            "[\(sampleJSON()),{},\(sampleJSON(["id": #""2""#, "new": "1"])),\(sampleJSON(["id": #""3""#])),{}]", 3,
            ["1 id is missing", "4 id is missing"]
        ),
        (
            "[\(sampleJSON()),null,3,[],\"x\"]", 1,
            [
                "1  is null", "2  isn't an object", "3  isn't an object", "4  isn't an object",
            ]
        ),
    ]

    @Test(
        "replaces unpaired surrogates with U+FFFD",
        arguments: [
            (#"\ud800 x"#, "\u{FFFD} x"), (#"\udc00"#, "\u{FFFD}"), (#"\ud83d\ude80"#, "🚀"),
            (#"\ud83d\ud83d\ude80"#, "\u{FFFD}🚀"),
            (#"\u042f\u20ac\u0041\u00e9\/\u6f22 \n\u042F"#, "Я€Aé/漢 \nЯ"),
            (#"\\ud800\ud800"#, "\\ud800\u{FFFD}"), (#"\ud800\n"#, "\u{FFFD}\n"), (#"\ud800\u0041"#, "\u{FFFD}A"),
        ])
    func surrogates(title: String, expected: String) throws {
        let json = Data("[\(sampleJSON(["title": "\"\(title)\""])),\(sampleJSON(["id": #""2""#]))]".utf8)
        let list = try decodeEach(json)
        #expect(list.records.map(\.title) == [expected, "A Title"])
    }

    /// Reads a list through windows of several sizes, and with every record left to the decoder, which must give the same.
    private func decodeEach(_ json: Data) throws -> EntryBatch {
        let list = outcome(json, window: .max)
        for size in [1, 7, 1000] where json.count < 10_000 || size > 7 {
            #expect(outcome(json, window: size) == list, "through \(size) bytes")
        }
        let text = String(decoding: json, as: UTF8.self)
        // A field that the scanner doesn't know sends a record to the decoder.
        let unknown = Data(text.replacing(#""id":"#, with: #""score":0,"id":"#).utf8)
        if text.utf8.elementsEqual(json), let decoded = try? outcome(unknown, window: .max).get() {
            let list = try list.get()
            #expect(decoded.rejected == list.rejected)
            #expect(decoded.records.map(\.title) == list.records.map(\.title))
        }
        return try list.get()
    }

    private func outcome(_ json: Data, window size: Int) -> Result<EntryBatch, SourceError> {
        var reader = RecordReader(DocumentBody(Array(json)), of: Self.url, windowSize: size)
        var all = EntryBatch()
        do {
            while let batch = try reader.next() {
                all.entries += batch.entries
                all.rejected += batch.rejected
            }
            return .success(all)
        } catch let error as SourceError { return .failure(error) } catch {
            Issue.record(error)
            return .failure(.unreadable(Self.url, problem: ""))
        }
    }

    @Test(
        "scans a record in the usual form without the decoder",
        arguments: [
            sampleJSON(), sampleJSON(["summary": "null"]), sampleJSON(["summary": nil]),
            sampleJSON(["title": #""\u00e9\uD83D\uDE80\"\\\/\n""#]),
            " " + sampleJSON().replacing(",", with: " ,\r\n\t"),
            sampleJSON(["new": #"{"a":[1,-2.5e+7,0,true,false,null,"\u0041",{}],"b":[]}"#]),
            sampleJSON().replacing(#""name""#, with: #""x":1,"name""#),
        ])
    func usual(record: String) {
        #expect(isUsual(record))
    }

    @Test(
        "leaves other records to the decoder",
        arguments: [
            sampleJSON(["title": #""a\x""#]), sampleJSON(["title": #""\u12g4""#]), sampleJSON(["title": #""\u12""#]),
            sampleJSON(["title": #""\u""#]), sampleJSON(["title": #""\u12"#]), sampleJSON(["new": "01"]),
            sampleJSON(["new": "1."]), sampleJSON(["new": "nul"]), sampleJSON(["new": "[1,]"]),
            sampleJSON(["new": "-"]),
            sampleJSON(["new": #""\x""#]), sampleJSON(["new": String(repeating: "[", count: 99)]),
            sampleJSON(["title": "\"a\u{1}\""]), sampleJSON(["link": #""x""#]), sampleJSON(["id": #""""#]),
            sampleJSON(["photo": "{}"]), sampleJSON(["article": "{}"]), sampleJSON(["discussion": "{}"]),
            #"{"id":"1","id":"2"}"#, "{}", "7", sampleJSON().replacing(#""name""#, with: #""name":"x","name""#),
        ])
    func unusual(record: String) {
        #expect(!isUsual(record))
    }

    private func isUsual(_ record: String) -> Bool {
        Array(record.utf8).withUnsafeBufferPointer { bytes in
            var scanner = JSONScanner(bytes)
            return RecordFields.record(&scanner) != nil
        }
    }

    @Test("isn't fooled by a string that looks like the end of an element")
    func boundary() throws {
        let record = sampleJSON(["title": #""},{},{},{}],[\"},{""#])
        let list = try decodeEach(Data("[\(sampleJSON()),\(record),\(sampleJSON())]".utf8))
        #expect(list.records.map(\.title) == ["A Title", "},{},{},{}],[\"},{", "A Title"])
    }

    @Test("reads the same records, however the JSON is formatted")
    func forms() throws {
        let records = (1...50).map { sampleJSON(["id": "\"\($0)\"", "title": #""é\u00e9 \"{[,]}\" 中""#]) }
        let compact = try JSONSerialization.jsonObject(with: Data("[\(records.joined(separator: ","))]".utf8))
        let pretty = try JSONSerialization.data(withJSONObject: compact, options: [.prettyPrinted, .sortedKeys])
        let text = String(decoding: pretty, as: UTF8.self)
        let expected = try decodeEach(Data("[\(records.joined(separator: ","))]".utf8)).records
        #expect(expected.count == 50)
        for form in [text, text.replacing("\n", with: "\r\n"), text.replacing("  ", with: "\t")] {
            #expect(try outcome(Data(form.utf8), window: 333).get().records == expected)
        }
    }

    @Test("keeps the valid records and reports the others", arguments: readable)
    func lists(json: String, count: Int, rejected: [String]) throws {
        let list = try decodeEach(Data(json.utf8))
        #expect(list.records.count == count)
        #expect(list.rejected.map { "\($0.index) \($0.field) \($0.reason)" } == rejected)
    }

    @Test("rejects a list that is cut off, however many records came before", arguments: [1, 50, 10_000])
    func cutOff(size: Int) throws {
        let records = [sampleJSON(), sampleJSON(["title": #""5\" é""#, "score": "7"]), "{}"]
        let json = Data(" [\(records.joined(separator: " , "))] ".utf8)
        #expect(try outcome(json, window: size).get().records.count == 2)
        let end = json.count - 2
        for count in 0...end {
            let outcome = outcome(json.prefix(count), window: size)
            #expect(throws: SourceError.self, "after \(count) bytes") { try outcome.get() }
        }
    }

    /// Bytes that aren't a list, each of which has to give an error and never a crash.
    static let unreadable: [(String, Data, String)] = [
        ("nothing", Data(), "is empty"),
        ("spaces", Data(" \n ".utf8), "is empty"),
        ("a page", Data("<!DOCTYPE html><p>".utf8), "is a web page, not JSON"),
        ("an object", Data(sampleJSON().utf8), "has an unexpected format: it isn't a list"),
        ("null", Data("null".utf8), "has an unexpected format: it is null"),
        ("a number", Data("12".utf8), "has an unexpected format: it isn't a list"),
        ("cut off", Data("[{\"id\":\"1\"".utf8), "ends before it is complete"),
        ("cut off in an escape", Data("[\"\\u12".utf8), "ends before it is complete"),
        ("a comma too many", Data("[1,]".utf8), "isn't valid JSON"),
        ("two values", Data("[] []".utf8), "isn't valid JSON"),
        ("single quotes", Data("['a']".utf8), "isn't valid JSON"),
        ("NaN", Data("[NaN]".utf8), "isn't valid JSON"),
        ("a wrong byte", Data("[\"".utf8) + Data([0xFF, 0xFE, 0x80]) + Data("\"]".utf8), "isn't valid JSON"),
        ("an overlong byte", Data("[\"".utf8) + Data([0xC0, 0xAF]) + Data("\"]".utf8), "isn't valid JSON"),
        ("a NUL", Data([0x5B, 0x00, 0x5D]), "isn't valid JSON"),
        ("deep nesting", Data(String(repeating: "[", count: 20_000).utf8), "ends before it is complete"),
        (
            "deep nesting that ends",
            Data((String(repeating: "[", count: 20_000) + String(repeating: "]", count: 20_000)).utf8),
            "isn't valid JSON"
        ),
        ("deep objects", Data(String(repeating: "{\"a\":", count: 20_000).utf8), "ends before it is complete"),
    ]

    @Test("says why bytes aren't a list", arguments: unreadable)
    func errors(name: String, bytes: Data, problem: String) throws {
        let error = #expect(throws: SourceError.self) {
            let list = try decodeEach(bytes)
            // A list without a readable record is rejected too: an invalid byte invalidates only its own record.
            if list.records.isEmpty && !list.rejected.isEmpty {
                throw SourceError.unreadable(Self.url, problem: "isn't valid JSON")
            }
        }
        #expect(error == .unreadable(Self.url, problem: problem), "\(name)")
    }

    @Test("skips long leading whitespace")
    func leadingSpace() throws {
        let json = String(repeating: " \n", count: 5000) + "[\(sampleJSON())]"
        #expect(try outcome(Data(json.utf8), window: 333).get().records.count == 1)
    }

    @Test(
        "reads UTF-16 and UTF-32, which JSON once allowed",
        arguments: [
            String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian,
        ])
    func encodings(encoding: String.Encoding) throws {
        let json = try #require("[\(sampleJSON())]".data(using: encoding))
        #expect(try decodeEach(json).records.count == 1)
    }
}

@Suite("JSON with NaN and Infinity") struct NotANumberTests {
    static let texts: [(String, String?)] = [
        (#"{"a":NaN}"#, #"{"a":null}"#), ("[NaN,-NaN,Infinity,-Infinity,-1]", "[null,null,null,null,-1]"),
        ("NaN", "null"), (#"["NaN"]"#, nil), (#"["a\"NaN"]"#, nil), (#"["\\",NaN]"#, #"["\\",null]"#), ("", nil),
        ("[1]", nil), (#"["\"#, nil), (#"{"NaN":NaN}"#, #"{"NaN":null}"#), ("[Na", nil),
    ]

    @Test("is read with null in their place", arguments: texts)
    func replaced(json: String, expected: String?) {
        #expect(NotANumber.replaced(in: Data(json.utf8)).map { String(decoding: $0, as: UTF8.self) } == expected)
    }
}

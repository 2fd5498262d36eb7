import Foundation

/// The blog API for generated posts, the same on every machine.
public struct MadeUpSite: MockSite {
    private let count: Int
    private let list: Data

    /// A site of `count` posts with about 400 bytes of metadata each.
    public init(posts count: Int) {
        self.count = count
        var list = Data("[".utf8)
        for number in stride(from: 1, through: count, by: 1) {
            if number > 1 { list.append(UInt8(ascii: ",")) }
            list.append(Data(Self.metadata(number).utf8))
        }
        list.append(UInt8(ascii: "]"))
        self.list = list
    }

    /// The response to a request; nil if the path isn't part of the API.
    public func response(to request: MockRequest) -> MockResponse? {
        let segments = request.segments
        switch (segments.first, segments.count) {
        case ("post-metadata", 1): return .json(list, etag: "\"made-up-\(count)\"")
        case ("post-metadata", 2): return number(segments[1], offset: 0).map { .json(Self.metadata($0)) }
        case ("post", 1) where request.path == "/post":
            return .json("[" + stride(from: 1, through: count, by: 1).map(Self.post).joined(separator: ",") + "]")
        case ("post", 2): return number(segments[1], offset: Self.postOffset).map { .json(Self.post($0)) }
        default: return nil
        }
    }

    /// The `postId` of a post.
    public static func postId(_ number: Int) -> String { String(number + postOffset) }

    private func number(_ id: String, offset: Int) -> Int? {
        guard let number = Int(id), number > offset, number <= offset + count else { return nil }
        return number - offset
    }

    private static func post(_ number: Int) -> String {
        #"{"id":"\#(postId(number))","metadata":\#(metadata(number)),"body":"\#(body(number))"}"#
    }

    private static func metadata(_ number: Int) -> String {
        let month = number / 28 % 12 + 1
        let date =
            "\(2000 + number / 336 % 26)-\(two(month))-\(two(number % 28 + 1))T\(two(number % 24)):\(two(number % 60)):00Z"
        let author = number * 7 % 50
        let title = "\(pick(number)) \(pick(number / 3)) and \(pick(number * 5)), part \(number)"
        return
            #"{"id":"\#(number)","title":"\#(title)","publishDate":"\#(date)","postId":"\#(number + postOffset)","summary":"\#(text(number, words: 36))","author":{"name":"\#(pick(author)) \#(pick(author + 11))","image":"/images/authors/\#(author).jpg","title":"\#(pick(author + 5)) Engineer"}}"#
    }

    private static func body(_ number: Int) -> String {
        (0..<12).map { text(number * 31 + $0, words: 70) }.joined(separator: #"\n\n"#)
    }

    private static func text(_ seed: Int, words count: Int) -> String {
        (0..<count).map { MadeUpWords.word(seed: seed &* 7919 &+ $0) }.joined(separator: " ") + "."
    }

    private static func pick(_ index: Int) -> String { words[index % words.count] }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

    private static let postOffset = 1_000_000

    private static let words = [
        "Amber", "Basalt", "Cedar", "Delta", "Ember", "Fjord", "Garnet", "Harbor", "Indigo", "Jasper", "Kestrel",
        "Lichen", "Meadow", "Nimbus", "Ochre", "Pebble", "Quartz", "Raven", "Saffron", "Thistle", "Umber", "Velvet",
        "Willow", "Xenon", "Yarrow", "Zephyr", "Anchor", "Bramble", "Copper", "Drift", "Echo", "Flint", "Grove",
    ]
}

import BlogMockServer
import Foundation

/// A story with a random thread of comments, in the format of the Hacker News API.
package struct RandomThread: MockSite {
    /// The ids of the replies to each id; the story's is 1.
    package let replies: [Int: [Int]]
    /// The ids of all comments with their depths, in the order in which they are read.
    package let expected: [String]

    package init(comments: Int, seed: UInt64) {
        var random = SplitMix(state: seed)
        var replies: [Int: [Int]] = [:]
        for id in 2..<(comments + 2) {
            replies[Int.random(in: max(1, id - 12)..<id, using: &random), default: []].append(id)
        }
        for id in replies.keys { replies[id]?.shuffle(using: &random) }
        self.replies = replies
        var expected: [String] = []
        func add(_ id: Int, _ depth: Int) {
            for reply in replies[id] ?? [] {
                expected.append("\(reply)@\(depth)")
                add(reply, depth + 1)
            }
        }
        add(1, 0)
        self.expected = expected
    }

    package func response(to request: MockRequest) -> MockResponse? {
        guard request.path.hasPrefix("/v0/item/"), let id = Int(request.path.dropFirst(9).dropLast(5)) else {
            return request.path == "/v0/topstories.json" ? .json(Data("[1]".utf8)) : nil
        }
        let kids = "[\((replies[id] ?? []).map(String.init).joined(separator: ","))]"
        let type =
            id == 1 ? #""type":"story","title":"A story""# : #""type":"comment","parent":1,"text":"Comment \#(id)""#
        return .json(Data(#"{"id":\#(id),\#(type),"by":"someone","time":1767225600,"kids":\#(kids)}"#.utf8))
    }
}

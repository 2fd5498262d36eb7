import BlogMockServer
import Foundation

/// A blog with one post that is long enough to be shown before it is complete.
package struct LongPost: MockSite {
    package let body: String
    private let metadata: Data
    private let post: Data

    package init(lines: Int, apart: String = "\n") {
        let lines = (1...lines).map { "line \($0)" }
        let metadata =
            #"{"id":"1","title":"t","publishDate":"2018-07-15T23:03:29Z","postId":"1","author":{"name":"a"}}"#
        let escaped = lines.joined(separator: apart.replacing("\n", with: #"\n"#))
        body = lines.joined(separator: apart)
        self.metadata = Data(metadata.utf8)
        post = Data(#"{"body":"\#(escaped)","metadata":\#(metadata),"id":"1"}"#.utf8)
    }

    package func response(to request: MockRequest) -> MockResponse? {
        switch request.path {
        case "/post-metadata": .json(Data("[".utf8) + metadata + Data("]".utf8))
        case "/post-metadata/1": .json(metadata)
        case "/post/1": .json(post)
        default: nil
        }
    }
}

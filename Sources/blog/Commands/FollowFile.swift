import BlogCore
import Foundation

/// What a file of sources names: OPML, or one address a line, the first column of a tab-separated one.
struct FollowFile {
    /// What is to be followed.
    let requests: [FollowRequest]
    /// The lines that are no addresses.
    let others: [String]

    /// Reads a file, `-` for stdin.
    ///
    /// Throws ``UsageError/unreadableFile(_:reason:)``, also where nothing in it is an address.
    ///
    /// - Parameter request: what each request is like, but for its address.
    init(_ path: String, like request: FollowRequest) throws {
        let bytes = try Self.bytes(path)
        // Neither an address nor white space begins so.
        if bytes.first(where: { $0 > 0x20 && $0 < 0x80 }) == UInt8(ascii: "<") {
            guard let feeds = try? OPML.read(bytes), !feeds.isEmpty else {
                throw UsageError.unreadableFile(path, reason: "it names no feeds")
            }
            requests = feeds.map { Self.request(for: $0, like: request) }
            others = []
            return
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
            .map { $0.prefix { $0 != "\t" }.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        requests = lines.filter(Self.isAddress).map { line in
            var request = request
            request.address = line
            return request
        }
        others = lines.filter { !Self.isAddress($0) }
        if requests.isEmpty, !others.isEmpty {
            throw UsageError.unreadableFile(path, reason: "it is neither OPML nor a list of addresses")
        }
    }

    private static func request(for feed: OPMLFeed, like request: FollowRequest) -> FollowRequest {
        var wanted = request
        wanted.address = feed.address
        wanted.kind = FeedSource.kind.name
        wanted.suggestedName = feed.name
        wanted.isTrusted = true
        wanted.folder = [request.folder, feed.folder].compactMap { $0?.isEmpty == false ? $0 : nil }
            .joined(separator: "/")
        return wanted
    }

    /// Whether a line can be followed, as far as can be told without a request.
    private static func isAddress(_ line: String) -> Bool {
        SourceAddress.completed(line) != nil || SourceRegistry.kind(named: line)?.source(at: nil) != nil
    }

    private static func bytes(_ path: String) throws -> [UInt8] {
        let lines = try LineReader(path: path)
        var bytes: [UInt8] = []
        for line in lines { bytes += line + [0x0A] }
        try lines.finish()
        return bytes
    }
}

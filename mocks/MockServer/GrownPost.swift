import Foundation

/// A small post from which a massive one is made by repeating its body.
struct GrownPost {
    private let start: Data
    private let piece: Data

    /// A post from its JSON, or nil if that is none.
    init?(_ json: Data) {
        guard let post = try? JSONSerialization.jsonObject(with: json) as? [String: Any],
            let body = post["body"] as? String, let metadata = post["metadata"], let id = post["id"] as? String,
            let metadataJSON = try? JSONSerialization.data(
                withJSONObject: metadata, options: [.sortedKeys, .withoutEscapingSlashes]),
            let bodyJSON = try? JSONSerialization.data(
                withJSONObject: body + "\n\n", options: [.fragmentsAllowed, .withoutEscapingSlashes])
        else { return nil }
        start = Data("{\"id\":\"\(id)\",\"metadata\":".utf8) + metadataJSON + Data(",\"body\":\"".utf8)
        piece = bodyJSON.dropFirst().dropLast()
    }

    /// The post with a body of about `size` bytes that trickles in over `milliseconds`.
    func response(size: Int, milliseconds: Int) -> MockResponse {
        let repeats = max(1, size / max(1, piece.count))
        // A few hundred writes are smooth enough for a progress bar.
        let perWrite = max(1, repeats / 400)
        let block = Data(repeatElement(piece, count: perWrite).joined())
        return MockResponse(
            headers: ["Content-Type": "application/json"],
            body: .trickle(
                start: start, piece: block, count: max(1, repeats / perWrite), milliseconds: milliseconds,
                end: Data("\"}".utf8)))
    }
}

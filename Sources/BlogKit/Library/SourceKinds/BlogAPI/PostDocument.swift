import BlogEssentials
import BlogHTTP
import BlogModel

/// A post as the server sends it: its body, and the IDs that tell which post it is.
struct PostDocument: Decodable {
    let body: String
    let id: String?
    /// The id in its metadata.
    let metadataID: String?

    /// The post in a response.
    ///
    /// Throws a ``SourceError`` if the response isn't a post.
    init(_ document: HTTPDocument, at url: URL) throws {
        let json = try document.body.bytes
        self = try PostDocument(scanning: json) ?? WireJSON.decode(PostDocument.self, from: Data(json), of: url)
    }

    /// Whether it isn't the post with this metadata.
    func isOther(than metadata: PostMetadata) -> Bool {
        id.map { $0 != metadata.postId && $0 != metadata.id } ?? false
            || metadataID.map { $0 != metadata.id } ?? false
    }

    private enum CodingKeys: CodingKey {
        case body, id, metadata
    }

    private struct Metadata: Decodable {
        let id: String?
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        body = try container.decode(String.self, forKey: .body)
        // An id of an unexpected type is not a mismatch.
        id = try? container.decodeIfPresent(String.self, forKey: .id)
        metadataID = (try? container.decodeIfPresent(Metadata.self, forKey: .metadata))?.id
    }

    /// Reads it directly from its bytes; nil if only the decoder can judge it.
    ///
    /// The plain way is the decoder, at ten times the cost: "sync of 10,000 small bodies" in Benchmarks/RESULTS.md.
    /// `PostDocumentTests` compares the two.
    init?(scanning json: [UInt8]) {
        var (body, id, metadataID) = (String?.none, String?.none, String?.none)
        let isWhole = json.withUnsafeBufferPointer { bytes in
            var scanner = JSONScanner(bytes)
            let isObject = scanner.object { name, scanner in
                switch String(decoding: name, as: UTF8.self) {
                case "body": body.setOnce(scanner.string())
                case "id": id.setOnce(scanner.string())
                case "metadata": metadataID == nil && Self.scanMetadata(&metadataID, &scanner)
                default: scanner.skipValue()
                }
            }
            return isObject && scanner.peek() == nil
        }
        guard isWhole, let body else { return nil }
        (self.body, self.id, self.metadataID) = (body, id, metadataID)
    }

    private static func scanMetadata(_ id: inout String?, _ scanner: inout JSONScanner) -> Bool {
        scanner.object { name, scanner in
            String(decoding: name, as: UTF8.self) == "id" ? id.setOnce(scanner.string()) : scanner.skipValue()
        }
    }
}

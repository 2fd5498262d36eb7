/// A post as the server sends it, the text of its body taken out.
struct PostSurroundings: Decodable {
    /// What was not taken out.
    let body: String
    let id: String?
    /// The id in its metadata.
    let metadataID: String?

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

    /// Reads it straight from its bytes, which takes a tenth of the decoder's time; nil for one that only the decoder
    /// can judge.
    init?(scanning json: [UInt8]) {
        var (body, id, metadataID) = (String?.none, String?.none, String?.none)
        let isWhole = json.withUnsafeBufferPointer { bytes in
            var scanner = JSONScanner(bytes)
            let isObject = scanner.object { name, scanner in
                switch String(decoding: name, as: UTF8.self) {
                case "body": Self.set(&body, scanner.string())
                case "id": Self.set(&id, scanner.string())
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
            String(decoding: name, as: UTF8.self) == "id" ? set(&id, scanner.string()) : scanner.skipValue()
        }
    }

    /// Sets a field; false if it has a value already, or if the token was another.
    private static func set(_ field: inout String?, _ value: String?) -> Bool {
        guard field == nil, let value else { return false }
        field = value
        return true
    }
}

import BlogEssentials
import BlogModel

/// Extracts a post's body from its JSON while that arrives.
///
/// It finds the string named `body` in the outermost object and returns it in pieces. The rest, the ``envelope``, is
/// decoded at the end. The plain way is to decode the complete response, but bodies may be larger than memory
/// ("`blog read` of 1 GB in a pipe" in Benchmarks/RESULTS.md). `BodyExtractorTests` and `PostResponseTests` compare the
/// results with a decoder's.
struct BodyExtractor {
    private enum State {
        case outsideString
        /// In a string; whether it is the body's text, or could be the name `body`.
        case insideString(isBody: Bool)
    }

    /// The JSON so far, without the text of the body.
    private(set) var envelope: [UInt8] = []
    /// Whether the body's text has been well-formed so far.
    private(set) var isValid = true

    private var state = State.outsideString
    private var depth = 0
    /// The last string, as long as it may be a name.
    private var name: [UInt8] = []
    private var isBodyNext = false
    private var hasBody = false
    private var escape = JSONEscape()
    /// Text that hasn't been returned.
    private var pending: [UInt8] = []

    /// Adds bytes of the response and returns the next piece of the body; nil if it is still short.
    mutating func add(_ chunk: [UInt8]) -> String? {
        chunk.withUnsafeBufferPointer { bytes in
            var index = 0
            while index < bytes.count {
                switch state {
                case .outsideString: addOutside(bytes[index])
                case .insideString(isBody: false): addInside(bytes[index])
                case .insideString(isBody: true):
                    // Nearly all of a response is the body's text, so it is copied in runs.
                    if !escape.isOpen, case let end = bytes.endOfUnquotedText(from: index), end > index {
                        escape.finish(into: &pending)
                        pending += bytes[index..<end]
                        index = end
                        continue
                    }
                    addToBody(bytes[index])
                }
                index += 1
            }
        }
        return takeText()
    }

    /// The rest of the body's text at the end of the response.
    mutating func finish() -> String {
        defer { pending = [] }
        return text(of: pending[...])
    }

    private mutating func addOutside(_ byte: UInt8) {
        envelope.append(byte)
        switch byte {
        case UInt8(ascii: "\""):
            state = .insideString(isBody: isBodyNext && !hasBody)
            hasBody = hasBody || isBodyNext
            name = []
        case UInt8(ascii: ":"): isBodyNext = depth == 1 && name == Array("body".utf8)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            depth += 1
            isBodyNext = false
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        case UInt8(ascii: ","):
            isBodyNext = false
            name = []
        default: break
        }
    }

    private mutating func addInside(_ byte: UInt8) {
        envelope.append(byte)
        if escape.isOpen || byte == UInt8(ascii: "\\") {
            // Names with escapes are ignored.
            var unwanted: [UInt8] = []
            escape.add(byte, into: &unwanted)
            if name.isEmpty { name.append(0) }
        } else if byte == UInt8(ascii: "\"") {
            escape = JSONEscape()
            state = .outsideString
        } else if name.count < Self.maxNameLength {
            name.append(byte)
        }
    }

    private mutating func addToBody(_ byte: UInt8) {
        if escape.isOpen || byte == UInt8(ascii: "\\") {
            escape.add(byte, into: &pending)
            isValid = isValid && escape.isValid
        } else if byte == UInt8(ascii: "\"") {
            escape.finish(into: &pending)
            escape = JSONEscape()
            envelope.append(byte)
            state = .outsideString
        } else if byte >= 0x20 {
            escape.finish(into: &pending)
            pending.append(byte)
        } else {
            isValid = false
        }
    }

    /// Takes the text, up to a character that may be incomplete.
    private mutating func takeText() -> String? {
        guard pending.count >= Self.pieceSize else { return nil }
        let end = pending.suffix(4).lastIndex { !UTF8.isContinuation($0) } ?? pending.endIndex
        defer {
            // The rest is short; moving it is cheaper than freeing the buffer and filling it page by page again.
            let rest = Array(pending[end...])
            pending.removeAll(keepingCapacity: true)
            pending += rest
        }
        return text(of: pending[..<end])
    }

    private mutating func text(of bytes: ArraySlice<UInt8>) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            isValid = false
            return ""
        }
        return text
    }

    /// Names longer than `body` aren't compared.
    private static let maxNameLength = 5
    private static let pieceSize = 1 << 16
}

/// A post as the server sends it, without the text of its body.
struct PostEnvelope: Decodable {
    /// The part of the body's text that wasn't extracted.
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

    /// Reads it directly from its bytes; nil if only the decoder can judge it.
    ///
    /// The plain way is the decoder, at ten times the cost: "sync of 10,000 small bodies" in Benchmarks/RESULTS.md.
    /// `PostEnvelopeTests` compares the two.
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

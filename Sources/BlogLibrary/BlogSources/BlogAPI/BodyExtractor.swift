import Essentials
import Model

/// Extracts a post's body from its JSON while that arrives.
///
/// It looks for the string under `body` in the outermost object and returns it line by line. The rest, the
/// ``surroundings``, is decoded at the end. The plain way is to decode the complete response: bodies may be larger than
/// memory, and their first lines are shown at once ("`blog read` of 1 GB in a pipe" in Benchmarks/RESULTS.md).
/// `BodyExtractorTests` and `PostReaderTests` have the results that a decoder gives.
struct BodyExtractor {
    private enum Place {
        /// Between values.
        case outside
        /// In a string; whether it is the body's text, or could be the name `body`.
        case inside(isBody: Bool)
    }

    /// The JSON that has arrived with nothing in the body's quotes.
    private(set) var surroundings: [UInt8] = []
    /// Whether the body's text is well-formed so far.
    private(set) var isSound = true

    private var place = Place.outside
    private var depth = 0
    /// The string that was read last, as long as it may be a name.
    private var name: [UInt8] = []
    private var isBodyNext = false
    private var hasBody = false
    private var escape = JSONEscape()
    /// Text without a line end yet.
    private var pending: [UInt8] = []
    /// How much of that was looked at for the end of a line.
    private var searched = 0
    /// Whether that may hold what makes a terminal act, and how much of it was looked at for that.
    private var mayHaveSequence = false
    private var examined = 0

    /// Takes bytes of the response and returns the lines of the body that are complete by now; nil for none.
    mutating func add(_ chunk: [UInt8]) -> String? {
        chunk.withUnsafeBufferPointer { bytes in
            var index = 0
            while index < bytes.count {
                switch place {
                case .outside: addOutside(bytes[index])
                case .inside(isBody: false): addInside(bytes[index])
                case .inside(isBody: true):
                    // Nearly all of a response is the body's text: it is taken run by run.
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
        return takeLines()
    }

    /// The body's text that is still to be given when the response is complete; nil for none.
    mutating func finish() -> String? {
        defer { pending = [] }
        return pending.isEmpty ? nil : text(of: pending[...])
    }

    private mutating func addOutside(_ byte: UInt8) {
        surroundings.append(byte)
        switch byte {
        case UInt8(ascii: "\""):
            place = .inside(isBody: isBodyNext && !hasBody)
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
        surroundings.append(byte)
        if escape.isOpen || byte == UInt8(ascii: "\\") {
            // Names with escapes are ignored.
            var unwanted: [UInt8] = []
            escape.add(byte, into: &unwanted)
            if name.isEmpty { name.append(0) }
        } else if byte == UInt8(ascii: "\"") {
            escape = JSONEscape()
            place = .outside
        } else if name.count < Self.maxNameLength {
            name.append(byte)
        }
    }

    private mutating func addToBody(_ byte: UInt8) {
        if escape.isOpen || byte == UInt8(ascii: "\\") {
            escape.add(byte, into: &pending)
            isSound = isSound && escape.isSound
        } else if byte == UInt8(ascii: "\"") {
            escape.finish(into: &pending)
            escape = JSONEscape()
            surroundings.append(byte)
            place = .outside
        } else if byte >= 0x20 {
            escape.finish(into: &pending)
            pending.append(byte)
        } else {
            isSound = false
        }
    }

    private mutating func takeLines() -> String? {
        // Bytes that were searched before are skipped.
        let new = pending[searched...]
        searched = pending.count
        var end = new.lastIndex(of: UInt8(ascii: "\n"))
        // Text without line breaks is given up to a space, unless a terminal's sequence might be cut in two there.
        if end == nil, pending.count > Self.maxLineLength {
            mayHaveSequence = mayHaveSequence || pending[examined...].contains { $0 == 0x1B || $0 == 0xC2 }
            examined = pending.count
            if !mayHaveSequence { end = new.lastIndex(of: UInt8(ascii: " ")) }
        }
        // Without spaces either, or with such a sequence, it is given up to a character as a last resort.
        if end == nil, pending.count > Self.maxPendingBytes {
            let character = pending.lastIndex { $0 & 0xC0 != 0x80 } ?? 0
            if character > 0 { end = character - 1 } else { isSound = false }
        }
        guard let end else { return nil }
        defer {
            // The rest is short; moving it is cheaper than freeing the buffer and filling it page by page again.
            let rest = Array(pending[(end + 1)...])
            pending.removeAll(keepingCapacity: true)
            pending += rest
            searched = pending.count
            (mayHaveSequence, examined) = (false, 0)
        }
        return text(of: pending[...end])
    }

    private mutating func text(of bytes: ArraySlice<UInt8>) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            isSound = false
            return ""
        }
        return text
    }

    /// Longer names than `body` are not buffered.
    private static let maxNameLength = 5
    private static let maxLineLength = 1 << 16
    private static let maxPendingBytes = 1 << 20
}

/// A post as the server sends it, the text of its body taken out.
struct PostSurroundings: Decodable {
    /// The rest of the body's text.
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

    /// Reads it straight from its bytes; nil for one that only the decoder can judge.
    ///
    /// The plain way is the decoder, at ten times the cost: "sync of 10,000 small bodies" in Benchmarks/RESULTS.md.
    /// `PostSurroundingsTests` compares the two.
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

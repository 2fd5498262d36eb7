import BlogEssentials
import BlogHTTP
import BlogModel

/// Reads the records of a list from its JSON, a window of the document at a time.
///
/// The plain way is the decoder, which gets every record that isn't in the API's usual form, and says what is wrong
/// with it. Records in the usual form are read directly from their bytes, some ten times as fast: "first list of
/// 100,000 posts" in Benchmarks/RESULTS.md. `RecordReaderTests` compares the two.
struct RecordReader: EntryBatches {
    private enum State {
        case beforeArray
        case beforeElement(isFirst: Bool)
        case afterElement
        case afterArray
    }

    private let url: URL
    private let body: DocumentBody
    private let windowSize: Int
    /// The bytes that have been read from the body, but for those before the current element.
    private var window: [UInt8] = []
    /// The place in the body of the end of the window.
    private var end = 0
    private var state = State.beforeArray
    private var count = 0

    init(_ body: DocumentBody, of url: URL, windowSize: Int = DocumentBody.windowSize) {
        self.url = url
        self.body = body
        self.windowSize = windowSize
    }

    mutating func next() throws -> EntryBatch? {
        if case .beforeArray = state {
            // Four bytes determine the encoding.
            while window.count < 4, end < body.count { try readMore() }
            guard beginsAsArray() else { return try decodeWhole() }
        }
        var batch = EntryBatch()
        try readElements(into: &batch)
        while batch.count < Self.maxRecords, end < body.count {
            try readMore()
            try readElements(into: &batch)
        }
        if batch.count < Self.maxRecords { try checkEnd() }
        return batch.isEmpty ? nil : batch
    }

    /// Reads at least as much as there is already, so that a long element doesn't take quadratic time.
    private mutating func readMore() throws {
        let more = try body.bytes(at: end, upTo: max(window.count, windowSize))
        end += more.count
        if window.isEmpty { window = more } else { window += more }
    }

    /// Whether the body starts with an array in UTF-8.
    private mutating func beginsAsArray() -> Bool {
        if window.starts(with: [0xEF, 0xBB, 0xBF]) { window.removeFirst(3) }
        return window.withUnsafeBufferPointer { bytes in
            var scanner = JSONScanner(bytes)
            // UTF-16 and UTF-32, which JSON once allowed, have a NUL among the first bytes.
            return scanner.peek() == UInt8(ascii: "[") && !bytes.prefix(4).contains(0)
        }
    }

    /// Decodes a document that isn't an array in UTF-8: it may be one in another encoding, or else this throws.
    private mutating func decodeWhole() throws -> EntryBatch? {
        guard body.count <= HTTPLimits.recordBytes else { throw malformed }
        var batch = EntryBatch()
        for record in try WireJSON.decode([LossyRecord].self, from: body.data, of: url) { add(record, to: &batch) }
        (window, end, state) = ([], body.count, .afterArray)
        return batch.isEmpty ? nil : batch
    }

    private mutating func readElements(into batch: inout EntryBatch) throws {
        let done = try window.withUnsafeBufferPointer { bytes -> Int in
            var scanner = JSONScanner(bytes)
            while batch.count < Self.maxRecords, let end = try readElement(&scanner, bytes, into: &batch) {
                scanner = JSONScanner(bytes, from: end)
            }
            return scanner.index
        }
        window.removeSubrange(..<done)
        guard batch.count >= Self.maxRecords || window.count <= HTTPLimits.recordBytes else {
            throw SourceError.unreadable(url, problem: "has a record that is too long")
        }
    }

    /// Reads the next token or record and returns its end; nil if it isn't complete yet.
    private mutating func readElement(
        _ scanner: inout JSONScanner, _ bytes: UnsafeBufferPointer<UInt8>, into batch: inout EntryBatch
    ) throws -> Int? {
        let start = scanner.index
        guard let next = scanner.peek() else { return nil }
        switch state {
        case .beforeArray:
            guard scanner.take(UInt8(ascii: "[")) else { throw malformed }
            state = .beforeElement(isFirst: true)
        case .beforeElement(isFirst: true) where next == UInt8(ascii: "]"),
            .afterElement where next == UInt8(ascii: "]"):
            _ = scanner.take(next)
            state = .afterArray
        case .afterElement:
            guard scanner.take(UInt8(ascii: ",")) else { throw malformed }
            state = .beforeElement(isFirst: false)
        case .beforeElement:
            if let record = RecordFields.record(&scanner) {
                // Not as a LossyRecord, which would copy it twice.
                batch.entries.append(Entry(record))
                count += 1
            } else if let extent = scanner.extent(from: start) {
                try decode(bytes[extent], into: &batch)
            } else {
                scanner = JSONScanner(bytes, from: start)
                return nil
            }
            state = .afterElement
        case .afterArray: throw malformed
        }
        return scanner.index
    }

    private mutating func decode(_ element: Slice<UnsafeBufferPointer<UInt8>>, into batch: inout EntryBatch) throws {
        let array = Data("[".utf8) + Data(element) + Data("]".utf8)
        let decoded = try WireJSON.decode([LossyRecord].self, from: array, of: url)
        guard decoded.count == 1 else { throw malformed }
        add(decoded[0], to: &batch)
    }

    private mutating func add(_ record: LossyRecord, to batch: inout EntryBatch) {
        switch record {
        case .record(let metadata): batch.entries.append(Entry(metadata))
        case .rejected(let error, let id):
            let (field, reason) = WireJSON.fault(of: error, below: 1)
            batch.rejected.append(RejectedRecord(index: count, field: field, reason: reason, id: id))
        }
        count += 1
    }

    private func checkEnd() throws {
        guard case .afterArray = state else {
            throw SourceError.unreadable(url, problem: SourceError.cutOffProblem)
        }
        guard window.allSatisfy({ [0x20, 0x0A, 0x0D, 0x09].contains($0) }) else { throw malformed }
    }

    /// The number of records per batch, which bounds memory.
    private static let maxRecords = 2048

    private var malformed: SourceError { .malformed(url) }
}

/// A decoded record, or why it can't be decoded.
private enum LossyRecord: Decodable {
    case record(PostMetadata)
    case rejected(DecodingError, id: String?)

    init(from decoder: any Decoder) throws {
        do {
            let record = try PostMetadata(from: decoder)
            guard record.hasPrintableID else {
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(
                        codingPath: decoder.codingPath + [IDKey.id], debugDescription: "isn't printable"))
            }
            self = .record(record)
        } catch let error as DecodingError {
            let record = try? decoder.container(keyedBy: IDKey.self)
            self = .rejected(error, id: try? record?.decode(String.self, forKey: .id))
        }
    }

    private enum IDKey: CodingKey {
        case id
    }
}

/// The fields of a record in the API's usual form that have been read so far.
///
/// A nullable field is doubly optional.
struct RecordFields {
    private var id: String?
    private var title: String?
    private var publishDate: String?
    private var postId: String?
    private var summary: String??
    private var author: AuthorFields?

    /// The record; nil if a field is missing or invalid.
    var record: PostMetadata? {
        guard let id, !id.isEmpty, let title, let date = publishDate.flatMap({ Timestamp($0) }), let postId,
            !postId.isEmpty, max(id.utf8.count, postId.utf8.count) <= PostMetadata.maxIDLength, let author,
            let name = author.name
        else { return nil }
        let record = PostMetadata(
            id: id, title: title, publishDate: date, postId: postId, summary: summary ?? nil,
            author: Author(name: name, image: author.image ?? nil, title: author.title ?? nil))
        return record.hasPrintableID ? record : nil
    }

    /// Reads a record; nil if only the decoder can judge it.
    static func record(_ scanner: inout JSONScanner) -> PostMetadata? {
        var fields = RecordFields()
        guard scanner.object({ name, scanner in fields.take(name, &scanner) }) else { return nil }
        return fields.record
    }

    /// Reads the value of a field; false for the decoder to judge, as with a repeated or rare one.
    private mutating func take(_ name: UnsafeBufferPointer<UInt8>, _ scanner: inout JSONScanner) -> Bool {
        switch Name(name) {
        case .id: id.setOnce(scanner.string())
        case .title: title.setOnce(scanner.string())
        case .publishDate: publishDate.setOnce(scanner.string())
        case .postId: postId.setOnce(scanner.string())
        case .summary: summary.setOnce(scanner.stringOrNull())
        case .author: takeAuthor(&scanner)
        case .rare: false
        case .name, .image, .unknown: scanner.skipValue()
        }
    }

    private mutating func takeAuthor(_ scanner: inout JSONScanner) -> Bool {
        guard author == nil else { return false }
        var fields = AuthorFields()
        defer { author = fields }
        return scanner.object { name, scanner in fields.take(Name(name), &scanner) }
    }

    private struct AuthorFields {
        var name: String?
        var image: String??
        var title: String??

        mutating func take(_ field: Name, _ scanner: inout JSONScanner) -> Bool {
            switch field {
            case .name: name.setOnce(scanner.string())
            case .image: image.setOnce(scanner.stringOrNull())
            case .title: title.setOnce(scanner.stringOrNull())
            default: scanner.skipValue()
            }
        }
    }

    /// The relevant names, compared without making a String of each.
    private enum Name {
        case id, title, publishDate, postId, summary, author, name, image
        /// A field of ``PostMetadata`` that the API doesn't define, for the decoder.
        case rare
        case unknown

        init(_ bytes: UnsafeBufferPointer<UInt8>) {
            func has(_ text: StaticString) -> Bool {
                text.utf8CodeUnitCount == bytes.count
                    && (0..<bytes.count).allSatisfy { bytes[$0] == text.utf8Start[$0] }
            }
            switch bytes.count {
            case 2: self = has("id") ? .id : .unknown
            case 4: self = has("name") ? .name : has("link") || has("user") ? .rare : .unknown
            case 5:
                self = has("title") ? .title : has("image") ? .image : has("score") || has("photo") ? .rare : .unknown
            case 6: self = has("postId") ? .postId : has("author") ? .author : .unknown
            case 7: self = has("summary") ? .summary : has("article") ? .rare : .unknown
            case 10: self = has("discussion") ? .rare : .unknown
            case 11: self = has("publishDate") ? .publishDate : .unknown
            case 12: self = has("commentCount") ? .rare : .unknown
            default: self = .unknown
            }
        }
    }
}

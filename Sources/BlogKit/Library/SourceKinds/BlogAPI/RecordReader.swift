import BlogEssentials
import BlogHTTP
import BlogModel

/// Reads the records of a list from its JSON while that arrives.
///
/// The plain way is the decoder, which gets every record that isn't in the API's usual form, and says what is wrong
/// with it. Records in the usual form are read directly from their bytes, some ten times as fast: "first list of
/// 100,000 posts" in Benchmarks/RESULTS.md. `RecordReaderTests` compares the two.
actor RecordReader: EntryBatches {
    private enum State {
        case beforeArray
        case beforeElement(isFirst: Bool)
        case afterElement
        case afterArray
    }

    private let url: URL
    private let body: ResponseBody
    private var buffer: [UInt8] = []
    private var state = State.beforeArray
    /// How many bytes came before the array.
    private var skipped = 0
    private var count = 0
    /// The length of the buffer at which an incomplete element is tried again; it grows, so that an element in small
    /// chunks doesn't take quadratic time.
    private var minBufferCount = 0

    /// Whether the last batch ended before the buffer did.
    private var isBatchFull = false

    init(_ body: ResponseBody, of url: URL) {
        self.url = url
        self.body = body
    }

    func next() async throws -> EntryBatch? {
        var batch = EntryBatch()
        while batch.isEmpty {
            let chunk = isBatchFull ? [] : try await body.next()
            if let chunk { buffer += chunk }
            if case .beforeArray = state {
                switch beginsAsArray() {
                case nil where chunk != nil:
                    try skipLeadingSpace()
                    continue
                case true: break
                default: return try await decodeWhole()
                }
            }
            guard chunk != nil else {
                try finish(&batch)
                return batch.isEmpty ? nil : batch
            }
            if isBatchFull || buffer.count >= minBufferCount { try readElements(into: &batch) }
        }
        return batch
    }

    /// Whether the buffer starts with an array in UTF-8; nil if that isn't known yet.
    private func beginsAsArray() -> Bool? {
        if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { buffer.removeFirst(3) }
        return buffer.withUnsafeBufferPointer { bytes in
            var scanner = JSONScanner(bytes)
            guard let first = scanner.peek(), bytes.count >= 4 else { return nil }
            // UTF-16 and UTF-32, which JSON once allowed, have a NUL among the first bytes.
            return first == UInt8(ascii: "[") && !bytes.prefix(4).contains(0)
        }
    }

    /// Drops white space before the array, except for the first bytes, which determine the encoding.
    private func skipLeadingSpace() throws {
        guard buffer.count > 4 else { return }
        skipped += buffer.count - 4
        buffer.removeSubrange(4...)
        guard skipped <= HTTPLimits.recordBytes else { throw malformed }
    }

    /// Decodes a document in another encoding; throws unless it is an array.
    private func decodeWhole() async throws -> EntryBatch {
        while let chunk = try await body.next() {
            buffer += chunk
            guard buffer.count <= HTTPLimits.recordBytes else { throw malformed }
        }
        var batch = EntryBatch()
        for record in try WireJSON.decode([LossyRecord].self, from: Data(buffer), of: url) { add(record, to: &batch) }
        buffer = []
        state = .afterArray
        return batch
    }

    private func readElements(into batch: inout EntryBatch) throws {
        let end = try buffer.withUnsafeBufferPointer { bytes -> Int in
            var scanner = JSONScanner(bytes)
            while batch.count < Self.maxRecords, let end = try readElement(&scanner, bytes, into: &batch) {
                scanner = JSONScanner(bytes, from: end)
            }
            return scanner.index
        }
        buffer.removeSubrange(..<end)
        isBatchFull = batch.count >= Self.maxRecords
        guard !isBatchFull else { return }
        minBufferCount = buffer.count * 5 / 4
        guard buffer.count <= HTTPLimits.recordBytes else {
            throw SourceError.unreadable(url, problem: "has a record that is too long")
        }
    }

    /// Reads the next token or record and returns its end; nil if it isn't complete yet.
    private func readElement(
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

    private func decode(_ element: Slice<UnsafeBufferPointer<UInt8>>, into batch: inout EntryBatch) throws {
        let array = Data("[".utf8) + Data(element) + Data("]".utf8)
        let decoded = try WireJSON.decode([LossyRecord].self, from: array, of: url)
        guard decoded.count == 1 else { throw malformed }
        add(decoded[0], to: &batch)
    }

    private func add(_ record: LossyRecord, to batch: inout EntryBatch) {
        switch record {
        case .record(let metadata): batch.entries.append(Entry(metadata))
        case .rejected(let error, let id):
            let (field, reason) = WireJSON.fault(of: error, below: 1)
            batch.rejected.append(RejectedRecord(index: count, field: field, reason: reason, id: id))
        }
        count += 1
    }

    private func finish(_ batch: inout EntryBatch) throws {
        try readElements(into: &batch)
        guard !isBatchFull else { return }
        guard case .afterArray = state, buffer.allSatisfy({ [0x20, 0x0A, 0x0D, 0x09].contains($0) }) else {
            throw malformed
        }
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
        /// A field of ``PostMetadata`` that the API doesn't define.
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
            case 5: self = has("title") ? .title : has("image") ? .image : has("score") ? .rare : .unknown
            case 6: self = has("postId") ? .postId : has("author") ? .author : .unknown
            case 7: self = has("summary") ? .summary : .unknown
            case 10: self = has("discussion") ? .rare : .unknown
            case 11: self = has("publishDate") ? .publishDate : .unknown
            case 12: self = has("commentCount") ? .rare : .unknown
            default: self = .unknown
            }
        }
    }
}

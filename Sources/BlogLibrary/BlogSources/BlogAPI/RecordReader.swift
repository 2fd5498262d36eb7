import Foundation
import HTTP
import Model

/// Cuts the records of a list out of its JSON while that arrives.
///
/// Records in the API's usual form are read straight from their bytes, at some ten times a decoder's speed. Whatever
/// differs from that form in the least is given to the decoder, which also tells what is wrong with it.
actor RecordReader: EntryBatches {
    private enum Place {
        case beforeArray
        case beforeElement(isFirst: Bool)
        case afterElement
        case afterArray
    }

    private let url: URL
    private let body: ResponseBody
    /// What has arrived and is not read yet.
    private var buffer: [UInt8] = []
    private var place = Place.beforeArray
    /// How many bytes came before the array.
    private var skipped = 0
    /// How many elements have been read.
    private var count = 0
    /// How long the buffer must be before an element that was cut off is tried again, so that one which comes in small
    /// pieces doesn't take quadratic time.
    private var minBufferCount = 0

    /// Whether the last batch ended before the buffer did.
    private var isBatchFull = false

    /// A reader of a body.
    init(_ body: ResponseBody, of url: URL) {
        self.url = url
        self.body = body
    }

    func next() async throws -> EntryBatch? {
        var batch = EntryBatch()
        while batch.isEmpty {
            let chunk = isBatchFull ? [] : try await body.next()
            if let chunk { buffer += chunk }
            if case .beforeArray = place {
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

    /// Whether the buffer starts with an array in UTF-8; nil if that is not known yet.
    private func beginsAsArray() -> Bool? {
        if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { buffer.removeFirst(3) }
        return buffer.withUnsafeBufferPointer { bytes in
            var scanner = JSONScanner(bytes)
            guard let first = scanner.peek(), bytes.count >= 4 else { return nil }
            // UTF-16 and UTF-32, which JSON once allowed, have a NUL among the first bytes.
            return first == UInt8(ascii: "[") && !bytes.prefix(4).contains(0)
        }
    }

    /// Drops white space before the array except the first bytes, which tell the encoding; it may be endless.
    private func skipLeadingSpace() throws {
        guard buffer.count > 4 else { return }
        skipped += buffer.count - 4
        buffer.removeSubrange(4...)
        guard skipped <= HTTPLimits.recordBytes else { throw malformed }
    }

    /// Has the decoder read a document that is in another encoding, or say what is wrong with one that is no array.
    private func decodeWhole() async throws -> EntryBatch {
        while let chunk = try await body.next() {
            buffer += chunk
            guard buffer.count <= HTTPLimits.recordBytes else { throw malformed }
        }
        var batch = EntryBatch()
        for record in try WireJSON.decode([LossyRecord].self, from: Data(buffer), of: url) { add(record, to: &batch) }
        buffer = []
        place = .afterArray
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

    /// Reads what comes next and returns where it ends; nil if that has not arrived.
    private func readElement(
        _ scanner: inout JSONScanner, _ bytes: UnsafeBufferPointer<UInt8>, into batch: inout EntryBatch
    ) throws -> Int? {
        let start = scanner.index
        guard let next = scanner.peek() else { return nil }
        switch place {
        case .beforeArray:
            guard scanner.take(UInt8(ascii: "[")) else { throw malformed }
            place = .beforeElement(isFirst: true)
        case .beforeElement(isFirst: true) where next == UInt8(ascii: "]"),
            .afterElement where next == UInt8(ascii: "]"):
            _ = scanner.take(next)
            place = .afterArray
        case .afterElement:
            guard scanner.take(UInt8(ascii: ",")) else { throw malformed }
            place = .beforeElement(isFirst: false)
        case .beforeElement:
            if let record = RecordFields.record(&scanner) {
                add(.record(record), to: &batch)
            } else if let extent = scanner.extent(from: start) {
                try decode(bytes[extent], into: &batch)
            } else {
                scanner = JSONScanner(bytes, from: start)
                return nil
            }
            place = .afterElement
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
        guard case .afterArray = place, buffer.allSatisfy({ [0x20, 0x0A, 0x0D, 0x09].contains($0) }) else {
            throw malformed
        }
    }

    /// How many records are read before those are given on, so that few are in memory at a time.
    private static let maxRecords = 2048

    private var malformed: SourceError { .malformed(url) }
}

/// A record that is decoded, or why it can't be.
private enum LossyRecord: Decodable {
    case record(PostMetadata)
    case rejected(DecodingError, id: String?)

    init(from decoder: any Decoder) throws {
        do {
            self = .record(try PostMetadata(from: decoder))
        } catch let error as DecodingError {
            let record = try? decoder.container(keyedBy: IDKey.self)
            self = .rejected(error, id: try? record?.decode(String.self, forKey: .id))
        }
    }

    private enum IDKey: CodingKey {
        case id
    }
}

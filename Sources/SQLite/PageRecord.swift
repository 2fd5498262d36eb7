/// A row of a table, or an entry of an index, as it lies on a page.
package struct PageRecord: Sendable {
    /// The key of a row; nil for an entry of an index.
    package let row: Int64?
    /// The values in the order of the columns: null for a blob, and whole numbers for others.
    package let values: [DatabaseValue]

    /// Nil for bytes that are no record.
    init?(row: Int64?, _ bytes: PageBytes) {
        var place = 0
        guard let headerSize = bytes.varint(at: &place), (1...Int64(bytes.count)).contains(headerSize) else {
            return nil
        }
        var content = Int(headerSize)
        var values: [DatabaseValue] = []
        while place < headerSize {
            guard let type = bytes.varint(at: &place), let value = Self.value(type, in: bytes, at: &content)
            else { return nil }
            values.append(value)
        }
        self.row = row
        self.values = values
    }

    /// How many values a record has whose beginning is known; nil for bytes that are no record.
    static func valueCount(_ beginning: PageBytes) -> Int? {
        var place = 0
        guard let headerSize = beginning.varint(at: &place), headerSize <= beginning.count else { return nil }
        var count = 0
        while place < headerSize {
            guard beginning.varint(at: &place) != nil else { return nil }
            count += 1
        }
        return count
    }

    /// The value of a type, of which the format's table ("Serial Type Codes") says how long it is.
    private static func value(_ type: Int64, in bytes: PageBytes, at place: inout Int) -> DatabaseValue? {
        guard (0...Int64(2 * bytes.count + 13)).contains(type), type != 10, type != 11 else { return nil }
        let size = type >= 12 ? (Int(type) - 12) / 2 : [0, 1, 2, 3, 4, 6, 8, 8, 0, 0][Int(type)]
        guard let content = bytes.slice(at: place, count: size) else { return nil }
        place += size
        switch type {
        case 1...6: return .integer(integer(content))
        case 7: return .integer(clamped(Double(bitPattern: UInt64(bitPattern: integer(content)))))
        case 8: return .integer(0)
        case 9: return .integer(1)
        // No text is stored that is not UTF-8.
        case 12... where type % 2 == 1: return String(validating: content, as: UTF8.self).map { .text($0) }
        default: return .null
        }
    }

    private static func integer(_ bytes: [UInt8]) -> Int64 {
        let start: Int64 = bytes.first.map { $0 >= 0x80 ? -1 : 0 } ?? 0
        return bytes.reduce(start) { $0 << 8 | Int64($1) }
    }

    private static func clamped(_ number: Double) -> Int64 {
        Int64(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
    }
}

/// Bytes in which numbers are read that may lead anywhere.
struct PageBytes {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    var isZero: Bool { bytes.allSatisfy { $0 == 0 } }

    /// Whether they are the beginning of a database.
    var hasMagic: Bool { bytes.starts(with: Array("SQLite format 3\0".utf8)) }

    func slice(at place: Int, count: Int) -> [UInt8]? {
        guard place >= 0, count >= 0, count <= bytes.count, place <= bytes.count - count else { return nil }
        return Array(bytes[place..<place + count])
    }

    /// A number of up to four bytes.
    func number(at place: Int, size: Int) -> Int? {
        guard place >= 0, place <= bytes.count - size else { return nil }
        return bytes[place..<place + size].reduce(0) { $0 << 8 | Int($1) }
    }

    /// A number of one to nine bytes of seven bits each, but eight in the ninth; `place` is behind it then.
    func varint(at place: inout Int) -> Int64? {
        var number: UInt64 = 0
        for index in 0..<9 {
            guard place >= 0, place < bytes.count else { return nil }
            let byte = UInt64(bytes[place])
            place += 1
            if index == 8 { return Int64(bitPattern: number << 8 | byte) }
            number = number << 7 | byte & 0x7F
            if byte < 0x80 { break }
        }
        return Int64(bitPattern: number)
    }
}

import BlogEssentials

/// Reads the pages of a database file without SQLite, to find the rows of a damaged file.
///
/// See https://www.sqlite.org/fileformat2.html. Free pages are skipped if the freelist is readable. The write-ahead log
/// is ignored.
package final class DatabasePages {
    private let file: Int32
    private let pageSize: Int
    /// The bytes of a page that SQLite uses.
    private let usableSize: Int
    /// The number of pages; the last may be truncated.
    package let count: Int
    private var free: Set<Int> = []

    package init?(path: String) {
        // The file is never closed, because that would drop all locks of the process on it, including SQLite's.
        file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        let header = Self.bytes(of: file, at: 0, count: 100)
        let isDatabase = header.starts(with: Array("SQLite format 3\0".utf8))
        let size = isDatabase ? header.number(at: 16, size: 2) ?? 0 : 0
        let isValid = size == 1 || size >= 512 && size.nonzeroBitCount == 1
        pageSize = isValid ? (size == 1 ? 65_536 : size) : Self.defaultPageSize
        let reserved = isValid ? header.number(at: 20, size: 1) ?? 0 : 0
        usableSize = pageSize - min(reserved, 32)
        count = (Int(max(lseek(file, 0, SEEK_END), 0)) + pageSize - 1) / pageSize
        if isValid { free = freePages(header) }
    }

    /// The intact rows or index entries on a page.
    ///
    /// - Parameter isWanted: whether to return records with a given number of values.
    package func records(ofPage number: Int, where isWanted: (Int) -> Bool) -> [PageRecord] {
        guard !free.contains(number), let page = page(number) else { return [] }
        let start = number == 1 ? 100 : 0
        guard let kind = page.number(at: start, size: 1).flatMap(PageKind.init(rawValue:)),
            let cells = page.number(at: start + 3, size: 2), cells <= pageSize / 4
        else { return [] }
        return (0..<cells).compactMap { index in
            let pointer = start + kind.headerSize + 2 * index
            return page.number(at: pointer, size: 2).flatMap { record(in: page, at: $0, kind, isWanted) }
        }
    }

    private func record(
        in page: [UInt8], at cell: Int, _ kind: PageKind, _ isWanted: (Int) -> Bool
    ) -> PageRecord? {
        var offset = cell + kind.childSize
        guard let size = page.varint(at: &offset), (1...Self.maxRecordSize).contains(size) else { return nil }
        var row: Int64?
        if kind == .tableLeaf {
            guard let key = page.varint(at: &offset) else { return nil }
            row = key
        }
        let local = localSize(of: Int(size), kind)
        guard let beginning = page.slice(at: offset, count: local) else { return nil }
        guard isWanted(PageRecord.header(of: beginning)?.types.count ?? 0) else { return nil }
        let overflow = page.number(at: offset + local, size: 4)
        guard let payload = payload(beginning, size: Int(size), overflowPage: overflow) else { return nil }
        return PageRecord(row: row, payload)
    }

    /// How many bytes of a record are on the page itself, not on overflow pages.
    private func localSize(of size: Int, _ kind: PageKind) -> Int {
        let most = kind == .tableLeaf ? usableSize - 35 : (usableSize - 12) * 64 / 255 - 23
        guard size > most else { return size }
        let least = (usableSize - 12) * 32 / 255 - 23
        let fitting = least + (size - least) % (usableSize - 4)
        return fitting <= most ? fitting : least
    }

    /// A record with its overflow pages; nil if one is missing.
    private func payload(_ beginning: [UInt8], size: Int, overflowPage first: Int?) -> [UInt8]? {
        var payload = beginning
        var next = first
        while payload.count < size {
            guard let number = next, number > 1, let page = page(number), !page.allSatisfy({ $0 == 0 }),
                let chunk = page.slice(at: 4, count: min(usableSize - 4, size - payload.count))
            else { return nil }
            payload += chunk
            next = page.number(at: 0, size: 4)
        }
        return payload
    }

    private func freePages(_ header: [UInt8]) -> Set<Int> {
        var free: Set<Int> = []
        var trunk = header.number(at: 32, size: 4) ?? 0
        while trunk > 1, free.insert(trunk).inserted, let page = page(trunk) {
            let leaves = min(page.number(at: 4, size: 4) ?? 0, pageSize / 4 - 2)
            for index in 0..<max(leaves, 0) { free.insert(page.number(at: 8 + 4 * index, size: 4) ?? 0) }
            trunk = page.number(at: 0, size: 4) ?? 0
        }
        return free
    }

    private func page(_ number: Int) -> [UInt8]? {
        guard (1...max(count, 1)).contains(number) else { return nil }
        let bytes = Self.bytes(of: file, at: (number - 1) * pageSize, count: pageSize)
        return bytes.isEmpty ? nil : bytes + [UInt8](repeating: 0, count: pageSize - bytes.count)
    }

    /// Bytes of the file, fewer at its end or after an error.
    private static func bytes(of file: Int32, at offset: Int, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, read in
            read = 0
            while read < count {
                let more = pread(file, buffer.baseAddress.map { $0 + read }, count - read, off_t(offset + read))
                guard more > 0 else { return }
                read += more
            }
        }
    }

    private static let defaultPageSize = 4096
    /// Rows with a greater size are damaged.
    private static let maxRecordSize: Int64 = 64 << 20
}

private enum PageKind: Int {
    case indexInterior = 2
    case indexLeaf = 10
    case tableLeaf = 13

    var headerSize: Int { self == .indexInterior ? 12 : 8 }
    /// The size of the child page number that precedes a record.
    var childSize: Int { self == .indexInterior ? 4 : 0 }
}

/// A row of a table or an entry of an index.
package struct PageRecord: Sendable {
    /// The rowid; nil for an index entry.
    package let row: Int64?
    /// The values in column order; blobs become null, and reals are truncated to integers.
    package let values: [DatabaseValue]

    /// Nil for invalid bytes.
    init?(row: Int64?, _ bytes: [UInt8]) {
        guard let (types, size) = Self.header(of: bytes) else { return nil }
        var offset = size
        var values: [DatabaseValue] = []
        for type in types {
            guard let value = Self.value(type, in: bytes, at: &offset) else { return nil }
            values.append(value)
        }
        self.row = row
        self.values = values
    }

    /// The serial types of a record's values, and the size of the header that has them; nil for invalid bytes.
    static func header(of record: [UInt8]) -> (types: [Int64], size: Int)? {
        var offset = 0
        guard let size = record.varint(at: &offset), size > 0, size <= record.count else { return nil }
        var types: [Int64] = []
        while offset < size {
            guard let type = record.varint(at: &offset) else { return nil }
            types.append(type)
        }
        return (types, Int(size))
    }

    /// The value of a serial type (the table "Serial Type Codes Of The Record Format"); nil for invalid bytes.
    private static func value(_ type: Int64, in bytes: [UInt8], at offset: inout Int) -> DatabaseValue? {
        guard (0...Int64(2 * bytes.count + 13)).contains(type), type != 10, type != 11 else { return nil }
        let size = type >= 12 ? (Int(type) - 12) / 2 : [0, 1, 2, 3, 4, 6, 8, 8, 0, 0][Int(type)]
        guard let content = bytes.slice(at: offset, count: size) else { return nil }
        offset += size
        switch type {
        case 1...6: return .integer(integer(content))
        case 7: return .integer(clamped(Double(bitPattern: UInt64(bitPattern: integer(content)))))
        case 8: return .integer(0)
        case 9: return .integer(1)
        // Stored text is always UTF-8.
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

/// Bounds-checked access, because offsets in a damaged file may point anywhere.
extension [UInt8] {
    fileprivate func slice(at offset: Int, count length: Int) -> [UInt8]? {
        guard offset >= 0, length >= 0, length <= count, offset <= count - length else { return nil }
        return Array(self[offset..<offset + length])
    }

    /// A big-endian number of up to four bytes.
    fileprivate func number(at offset: Int, size: Int) -> Int? {
        guard offset >= 0, offset <= count - size else { return nil }
        return self[offset..<offset + size].reduce(0) { $0 << 8 | Int($1) }
    }

    /// A variable-length integer of up to nine bytes.
    ///
    /// Advances `offset` to its end.
    fileprivate func varint(at offset: inout Int) -> Int64? {
        var number: UInt64 = 0
        for index in 0..<9 {
            guard offset >= 0, offset < count else { return nil }
            let byte = UInt64(self[offset])
            offset += 1
            if index == 8 { return Int64(bitPattern: number << 8 | byte) }
            number = number << 7 | byte & 0x7F
            if byte < 0x80 { break }
        }
        return Int64(bitPattern: number)
    }
}

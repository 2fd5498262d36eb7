import Essentials

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

    /// Nil if the file can't be opened.
    package init?(path: String) {
        // The file is never closed, because that would drop all locks of the process on it, including SQLite's.
        file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        let header = PageBytes(Self.bytes(of: file, at: 0, count: 100))
        let size = header.hasMagic ? header.number(at: 16, size: 2) ?? 0 : 0
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
        in page: PageBytes, at cell: Int, _ kind: PageKind, _ isWanted: (Int) -> Bool
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
        guard isWanted(PageRecord.valueCount(PageBytes(beginning)) ?? 0) else { return nil }
        let overflow = page.number(at: offset + local, size: 4)
        guard let payload = payload(beginning, size: Int(size), overflowPage: overflow) else { return nil }
        return PageRecord(row: row, PageBytes(payload))
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
            guard let number = next, number > 1, let page = page(number), !page.isZero,
                let chunk = page.slice(at: 4, count: min(usableSize - 4, size - payload.count))
            else { return nil }
            payload += chunk
            next = page.number(at: 0, size: 4)
        }
        return payload
    }

    private func freePages(_ header: PageBytes) -> Set<Int> {
        var free: Set<Int> = []
        var trunk = header.number(at: 32, size: 4) ?? 0
        while trunk > 1, free.insert(trunk).inserted, let page = page(trunk) {
            let leaves = min(page.number(at: 4, size: 4) ?? 0, pageSize / 4 - 2)
            for index in 0..<max(leaves, 0) { free.insert(page.number(at: 8 + 4 * index, size: 4) ?? 0) }
            trunk = page.number(at: 0, size: 4) ?? 0
        }
        return free
    }

    private func page(_ number: Int) -> PageBytes? {
        guard (1...max(count, 1)).contains(number) else { return nil }
        let bytes = Self.bytes(of: file, at: (number - 1) * pageSize, count: pageSize)
        return bytes.isEmpty ? nil : PageBytes(bytes + [UInt8](repeating: 0, count: pageSize - bytes.count))
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

/// The type of a B-tree page.
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
    init?(row: Int64?, _ bytes: PageBytes) {
        var offset = 0
        guard let headerSize = bytes.varint(at: &offset), (1...Int64(bytes.count)).contains(headerSize) else {
            return nil
        }
        var content = Int(headerSize)
        var values: [DatabaseValue] = []
        while offset < headerSize {
            guard let type = bytes.varint(at: &offset), let value = Self.value(type, in: bytes, at: &content)
            else { return nil }
            values.append(value)
        }
        self.row = row
        self.values = values
    }

    /// The number of values in a record, from its header; nil for invalid bytes.
    static func valueCount(_ beginning: PageBytes) -> Int? {
        var offset = 0
        guard let headerSize = beginning.varint(at: &offset), headerSize <= beginning.count else { return nil }
        var count = 0
        while offset < headerSize {
            guard beginning.varint(at: &offset) != nil else { return nil }
            count += 1
        }
        return count
    }

    /// The value of a serial type (the table "Serial Type Codes Of The Record Format"); nil for invalid bytes.
    private static func value(_ type: Int64, in bytes: PageBytes, at offset: inout Int) -> DatabaseValue? {
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

/// Bytes with bounds-checked access, because offsets in a damaged file may point anywhere.
struct PageBytes {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    var isZero: Bool { bytes.allSatisfy { $0 == 0 } }

    var hasMagic: Bool { bytes.starts(with: Array("SQLite format 3\0".utf8)) }

    func slice(at offset: Int, count: Int) -> [UInt8]? {
        guard offset >= 0, count >= 0, count <= bytes.count, offset <= bytes.count - count else { return nil }
        return Array(bytes[offset..<offset + count])
    }

    /// A big-endian number of up to four bytes.
    func number(at offset: Int, size: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - size else { return nil }
        return bytes[offset..<offset + size].reduce(0) { $0 << 8 | Int($1) }
    }

    /// A variable-length integer of up to nine bytes.
    ///
    /// Advances `offset` to its end.
    func varint(at offset: inout Int) -> Int64? {
        var number: UInt64 = 0
        for index in 0..<9 {
            guard offset >= 0, offset < bytes.count else { return nil }
            let byte = UInt64(bytes[offset])
            offset += 1
            if index == 8 { return Int64(bitPattern: number << 8 | byte) }
            number = number << 7 | byte & 0x7F
            if byte < 0x80 { break }
        }
        return Int64(bitPattern: number)
    }
}

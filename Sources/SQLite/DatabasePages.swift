import Foundation

/// The pages of a database file, read without SQLite: they hold the rows of a damaged file even where nothing leads to
/// them any more.
///
/// The format is that of https://www.sqlite.org/fileformat2.html. A page that was freed and not overwritten is skipped as
/// long as the list of free pages can be read. The write-ahead log is not looked at.
package final class DatabasePages {
    private let file: Int32
    private let pageSize: Int
    /// The bytes of a page that SQLite uses.
    private let usableSize: Int
    /// How many pages there are; the last may have been cut off.
    package let count: Int
    private var free: Set<Int> = []

    /// The pages of a file; nil if it can't be opened.
    package init?(path: String) {
        // It is never closed: closing a file drops all locks that the process has on it, those of SQLite too.
        file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        let header = PageBytes(Self.bytes(of: file, at: 0, count: 100))
        let size = header.hasMagic ? header.number(at: 16, size: 2) ?? 0 : 0
        let isUsual = size == 1 || size >= 512 && size.nonzeroBitCount == 1
        pageSize = isUsual ? (size == 1 ? 65_536 : size) : Self.defaultPageSize
        let reserved = isUsual ? header.number(at: 20, size: 1) ?? 0 : 0
        usableSize = pageSize - min(reserved, 32)
        count = (Int(max(lseek(file, 0, SEEK_END), 0)) + pageSize - 1) / pageSize
        if isUsual { free = freePages(header) }
    }

    /// The rows, or the entries of an index, that are on a page; what can't be read of it is left out.
    ///
    /// - Parameter isWanted: whether records with so many values are.
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
        var place = cell + kind.childSize
        guard let size = page.varint(at: &place), (1...Self.maxRecordSize).contains(size) else { return nil }
        var row: Int64?
        if kind == .tableLeaf {
            guard let key = page.varint(at: &place) else { return nil }
            row = key
        }
        let local = localSize(of: Int(size), kind)
        guard let beginning = page.slice(at: place, count: local) else { return nil }
        guard isWanted(PageRecord.valueCount(PageBytes(beginning)) ?? 0) else { return nil }
        let rest = page.number(at: place + local, size: 4)
        guard let payload = payload(beginning, size: Int(size), goesOnAt: rest) else { return nil }
        return PageRecord(row: row, PageBytes(payload))
    }

    /// How many bytes of a record are on the page itself.
    private func localSize(of size: Int, _ kind: PageKind) -> Int {
        let most = kind == .tableLeaf ? usableSize - 35 : (usableSize - 12) * 64 / 255 - 23
        guard size > most else { return size }
        let least = (usableSize - 12) * 32 / 255 - 23
        let fitting = least + (size - least) % (usableSize - 4)
        return fitting <= most ? fitting : least
    }

    /// A record with what lies on other pages; nil if one of those is lost.
    private func payload(_ beginning: [UInt8], size: Int, goesOnAt first: Int?) -> [UInt8]? {
        var payload = beginning
        var next = first
        while payload.count < size {
            guard let number = next, number > 1, let page = page(number), !page.isZero,
                let piece = page.slice(at: 4, count: min(usableSize - 4, size - payload.count))
            else { return nil }
            payload += piece
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

    /// Bytes of the file, fewer where it ends or can't be read.
    private static func bytes(of file: Int32, at place: Int, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, read in
            read = 0
            while read < count {
                let more = pread(file, buffer.baseAddress.map { $0 + read }, count - read, off_t(place + read))
                guard more > 0 else { return }
                read += more
            }
        }
    }

    private static let defaultPageSize = 4096
    /// No row is longer: what claims to be is damaged.
    private static let maxRecordSize: Int64 = 64 << 20
}

/// What a page of a tree holds.
private enum PageKind: Int {
    case indexInterior = 2
    case indexLeaf = 10
    case tableLeaf = 13

    var headerSize: Int { self == .indexInterior ? 12 : 8 }
    /// The bytes in front of a record that name another page.
    var childSize: Int { self == .indexInterior ? 4 : 0 }
}

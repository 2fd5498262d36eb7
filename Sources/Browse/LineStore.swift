import Essentials
import Rendering
import Synchronization

/// The lines of a post, of which only the first are in memory: the rest of a very long one is in a temporary file.
package struct LineStore: Sendable {
    private var storage = Storage()
    package private(set) var count = 0

    package init() {}

    package subscript(index: Int) -> StyledText { storage.line(index) }

    package mutating func append(_ lines: some Collection<StyledText>) {
        // Another value may have gone on with the same storage.
        if storage.count != count { storage = Storage(copying: storage, count) }
        storage.append(lines)
        count += lines.count
    }

    /// Lines that are only ever added.
    private final class Storage: Sendable {
        private let contents = Mutex(Contents())

        init() {}

        init(copying other: Storage, _ count: Int) {
            append((0..<count).map { other.line($0) })
        }

        var count: Int { contents.withLock { $0.count } }

        func append(_ lines: some Collection<StyledText>) { contents.withLock { $0.append(lines) } }

        func line(_ index: Int) -> StyledText { contents.withLock { $0.line(index) } }
    }

    private struct Contents: ~Copyable {
        private var lines: [StyledText] = []
        private var file: SpoolFile?
        /// Where each line of the file begins, and the last one ends.
        private var offsets: [Int] = [0]

        var count: Int { lines.count + offsets.count - 1 }

        mutating func append(_ more: some Collection<StyledText>) {
            let room = max(LineStore.linesInMemory - lines.count, 0)
            if offsets.count == 1 { lines += more.prefix(room) }
            let rest = offsets.count == 1 ? Array(more.dropFirst(room)) : Array(more)
            guard !rest.isEmpty else { return }
            if file == nil { file = SpoolFile() }
            var bytes: [UInt8] = []
            var ends: [Int] = []
            let start = offsets[offsets.count - 1]
            for line in rest {
                line.encode(into: &bytes)
                ends.append(start + bytes.count)
            }
            guard file?.write(bytes, at: start) == true else {
                // With no room on the disk, the text is in memory after all.
                let earlier = (0..<offsets.count - 1).map { line(lines.count + $0) }
                lines += earlier + rest
                file = nil
                offsets = [0]
                return
            }
            offsets += ends
        }

        func line(_ index: Int) -> StyledText {
            guard index >= lines.count else { return lines[index] }
            let place = index - lines.count
            let bytes = file?.read(offsets[place]..<offsets[place + 1]) ?? []
            return StyledText(encoded: bytes)
        }
    }

    /// About two megabytes of text with its styles.
    private static let linesInMemory = 10_000
}

/// A temporary file without a name, which is gone with the process.
private struct SpoolFile: ~Copyable {
    private let descriptor: Int32

    init?() {
        var path = Array((FileManager.default.temporaryDirectory.path + "/blog-text-XXXXXX").utf8CString)
        descriptor = mkstemp(&path)
        guard descriptor >= 0 else { return nil }
        unlink(path)
    }

    deinit { close(descriptor) }

    /// False if not all could be written.
    func write(_ bytes: [UInt8], at offset: Int) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                let rest = UnsafeRawBufferPointer(rebasing: $0[done...])
                return pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
            }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    func read(_ range: Range<Int>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            count = max(pread(descriptor, buffer.baseAddress, range.count, off_t(range.lowerBound)), 0)
        }
    }
}

extension StyledText {
    /// Adds the text, without its pictures, in a form that ``init(encoded:)`` takes.
    ///
    /// For each run these are the styles, the link and the text, each after its length.
    fileprivate func encode(into bytes: inout [UInt8]) {
        for run in runs {
            bytes.append(UInt8(min(run.styles.count, 255)))
            for style in run.styles.prefix(255) { bytes += style.code }
            for part in [run.link ?? "", run.text] {
                withUnsafeBytes(of: UInt32(part.utf8.count)) { bytes += $0 }
                bytes += part.utf8
            }
        }
    }

    fileprivate init(encoded bytes: [UInt8]) {
        self.init()
        var rest = bytes[...]
        func text() -> String {
            var count: UInt32 = 0
            withUnsafeMutableBytes(of: &count) { $0.copyBytes(from: rest.prefix(4)) }
            rest = rest.dropFirst(4)
            defer { rest = rest.dropFirst(Int(count)) }
            return String(decoding: rest.prefix(Int(count)), as: UTF8.self)
        }
        while let count = rest.popFirst() {
            var styles: [Style] = []
            for _ in 0..<count {
                if let style = Style(code: rest.prefix(2)) { styles.append(style) }
                rest = rest.dropFirst(2)
            }
            let link = text()
            self += StyledText(text(), styles, link: link.isEmpty ? nil : link)
        }
    }
}

extension Style {
    private static let plain: [Style] = [
        .title, .groupTitle, .author, .muted, .unread, .saved, .hit, .link, .image, .strong, .emphasis, .code, .strike,
        .mapMark,
    ]

    /// Two bytes: which one it is, and its level or depth.
    fileprivate var code: [UInt8] {
        switch self {
        case .heading(let level): [254, UInt8(clamping: level)]
        case .branch(let depth): [255, UInt8(clamping: depth)]
        // Pictures are no lines of a text.
        case .picture: [0, 0]
        default: [UInt8(Self.plain.firstIndex(of: self) ?? 0), 0]
        }
    }

    fileprivate init?(code: ArraySlice<UInt8>) {
        guard let kind = code.first, let level = code.dropFirst().first else { return nil }
        switch kind {
        case 254: self = .heading(level: Int(level))
        case 255: self = .branch(depth: Int(level))
        default:
            guard Self.plain.indices.contains(Int(kind)) else { return nil }
            self = Self.plain[Int(kind)]
        }
    }
}

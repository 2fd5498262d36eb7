import BlogEssentials
import BlogRendering
import Synchronization

/// The lines of a post, which are in a temporary file after the first 10,000.
///
/// Copies share their storage, to which lines are only ever appended.
package struct LineStore: Sendable {
    private var storage = Storage()
    package private(set) var count = 0

    package subscript(index: Int) -> StyledText { storage.contents.withLock { $0.line(index) } }

    package mutating func append(_ lines: some Collection<StyledText>) {
        // A copy may have appended to the storage.
        if storage.contents.withLock({ $0.count }) != count {
            let own = (0..<count).map { self[$0] }
            storage = Storage()
            storage.contents.withLock { $0.append(own) }
        }
        storage.contents.withLock { $0.append(lines) }
        count += lines.count
    }

    private final class Storage: Sendable {
        let contents = Mutex(Contents())
    }

    private struct Contents: ~Copyable {
        private var lines: [StyledText] = []
        private var file: TemporaryFile?
        /// The offset of each line in the file, and the end of the last one.
        private var offsets: [Int] = [0]

        var count: Int { lines.count + offsets.count - 1 }

        mutating func append(_ more: some Collection<StyledText>) {
            let room = max(LineStore.linesInMemory - lines.count, 0)
            if offsets.count == 1 { lines += more.prefix(room) }
            let rest = offsets.count == 1 ? Array(more.dropFirst(room)) : Array(more)
            guard !rest.isEmpty else { return }
            if file == nil { file = TemporaryFile() }
            var bytes: [UInt8] = []
            var ends: [Int] = []
            let start = offsets[offsets.count - 1]
            for line in rest {
                line.encode(into: &bytes)
                ends.append(start + bytes.count)
            }
            guard bytes.withUnsafeBytes({ file?.write($0, at: start) }) == true else {
                // If the disk is full, keep everything in memory.
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
            let number = index - lines.count
            let size = offsets[number + 1] - offsets[number]
            let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
                let free = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<size])
                count = max(file?.read(into: free, at: offsets[number]) ?? 0, 0)
            }
            return StyledText(encoded: bytes)
        }
    }

    /// About two megabytes of text with its styles.
    private static let linesInMemory = 10_000
}

extension StyledText {
    /// Appends the text, without pictures, in a form that ``init(encoded:)`` reads: for each run the styles, the link and
    /// the text, each preceded by its length.
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

    /// Two bytes: the style, and its level or depth.
    fileprivate var code: [UInt8] {
        switch self {
        case .heading(let level): [254, UInt8(clamping: level)]
        case .branch(let depth): [255, UInt8(clamping: depth)]
        // Lines of text have no pictures.
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

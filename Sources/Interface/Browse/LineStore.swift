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
        /// The combinations of styles in the file, which refers to them by their indexes here.
        private var styles: [[Style]] = []
        private var indexes: [[Style]: UInt32] = [:]

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
                encode(line, into: &bytes)
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
            return decoded(bytes[...])
        }

        /// Appends a line, without pictures: for each run its styles, and its link and its text, each after its length.
        private mutating func encode(_ line: StyledText, into bytes: inout [UInt8]) {
            func append(_ number: UInt32) { withUnsafeBytes(of: number) { bytes += $0 } }
            for run in line.runs {
                append(index(of: run.styles))
                for part in [run.link ?? "", run.text] {
                    append(UInt32(part.utf8.count))
                    bytes += part.utf8
                }
            }
        }

        private mutating func index(of styles: [Style]) -> UInt32 {
            if let index = indexes[styles] { return index }
            let index = UInt32(self.styles.count)
            self.styles.append(styles)
            indexes[styles] = index
            return index
        }

        private func decoded(_ bytes: ArraySlice<UInt8>) -> StyledText {
            var (text, rest) = (StyledText(), bytes)
            func number() -> Int {
                var number: UInt32 = 0
                withUnsafeMutableBytes(of: &number) { $0.copyBytes(from: rest.prefix(4)) }
                rest = rest.dropFirst(4)
                return Int(number)
            }
            func part() -> String {
                let count = number()
                defer { rest = rest.dropFirst(count) }
                return String(decoding: rest.prefix(count), as: UTF8.self)
            }
            while !rest.isEmpty {
                let index = number()
                let link = part()
                text += StyledText(
                    part(), styles.indices.contains(index) ? styles[index] : [], link: link.isEmpty ? nil : link)
            }
            return text
        }
    }

    /// About two megabytes of text with its styles.
    private static let linesInMemory = 10_000
}

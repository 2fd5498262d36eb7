import BlogEssentials
import BlogModel

/// Collects a body while it arrives: in memory, or if it gets long, in a temporary file.
package struct BodyBuffer {
    private var text = ""
    private var file: TextFile?
    /// How many bytes are in the file.
    private var fileSize = 0

    package init() {}

    package mutating func append(_ chunk: String) throws {
        if text.isEmpty { text = chunk } else { text += chunk }
        if text.utf8.count >= PostStore.partSize { try flush() }
    }

    package mutating func finish() throws -> BodyContent {
        guard let file else { return .text(text) }
        try flush()
        return .long(file)
    }

    private mutating func flush() throws {
        let file = try file ?? TextFile()
        try file.write(text, at: fileSize)
        self.file = file
        fileSize += text.utf8.count
        text = ""
    }
}

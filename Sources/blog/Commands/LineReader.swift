import Foundation

/// The lines of a file or of stdin, without their ends, whatever bytes they are.
final class LineReader: Sequence, IteratorProtocol {
    private let file: UnsafeMutablePointer<FILE>
    private var buffer: UnsafeMutablePointer<CChar>?
    private var capacity = 0

    /// A reader of the file at a path, `-` for stdin; nil where it can't be read.
    init?(path: String) {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue { return nil }
        guard let file = path == "-" ? fdopen(dup(0), "r") : fopen(path, "r") else { return nil }
        self.file = file
    }

    deinit {
        free(buffer)
        fclose(file)
    }

    func next() -> Data? {
        let count = getline(&buffer, &capacity, file)
        guard count > 0, let buffer else { return nil }
        let line = UnsafeRawBufferPointer(start: buffer, count: count)
        return Data(line.last == 0x0A ? line.dropLast() : line[...])
    }
}

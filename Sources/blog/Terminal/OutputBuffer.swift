import BlogCore

/// Output that is not written yet: text, and pictures that are painted only then.
struct OutputBuffer {
    private var text: [UInt8] = []
    /// The pictures, each with the text before it.
    private var pictures: [(before: [UInt8], place: PicturePlace, margin: Int)] = []
    /// How many lines of text there are; pictures don't count, so that no pager starts because of one.
    private(set) var lineCount = 0
    /// How many bytes of text.
    var byteCount: Int { pictures.reduce(text.count) { $0 + $1.before.count } }

    mutating func append(_ piece: String) {
        var piece = piece
        piece.withUTF8 { bytes in
            text.append(contentsOf: bytes)
            for byte in bytes where byte == 0x0A { lineCount += 1 }
        }
    }

    mutating func append(_ place: PicturePlace, margin: Int) {
        pictures.append((text, place, margin))
        text = []
    }

    /// Writes all of it, also where writing fails.
    ///
    /// - Parameter paint: gives a picture with its margin as a terminal takes it; nil for none.
    mutating func write(to stream: FileStream, paint: (PicturePlace, Int) -> [UInt8]?) throws {
        defer {
            text.removeAll(keepingCapacity: true)
            (pictures, lineCount) = ([], 0)
        }
        for picture in pictures {
            try stream.write(picture.before)
            if let bytes = paint(picture.place, picture.margin) { try stream.write(bytes) }
        }
        try stream.write(text)
    }
}

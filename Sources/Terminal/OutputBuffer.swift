import Rendering

/// Output that is not written yet: text, and pictures that are painted only then.
struct OutputBuffer {
    private var text: [UInt8] = []
    /// The pictures, each with the text before it.
    private var pictures: [(before: [UInt8], place: PicturePlace, margin: Int)] = []
    /// How many of the lines there are that were counted; pictures don't count, so that no pager starts because of one.
    private(set) var lineCount = 0
    /// How many bytes of text.
    var byteCount: Int { pictures.reduce(text.count) { $0 + $1.before.count } }

    /// Adds text; counting its lines takes as long as everything else about a long one.
    mutating func append(_ piece: String, countsLines: Bool) {
        text.append(contentsOf: piece.utf8)
        if countsLines { lineCount += piece.utf8.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) } }
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

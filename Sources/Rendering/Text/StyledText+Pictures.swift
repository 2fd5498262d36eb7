extension StyledText {
    /// A part of a text: lines, perhaps with a picture above the first of them.
    package struct Part: Sendable, Equatable {
        /// The picture; nil for none.
        package let picture: PicturePlace?
        /// The columns that are left free in front of the picture.
        package let margin: Int
        package let text: StyledText
    }

    /// The places of pictures in the text, in order.
    package var pictures: [PicturePlace] { runs.compactMap(\.picture) }

    /// The text cut in front of each line that has a picture.
    package var cutAtPictures: [Part] {
        guard runs.contains(where: { $0.picture != nil }) else { return [Part(picture: nil, margin: 0, text: self)] }
        var parts: [Part] = []
        var (picture, margin) = (PicturePlace?.none, 0)
        // What was read: whole lines, and the beginning of one.
        var (text, line) = (StyledText(), StyledText())
        for run in runs {
            if let next = run.picture {
                if picture != nil || !text.isEmpty { parts.append(Part(picture: picture, margin: margin, text: text)) }
                (picture, margin, text) = (next, line.width, StyledText())
            } else if let end = run.text.utf8.lastIndex(of: UInt8(ascii: "\n")).map(run.text.utf8.index(after:)) {
                text += line + run.with(String(run.text[..<end]))
                line = run.with(String(run.text[end...]))
            } else {
                line += run.with(run.text)
            }
        }
        return parts + [Part(picture: picture, margin: margin, text: text + line)]
    }
}

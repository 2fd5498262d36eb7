import Model

extension Photo {
    /// The pictures by how well they fill some columns of a terminal: the smallest that is large enough, larger ones,
    /// then smaller ones; those that are cut to a square after all others.
    func pictures(fitting columns: Int) -> [Picture] {
        let wanted = columns * Self.pixelsPerColumn
        func sorted(_ pictures: [Picture]) -> [Picture] {
            let start = pictures.firstIndex { Self.pixels($0) >= wanted } ?? pictures.count
            return pictures[start...] + pictures[..<start].reversed()
        }
        return sorted(pictures.filter { !Self.isCropped($0) }) + sorted(pictures.filter(Self.isCropped))
    }

    /// How long the longer side is; unknown ones are taken for large enough.
    private static func pixels(_ picture: Picture) -> Int {
        picture.size.map { pixelsOfSizes[$0] ?? $0 } ?? .max
    }

    private static func isCropped(_ picture: Picture) -> Bool { picture.size.map(croppedSizes.contains) ?? false }

    /// Sizes that are no number of pixels (https://github.com/500px/legacy-api-documentation, "Image sizes").
    private static let pixelsOfSizes = [
        1: 70, 2: 140, 3: 280, 4: 900, 5: 1170, 6: 1080, 20: 300, 21: 600, 30: 256, 31: 450,
    ]
    private static let croppedSizes: Set = [1, 2, 3, 100, 200, 440, 600]
    /// Of a terminal's usual font.
    private static let pixelsPerColumn = 10
}

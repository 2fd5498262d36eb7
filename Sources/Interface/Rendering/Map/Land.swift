/// The land of the Earth.
enum Land {
    /// The closed outlines of continents and islands, and of the seas within them, in degrees.
    ///
    /// Each occurs three times, 360° apart, so that maps can be centred on any meridian.
    static let outlines: [[MapPoint]] = LandOutline.encoded.split(separator: ";").map(points).flatMap(copies)

    private static func copies(of outline: [MapPoint]) -> [[MapPoint]] {
        guard let first = outline.first, let last = outline.last else { return [] }
        guard abs(last.x - first.x) < 180 else {
            // The coast of Antarctica goes around a pole, which is the edge of the map.
            let coast = [-360, 0, 360].flatMap { shifted(outline, by: last.x < first.x ? -$0 : $0) }
            return [coast + [MapPoint(x: coast[coast.count - 1].x, y: -90), MapPoint(x: coast[0].x, y: -90)]]
        }
        let longitudes = outline.map(\.x)
        let middle = ((longitudes.min() ?? 0) + (longitudes.max() ?? 0)) / 2
        let start = -360 * ((middle + 180) / 360).rounded(.down)
        return [-360, 0, 360].map { shifted(outline, by: start + $0) }
    }

    private static func shifted(_ outline: [MapPoint], by degrees: Double) -> [MapPoint] {
        outline.map { MapPoint(x: $0.x + degrees, y: $0.y) }
    }

    /// Decodes the points of an outline from the "encoded polyline algorithm format"
    /// (https://developers.google.com/maps/documentation/utilities/polylinealgorithm), deltas in tenths of a degree.
    private static func points(_ text: Substring) -> [MapPoint] {
        let numbers = numbers(text)
        var (points, longitude, latitude) = ([MapPoint](), 0, 0)
        for index in stride(from: 0, to: numbers.count - 1, by: 2) {
            longitude += numbers[index]
            latitude += numbers[index + 1]
            points.append(MapPoint(x: Double(longitude) / 10, y: Double(latitude) / 10))
        }
        return points
    }

    /// Each character has five bits, least significant first, and a sixth that is set if more follow; the first bit of a
    /// number is its sign.
    private static func numbers(_ text: Substring) -> [Int] {
        let firstByte: UInt8 = 63
        var (numbers, number, shift) = ([Int](), 0, 0)
        for byte in text.utf8 where byte >= firstByte {
            let bits = Int(byte - firstByte)
            number |= (bits & 0x1F) << shift
            shift += 5
            guard bits < 0x20 else { continue }
            numbers.append(number & 1 == 0 ? number >> 1 : ~(number >> 1))
            (number, shift) = (0, 0)
        }
        return numbers
    }
}

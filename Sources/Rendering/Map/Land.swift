/// The land of the Earth.
struct Land {
    /// The closed outlines of continents and islands, and of the seas within them.
    let outlines: [[GlobeVector]]
    /// The stretches of coast in each degree of longitude, from 180° west on.
    private let coasts: [[Coast]]

    /// All of it.
    static let ofEarth = Land(LandOutline.encoded)

    /// Decodes outlines, which are written as in ``LandOutline``.
    init(_ encoded: String) {
        var (outlines, coasts) = ([[GlobeVector]](), [[Coast]](repeating: [], count: 360))
        for text in encoded.split(separator: ";") {
            let points = EncodedPolyline.points(text).map(Point.init)
            outlines.append(points.map(\.vector))
            for (point, next) in zip(points, points.dropFirst() + points.prefix(1)) {
                Self.add(point, next, to: &coasts)
            }
        }
        (self.outlines, self.coasts) = (outlines, coasts)
    }

    /// Whether there is land at a point.
    ///
    /// There is if the way from there straight to the north pole, which is in the sea, crosses the coast an odd number
    /// of times.
    func contains(_ point: GlobeVector) -> Bool {
        let longitude = point.longitude
        guard let degree = Int(exactly: longitude.rounded(.down)), (-180...180).contains(degree) else { return false }
        // The easternmost longitude is the westernmost one too.
        let (column, place) = degree == 180 ? (0, longitude - 360) : (degree + 180, longitude)
        var isLand = false
        for coast in coasts[column] where coast.isNorth(of: point, at: place) { isLand.toggle() }
        return isLand
    }

    // MARK: Coasts

    /// A point of an outline in tenths of a degree.
    private struct Point {
        let longitude: Int
        let latitude: Int

        /// A point that may have been reached once around the Earth.
        init(longitude: Int, latitude: Int) {
            self.longitude = (longitude % 3600 + 5400) % 3600 - 1800
            self.latitude = latitude
        }

        var vector: GlobeVector {
            GlobeVector(latitude: Double(latitude) / 10, longitude: Double(longitude) / 10)
        }
    }

    /// A straight stretch of coast.
    private struct Coast {
        /// The longitudes of its ends.
        let west: Double
        let east: Double
        /// At right angles to its plane, which is that of a great circle, on the northern side.
        let normal: GlobeVector

        func isNorth(of point: GlobeVector, at longitude: Double) -> Bool {
            west <= longitude && longitude < east && normal.dot(point) < 0
        }
    }

    /// Notes a stretch of coast in all degrees of longitude in which it is.
    private static func add(_ start: Point, _ end: Point, to coasts: inout [[Coast]]) {
        // Across 180° the short way.
        let span = (end.longitude - start.longitude + 5400) % 3600 - 1800
        let (west, east) = span < 0 ? (end, start) : (start, end)
        let normal = west.vector.cross(east.vector)
        let first = (west.longitude + 1800) % 3600
        for degree in first / 10...(first + abs(span)) / 10 {
            let shift = degree < 360 ? -1800 : -5400
            let coast = Coast(
                west: Double(first + shift) / 10, east: Double(first + abs(span) + shift) / 10, normal: normal)
            coasts[degree % 360].append(coast)
        }
    }
}

/// Points written as text in the "encoded polyline algorithm format"
/// (https://developers.google.com/maps/documentation/utilities/polylinealgorithm).
enum EncodedPolyline {
    /// The numbers of the points, two for each, as sums of the differences that are written.
    static func points(_ text: some StringProtocol) -> [(Int, Int)] {
        let numbers = numbers(text)
        var (points, last) = ([(Int, Int)](), (0, 0))
        for index in stride(from: 0, to: numbers.count - 1, by: 2) {
            last = (last.0 + numbers[index], last.1 + numbers[index + 1])
            points.append(last)
        }
        return points
    }

    /// Five bits a character, the lowest first; the sixth says that there are more, and the first of all is the sign.
    private static func numbers(_ text: some StringProtocol) -> [Int] {
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

    private static let firstByte: UInt8 = 63
}

import Foundation
import Model

/// A small map of where a place is.
package struct WorldMap {
    private let place: Coordinates

    package init(of place: Coordinates) {
        self.place = place
    }

    // MARK: Text

    /// The map in at most 16 lines, without empty ones above and below: the region, and beside it the world where there
    /// is room for both.
    package func lines(width: Int) -> [StyledText] {
        let lines = (width < Self.leastWidthForBoth ? region(columns: width) : both(width: width)).map(\.trimmed)
        let drawn = lines.indices.filter { !lines[$0].isEmpty }
        return Array(lines[(drawn.first ?? 0)...(drawn.last ?? 0)])
    }

    private static let leastWidthForBoth = 70
    private static let gap = "   "

    private func both(width: Int) -> [StyledText] {
        let region = region(columns: width - Self.gap.count - Self.worldColumns)
        let world = world
        let first = (region.count - world.count) / 2
        return region.enumerated().map { index, line in
            world.indices.contains(index - first) ? line + StyledText(Self.gap) + world[index - first] : line
        }
    }

    /// What is around the place.
    private func region(columns: Int) -> [StyledText] {
        let columns = min(max(columns, 1), Self.maxColumns)
        let rows = min(max(columns * 2 / 5, 1), Self.maxRows)
        let view = MapView(around: place, aspect: Double(columns) / Double(rows * 2))
        let step = view.halfHeight / Double(rows * 2)
        let mark = (column: columns / 2, row: rows / 2)
        let map = DotMap(columns: columns, rows: rows) { x, y in
            // The place is in the middle of the cell with the mark.
            let (east, south) = (Double(x - mark.column * 2) - 0.5, Double(y - mark.row * 4) - 1.5)
            return view.projection.vector(MapProjection.Point(x: east * step, y: -south * step))
        }
        return map.lines(mark: mark)
    }

    private static let maxColumns = 80
    private static let maxRows = 16

    private var world: [StyledText] {
        let (columns, rows) = (Self.worldColumns, Self.worldColumns / 4)
        let step = 180 / Double(columns)
        let map = DotMap(columns: columns, rows: rows, isFilled: true) { x, y in
            GlobeVector(latitude: 90 - (Double(y) + 0.5) * step, longitude: (Double(x) + 0.5) * step - 180)
        }
        // The eastern and the southern edge are of the last cells.
        let column = min(Int((place.longitude + 180) / (2 * step)), columns - 1)
        let row = min(Int((90 - place.latitude) / (4 * step)), rows - 1)
        return map.lines(mark: (column, row))
    }

    private static let worldColumns = 36

    // MARK: SVG

    /// The map as an SVG image of a page, with a title for those who don't see it.
    ///
    /// Its parts have the classes `map-land` and `map-mark`, and the colour of the text where a page gives them none.
    package func svg(title: String) -> PageText {
        let (width, height) = (600.0, 400.0)
        let land = SVGLand(MapView(around: place, aspect: width / height), height: height)
        let place = (x: (width / 2).decimals(1), y: (height / 2).decimals(1))
        return """
            <svg class="map" role="img" viewBox="0 0 \(width.decimals(0)) \(height.decimals(0))">
            <title>\(title)</title>
            <path class="map-land" fill="currentColor" fill-opacity="0.2" fill-rule="evenodd" stroke="currentColor" \
            d="\(land.path)"/>
            <circle class="map-mark" fill="currentColor" cx="\(place.x)" cy="\(place.y)" r="8"/>
            </svg>
            """
    }
}

/// The part of the Earth that a map shows: a rectangle with a place in its middle.
struct MapView {
    let projection: MapProjection
    /// From the middle to the upper edge, in radii of the Earth.
    let halfHeight: Double
    /// From the middle to the right edge.
    let halfWidth: Double

    /// As near as there is something to recognize: both land and sea.
    ///
    /// How near that is depends on the place alone, so that it looks the same wherever it is shown.
    init(around place: Coordinates, aspect: Double) {
        let projection = MapProjection(center: place)
        let halfHeight = Self.halfHeights.first { halfHeight in
            let view = MapView(projection: projection, halfHeight: halfHeight, aspect: 1.5)
            return Self.recognizable.contains(view.landShare)
        }
        self.init(projection: projection, halfHeight: halfHeight ?? Self.farthest, aspect: aspect)
    }

    private init(projection: MapProjection, halfHeight: Double, aspect: Double) {
        self.projection = projection
        self.halfHeight = halfHeight
        halfWidth = halfHeight * aspect
    }

    private static let halfHeights = [12, 16, 22, 30, 40].map(MapProjection.distance)
    private static let farthest = MapProjection.distance(degrees: 52)
    private static let recognizable = 0.06...0.7

    /// How much of the view is land, about.
    private var landShare: Double {
        let steps = stride(from: -0.95, through: 0.95, by: 0.1)
        let points = steps.flatMap { y in
            steps.map { x in MapProjection.Point(x: x * halfWidth, y: y * halfHeight) }
        }
        let land = points.count { projection.vector($0).map(Land.ofEarth.contains) ?? false }
        return Double(land) / Double(points.count)
    }
}

/// Lambert's azimuthal equal-area projection: the Earth as a disc around a place, with north above it.
///
/// It is the same everywhere, at the poles and at 180° too: areas are true, and so are shapes but for the far side.
struct MapProjection {
    private let east: GlobeVector
    private let north: GlobeVector
    let center: GlobeVector

    /// A point of the disc in radii of the Earth, from the place to the east and to the north.
    struct Point {
        let x: Double
        let y: Double

        var distance: Double { (x * x + y * y).squareRoot() }
        /// From east to north, in radians.
        var angle: Double { atan2(y, x) }
    }

    init(center: Coordinates) {
        // A hair off, so that no point of an outline, which are tenths of a degree, is on the other side of the Earth.
        let (latitude, longitude) = (center.latitude * (1 - 1e-9), center.longitude + 1e-7)
        self.center = GlobeVector(latitude: latitude, longitude: longitude)
        east = GlobeVector(latitude: 0, longitude: longitude + 90)
        north = GlobeVector(latitude: latitude + 90, longitude: longitude)
    }

    /// How far from the middle of the disc is what is so many degrees from the place.
    static func distance(degrees: Double) -> Double { 2 * sin(degrees * Double.pi / 360) }

    /// Where a point on the Earth is on the disc.
    func point(_ vector: GlobeVector) -> Point {
        let (x, y, depth) = (vector.dot(east), vector.dot(north), vector.dot(center))
        // Both are the same, but the first is exact near the middle and the second near the edge.
        let square = depth > 0 ? 2 / (1 + depth) : (2 - 2 * depth) / max(x * x + y * y, .leastNormalMagnitude)
        let scale = square.squareRoot()
        return Point(x: scale * x, y: scale * y)
    }

    /// What is at a point of the disc; nil outside it.
    func vector(_ point: Point) -> GlobeVector? {
        let square = point.x * point.x + point.y * point.y
        guard square < 4 else { return nil }
        let (scale, depth) = ((1 - square / 4).squareRoot(), 1 - square / 2)
        let (x, y) = (point.x * scale, point.y * scale)
        return GlobeVector(
            x: x * east.x + y * north.x + depth * center.x,
            y: x * east.y + y * north.y + depth * center.y,
            z: x * east.z + y * north.z + depth * center.z)
    }
}

/// A direction from the middle of the Earth, which is a ball here: x to 0° north and east, y to 90° east, z north.
struct GlobeVector {
    let x: Double
    let y: Double
    let z: Double

    init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// The direction to a point on the ground, of length 1.
    init(latitude: Double, longitude: Double) {
        let (latitude, longitude) = (latitude * .pi / 180, longitude * .pi / 180)
        self.init(x: cos(latitude) * cos(longitude), y: cos(latitude) * sin(longitude), z: sin(latitude))
    }

    /// Degrees east of Greenwich, from -180 to 180.
    var longitude: Double { atan2(y, x) * 180 / .pi }

    /// The direction to the point on the other side of the Earth.
    static prefix func - (vector: GlobeVector) -> GlobeVector {
        GlobeVector(x: -vector.x, y: -vector.y, z: -vector.z)
    }

    func dot(_ other: GlobeVector) -> Double { x * other.x + y * other.y + z * other.z }

    /// What is at right angles to both, so that from outside the Earth it is on the left of the way to the other.
    func cross(_ other: GlobeVector) -> GlobeVector {
        GlobeVector(
            x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
    }
}

extension Coordinates {
    /// The degrees in words: "64.1466° N, 21.9426° W".
    package var text: String {
        let (north, east) = (latitude.decimals(Self.decimals), longitude.decimals(Self.decimals))
        return Self.degrees(north, "N", "S") + ", " + Self.degrees(east, "E", "W")
    }

    private static func degrees(_ number: String, _ positive: String, _ negative: String) -> String {
        number.hasPrefix("-") ? "\(number.dropFirst())° \(negative)" : "\(number)° \(positive)"
    }

    /// The address of a map at OpenStreetMap with a mark at the place.
    package var openStreetMapAddress: String {
        let (north, east) = (latitude.decimals(Self.decimals), longitude.decimals(Self.decimals))
        return "https://www.openstreetmap.org/?mlat=\(north)&mlon=\(east)&zoom=10"
    }

    /// As many as tell places ten metres apart.
    private static let decimals = 4
}

extension Double {
    /// The number with at most so many decimals, and none that are zero: "64.1466", "-7".
    func decimals(_ count: Int) -> String {
        let scale = (0..<count).reduce(1.0) { scale, _ in scale * 10 }
        // What is added makes zero of minus zero.
        let text = ((self * scale).rounded() / scale + 0).description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

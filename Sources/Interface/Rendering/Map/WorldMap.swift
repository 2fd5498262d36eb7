import BlogEssentials
import BlogMarkup
import BlogModel

/// Draws a small map of the land around a marked location.
package struct WorldMap {
    private let location: Coordinates

    package init(of location: Coordinates) {
        self.location = location
    }

    // MARK: Text

    /// The map in at most 16 lines, without blank ones above and below: the region, and beside it the world if there is
    /// room for both.
    package func lines(width: Int) -> [StyledText] {
        let lines = (width < Self.minWidthForBoth ? region(columns: width) : both(width: width)).map(\.trimmed)
        let drawn = lines.indices.filter { !lines[$0].isEmpty }
        return Array(lines[(drawn.first ?? 0)...(drawn.last ?? 0)])
    }

    private func both(width: Int) -> [StyledText] {
        let region = region(columns: width - Self.gap.count - Self.worldColumns)
        let world = world
        let first = (region.count - world.count) / 2
        return region.enumerated().map { index, line in
            world.indices.contains(index - first) ? line + StyledText(Self.gap) + world[index - first] : line
        }
    }

    /// The land around the location, which is at the centre of the cell with the mark.
    private func region(columns: Int) -> [StyledText] {
        let columns = min(max(columns, 1), Self.maxColumns)
        let rows = min(max(columns * 2 / 5, 1), Self.maxRows)
        let mark = (column: columns / 2, row: rows / 2)
        let view = MapView(
            of: point, at: MapPoint(x: Double(2 * mark.column + 1), y: Double(4 * mark.row + 2)),
            width: 2 * columns, height: 4 * rows, halfHeight: MapView.halfHeight(around: point))
        return BrailleMap(view).lines(mark: mark)
    }

    private var world: [StyledText] {
        let (columns, rows) = (Self.worldColumns, Self.worldColumns / 4)
        // The eastern and southern edges belong to the last cells.
        let column = min(Int((location.longitude + 180) / 360 * Double(columns)), columns - 1)
        let row = min(Int((90 - location.latitude) / 180 * Double(rows)), rows - 1)
        let view = MapView(
            of: MapPoint(x: 0, y: 0), at: MapPoint(x: Double(columns), y: Double(2 * rows)),
            width: 2 * columns, height: 4 * rows, halfHeight: 90)
        return BrailleMap(view, isFilled: true).lines(mark: (column, row))
    }

    private var point: MapPoint { MapPoint(x: location.longitude, y: location.latitude) }

    private static let minWidthForBoth = 70
    private static let gap = "   "
    private static let maxColumns = 80
    private static let maxRows = 16
    private static let worldColumns = 36

    // MARK: SVG

    /// The map as an SVG image for a page, with a title for screen readers.
    ///
    /// Its parts have the classes `map-land` and `map-mark`, and by default the colour of the text.
    package func svg(title: String) -> PageText {
        let (width, height) = (600, 400)
        let view = MapView(
            of: point, at: MapPoint(x: Double(width / 2), y: Double(height / 2)), width: width, height: height,
            halfHeight: MapView.halfHeight(around: point))
        return """
            <svg class="map" role="img" viewBox="0 0 \(width) \(height)">
            <title>\(title)</title>
            <path class="map-land" fill="currentColor" fill-opacity="0.2" fill-rule="evenodd" stroke="currentColor" \
            d="\(view.path)"/>
            <circle class="map-mark" fill="currentColor" cx="\(width / 2)" cy="\(height / 2)" r="8"/>
            </svg>
            """
    }
}

/// A point on a map, or on the Earth in degrees east and north.
struct MapPoint {
    let x: Double
    let y: Double
}

/// A rectangle of the Earth in an equirectangular projection, in units of the map: dots or pixels.
///
/// Its standard parallel is that of the location, so that the land around it has its true shape.
struct MapView {
    private let width: Int
    private let height: Int
    /// The units per degree of longitude and of latitude.
    private let degree: MapPoint
    /// The outlines of all land, inside and outside the rectangle.
    private let land: [[MapPoint]]

    /// - Parameters:
    ///   - point: the position of the location on the map.
    ///   - halfHeight: half the height of the map in degrees.
    init(of location: MapPoint, at point: MapPoint, width: Int, height: Int, halfHeight: Double) {
        let north = Double(height) / (2 * halfHeight)
        // At a pole, where all meridians meet, a map with the proportions 3:2 goes around the Earth once.
        let degree = MapPoint(x: north * max(cos(location.y * .pi / 180), halfHeight / 120), y: north)
        (self.width, self.height, self.degree) = (width, height, degree)
        land = Land.outlines.map { outline in
            outline.map {
                MapPoint(x: point.x + ($0.x - location.x) * degree.x, y: point.y - ($0.y - location.y) * degree.y)
            }
        }
    }

    /// Half the height in degrees of a map around a location: the minimum that shows both land and sea.
    ///
    /// It depends only on the location, so that the map shows the same region at any size.
    static func halfHeight(around location: MapPoint) -> Double {
        [12, 16, 22, 30, 40].first { halfHeight in
            let view = MapView(
                of: location, at: MapPoint(x: 15, y: 10), width: 30, height: 20, halfHeight: halfHeight)
            return (0.06...0.7).contains(Double(view.isLand.joined().count { $0 }) / (30 * 20))
        } ?? 52
    }

    /// Whether the centre of each dot is land, row by row.
    var isLand: [[Bool]] {
        // The crossings of each row with a coast; from the left, every other crossing begins land.
        var rows = [[Bool]](repeating: [Bool](repeating: false, count: width + 1), count: height)
        for outline in land {
            for (start, end) in zip(outline, outline.dropFirst() + outline.prefix(1)) {
                let (upper, lower) = start.y < end.y ? (start, end) : (end, start)
                for row in Self.firstDot(upper.y, of: height)..<Self.firstDot(lower.y, of: height) {
                    let share = (Double(row) + 0.5 - upper.y) / (lower.y - upper.y)
                    rows[row][Self.firstDot(upper.x + share * (lower.x - upper.x), of: width)].toggle()
                }
            }
        }
        for row in rows.indices {
            for column in 1...width where rows[row][column - 1] { rows[row][column].toggle() }
            rows[row].removeLast()
        }
        return rows
    }

    /// The first dot whose centre is at or after a coordinate.
    private static func firstDot(_ coordinate: Double, of count: Int) -> Int {
        Int(min(max((coordinate - 0.5).rounded(.up), 0), Double(count)))
    }

    /// The land as an SVG path with the even-odd fill rule.
    var path: String {
        land.filter(isVisible).map { outline in
            // Distant points are moved nearer, which makes no line longer. As no line is longer than ten degrees, lines
            // outside the map stay outside.
            let points = outline.map { point in
                MapPoint(
                    x: min(max(point.x, -10 * degree.x), Double(width) + 10 * degree.x),
                    y: min(max(point.y, -10 * degree.y), Double(height) + 10 * degree.y))
            }
            var (path, last) = ("", MapPoint(x: .infinity, y: 0))
            for (point, next) in zip(points, points.dropFirst() + points.prefix(1)) {
                let isBetween = point.x == last.x && point.x == next.x || point.y == last.y && point.y == next.y
                guard !isBetween, abs(point.x - last.x) + abs(point.y - last.y) > Self.minStep else { continue }
                path += "\(path.isEmpty ? "M" : "L")\(point.x.decimals(1)) \(point.y.decimals(1))"
                last = point
            }
            return path + "Z"
        }.joined()
    }

    private func isVisible(_ outline: [MapPoint]) -> Bool {
        outline.contains { $0.x > 0 } && outline.contains { $0.x < Double(width) }
            && outline.contains { $0.y > 0 } && outline.contains { $0.y < Double(height) }
    }

    /// The minimum distance between the points of a path.
    private static let minStep = 2.5
}

/// Draws land with the dots of braille characters.
struct BrailleMap {
    private let isLand: [[Bool]]
    private let isFilled: Bool

    /// - Parameters:
    ///   - view: the map, with two dots per column and four per row.
    ///   - isFilled: whether all land is drawn, rather than the coast and a few dots inside.
    init(_ view: MapView, isFilled: Bool = false) {
        isLand = view.isLand
        self.isFilled = isFilled
    }

    /// The lines, with a mark in one of the cells.
    func lines(mark: (column: Int, row: Int)) -> [StyledText] {
        stride(from: 0, to: isLand.count, by: 4).map { y in
            let cells = stride(from: 0, to: isLand[y].count, by: 2).map { cell($0, y) }
            guard y == mark.row * 4 else { return StyledText(String(cells)) }
            return StyledText(String(cells[..<mark.column])) + StyledText("●", .mapMark)
                + StyledText(String(cells[(mark.column + 1)...]))
        }
    }

    private func cell(_ x: Int, _ y: Int) -> Character {
        var pattern: UInt32 = 0
        for (row, bits) in Self.bits.enumerated() {
            for column in 0..<2 where isDrawn(x + column, y + row) { pattern |= bits[column] }
        }
        guard pattern > 0, let scalar = Unicode.Scalar(0x2800 + pattern) else { return " " }
        return Character(scalar)
    }

    private static let bits: [[UInt32]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]

    private func isDrawn(_ x: Int, _ y: Int) -> Bool {
        guard isLand[y][x] else { return false }
        let isShore = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)].contains { x, y in
            isLand.indices.contains(y) && isLand[y].indices.contains(x) && !isLand[y][x]
        }
        return isFilled || isShore || (x + y) % 4 == 0 && y % 2 == 0
    }
}

extension Coordinates {
    /// "64.1466° N, 21.9426° W".
    package var text: String {
        let (north, east) = (latitude.decimals(Self.decimals), longitude.decimals(Self.decimals))
        return Self.degrees(north, "N", "S") + ", " + Self.degrees(east, "E", "W")
    }

    private static func degrees(_ number: String, _ positive: String, _ negative: String) -> String {
        number.hasPrefix("-") ? "\(number.dropFirst())° \(negative)" : "\(number)° \(positive)"
    }

    /// The address of a map with a marker.
    package var openStreetMapAddress: String {
        let (north, east) = (latitude.decimals(Self.decimals), longitude.decimals(Self.decimals))
        return "https://www.openstreetmap.org/?mlat=\(north)&mlon=\(east)&zoom=10"
    }

    /// Ten metres.
    private static let decimals = 4
}

extension Double {
    /// The number with up to `count` decimals: "64.1466", "-7".
    fileprivate func decimals(_ count: Int) -> String {
        let scale = (0..<count).reduce(1.0) { scale, _ in scale * 10 }
        // Adding zero turns minus zero into zero.
        let text = ((self * scale).rounded() / scale + 0).description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

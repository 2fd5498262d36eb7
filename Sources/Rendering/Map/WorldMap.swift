import Essentials
import Model

/// A small map of where a place is: the land around it, and a mark.
package struct WorldMap {
    private let place: Coordinates

    package init(of place: Coordinates) {
        self.place = place
    }

    // MARK: Text

    /// The map in at most 16 lines, without empty ones above and below: the region, and beside it the world where there
    /// is room for both.
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

    /// The land around the place, which is in the middle of the cell with the mark.
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
        // The eastern and the southern edge are in the last cells.
        let column = min(Int((place.longitude + 180) / 360 * Double(columns)), columns - 1)
        let row = min(Int((90 - place.latitude) / 180 * Double(rows)), rows - 1)
        let view = MapView(
            of: MapPoint(x: 0, y: 0), at: MapPoint(x: Double(columns), y: Double(2 * rows)),
            width: 2 * columns, height: 4 * rows, halfHeight: 90)
        return BrailleMap(view, isFilled: true).lines(mark: (column, row))
    }

    private var point: MapPoint { MapPoint(x: place.longitude, y: place.latitude) }

    private static let minWidthForBoth = 70
    private static let gap = "   "
    private static let maxColumns = 80
    private static let maxRows = 16
    private static let worldColumns = 36

    // MARK: SVG

    /// The map as an SVG image of a page, with a title for screen readers.
    ///
    /// Its parts have the classes `map-land` and `map-mark`, and the colour of the text if a page gives them none.
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

/// A point on a map, or of the Earth in degrees east and north.
struct MapPoint {
    let x: Double
    let y: Double
}

/// A rectangle of the Earth in an equirectangular projection, in units of the map: dots or pixels.
///
/// Degrees of longitude are as wide as they are at the place, so that the land around it has its true shape.
struct MapView {
    private let width: Int
    private let height: Int
    /// The units in a degree of longitude and of latitude.
    private let degree: MapPoint
    /// The outlines of all land, some of it outside the rectangle.
    private let land: [[MapPoint]]

    /// - Parameters:
    ///   - point: where the place is on the map.
    ///   - halfHeight: half the height of the map in degrees.
    init(of place: MapPoint, at point: MapPoint, width: Int, height: Int, halfHeight: Double) {
        let north = Double(height) / (2 * halfHeight)
        // At a pole, where all meridians meet, a map three units wide and two high goes around the Earth once.
        let degree = MapPoint(x: north * max(cos(place.y * .pi / 180), halfHeight / 120), y: north)
        (self.width, self.height, self.degree) = (width, height, degree)
        land = Land.outlines.map { outline in
            outline.map {
                MapPoint(x: point.x + ($0.x - place.x) * degree.x, y: point.y - ($0.y - place.y) * degree.y)
            }
        }
    }

    /// Half the height in degrees of a map around a place: the least with both land and sea to recognize.
    ///
    /// It depends on the place alone, so that the map looks the same wherever it is shown.
    static func halfHeight(around place: MapPoint) -> Double {
        [12, 16, 22, 30, 40].first { halfHeight in
            let view = MapView(
                of: place, at: MapPoint(x: 15, y: 10), width: 30, height: 20, halfHeight: halfHeight)
            return (0.06...0.7).contains(Double(view.isLand.joined().count { $0 }) / (30 * 20))
        } ?? 52
    }

    /// Whether there is land in the middle of each dot, row by row.
    var isLand: [[Bool]] {
        // Where each row crosses a coast, then every second crossing from the left begins land.
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

    /// The first of some dots whose middle is behind a place.
    private static func firstDot(_ place: Double, of count: Int) -> Int {
        Int(min(max((place - 0.5).rounded(.up), 0), Double(count)))
    }

    /// The land as the path of an SVG image; what is inside an odd number of its outlines is land.
    var path: String {
        land.filter(isSeen).map { outline in
            // Points far outside are moved nearer, by which no line gets longer. As none is longer than ten degrees, those
            // that were outside the map stay there.
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

    private func isSeen(_ outline: [MapPoint]) -> Bool {
        outline.contains { $0.x > 0 } && outline.contains { $0.x < Double(width) }
            && outline.contains { $0.y > 0 } && outline.contains { $0.y < Double(height) }
    }

    /// How far apart the points of a path are at least.
    private static let minStep = 2.5
}

/// Land drawn with the dots of braille characters.
struct BrailleMap {
    private let isLand: [[Bool]]
    /// Whether all land is drawn, and not only its coast with a few dots inside.
    private let isFilled: Bool

    /// - Parameter view: the map, two dots a column and four a row.
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

    /// The character whose first dot is at some place.
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

    /// Enough for ten metres.
    private static let decimals = 4
}

extension Double {
    /// The number with at most so many decimals, and none that are zero: "64.1466", "-7".
    fileprivate func decimals(_ count: Int) -> String {
        let scale = (0..<count).reduce(1.0) { scale, _ in scale * 10 }
        // Adding zero turns minus zero into zero.
        let text = ((self * scale).rounded() / scale + 0).description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

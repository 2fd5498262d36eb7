import Foundation

/// Land drawn with the dots of braille characters.
struct DotMap {
    private let columns: Int
    private let rows: Int
    /// Whether all land is drawn, and not only its coast with a few dots inside.
    private let isFilled: Bool
    /// Row by row, with a frame of one dot around those that are drawn, so that each has neighbours.
    private let isLand: [[Bool]]

    init(columns: Int, rows: Int, isFilled: Bool = false, vector: (_ x: Int, _ y: Int) -> GlobeVector?) {
        (self.columns, self.rows, self.isFilled) = (columns, rows, isFilled)
        isLand = (-1...rows * 4).map { y in
            (-1...columns * 2).map { x in vector(x, y).map(Land.ofEarth.contains) ?? false }
        }
    }

    /// The lines, with a mark in one of the cells.
    func lines(mark: (column: Int, row: Int)) -> [StyledText] {
        (0..<rows).map { row in
            let cells = (0..<columns).map { cell(column: $0, row: row) }
            guard row == mark.row else { return StyledText(String(cells)) }
            return StyledText(String(cells[..<mark.column])) + StyledText("●", .mapMark)
                + StyledText(String(cells[(mark.column + 1)...]))
        }
    }

    private func cell(column: Int, row: Int) -> Character {
        var pattern: UInt32 = 0
        for y in 0..<4 {
            for x in 0..<2 where isDrawn(column * 2 + x, row * 4 + y) { pattern |= Self.bits[y][x] }
        }
        guard pattern > 0, let scalar = Unicode.Scalar(0x2800 + pattern) else { return " " }
        return Character(scalar)
    }

    private static let bits: [[UInt32]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]

    private func isDrawn(_ x: Int, _ y: Int) -> Bool {
        guard isLand(x, y) else { return false }
        let isShore = !(isLand(x - 1, y) && isLand(x + 1, y) && isLand(x, y - 1) && isLand(x, y + 1))
        return isFilled || isShore || (x + y) % 4 == 0 && y % 2 == 0
    }

    private func isLand(_ x: Int, _ y: Int) -> Bool { isLand[y + 1][x + 1] }
}

/// The land in a view as the path of an SVG image.
struct SVGLand {
    private let view: MapView
    /// How many units of the image a radius of the Earth is.
    private let scale: Double
    /// The radius of a circle around all that is seen.
    ///
    /// What is outside the view is drawn along it, since the far side of the Earth is too distorted to be filled.
    private let rim: Double

    init(_ view: MapView, height: Double) {
        self.view = view
        scale = height / (2 * view.halfHeight)
        rim = 1.2 * MapProjection.Point(x: view.halfWidth, y: view.halfHeight).distance
    }

    /// The path; what is inside an odd number of its outlines is land.
    var path: String {
        let hasLandBehind = Land.ofEarth.contains(-view.projection.center)
        let outlines = Land.ofEarth.outlines.map { polygon($0.map(view.projection.point)) }
        return ((hasLandBehind ? [rimPoints(from: 0, to: 2 * .pi)] : []) + outlines).map(commands).joined()
    }

    /// An outline with the points outside the view moved to the rim, but for those next to one inside.
    private func polygon(_ points: [MapProjection.Point]) -> [MapProjection.Point] {
        let isInside = points.map(isSeen)
        var (polygon, angle) = ([MapProjection.Point](), points[0].angle)
        let start = angle
        for index in 1...points.count {
            let (last, this, next) = (index - 1, index % points.count, (index + 1) % points.count)
            let turn = (points[this].angle - angle).remainder(dividingBy: 2 * .pi)
            if !isInside[last], !isInside[this] { polygon += rimPoints(from: angle, to: angle + turn) }
            if isInside[last] || isInside[this] || isInside[next] { polygon.append(points[this]) }
            angle += turn
        }
        // One that is outside as a whole matters where it goes all the way around.
        return isInside.contains(true) || abs(angle - start) > .pi ? polygon : []
    }

    /// Whether a point is in the view, or near its edge.
    private func isSeen(_ point: MapProjection.Point) -> Bool {
        abs(point.x) < 1.15 * view.halfWidth && abs(point.y) < 1.15 * view.halfHeight
    }

    /// The corners of the rim between two angles.
    private func rimPoints(from start: Double, to end: Double) -> [MapProjection.Point] {
        let corner = Double.pi / 6
        let (first, step) = start < end ? ((start / corner).rounded(.up), 1.0) : ((start / corner).rounded(.down), -1.0)
        return stride(from: first, through: end / corner, by: step).map { index in
            MapProjection.Point(x: rim * cos(index * corner), y: rim * sin(index * corner))
        }
    }

    /// The commands that draw a polygon, in units of the image, without points that are hardly apart.
    private func commands(_ polygon: [MapProjection.Point]) -> String {
        var (path, last) = ("", MapProjection.Point(x: .infinity, y: 0))
        for point in polygon {
            let point = MapProjection.Point(
                x: (view.halfWidth + point.x) * scale, y: (view.halfHeight - point.y) * scale)
            guard abs(point.x - last.x) + abs(point.y - last.y) > Self.leastStep else { continue }
            path += "\(path.isEmpty ? "M" : "L")\(point.x.decimals(1)) \(point.y.decimals(1))"
            last = point
        }
        return path.isEmpty ? "" : path + "Z"
    }

    private static let leastStep = 2.5
}

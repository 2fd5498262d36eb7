import Model

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

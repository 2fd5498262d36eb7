import Foundation
import Model

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

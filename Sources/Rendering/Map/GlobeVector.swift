import Foundation

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

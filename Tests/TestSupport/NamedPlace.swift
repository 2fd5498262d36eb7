import BlogModel
import BlogRendering
import Testing

/// A place on Earth that tests use.
package struct NamedPlace: Sendable, CustomTestStringConvertible {
    package let name: String
    package let latitude: Double
    package let longitude: Double

    package init(name: String, latitude: Double, longitude: Double) {
        self.name = name
        self.latitude = latitude
        self.longitude = longitude
    }

    package var testDescription: String { name }

    package func map() throws -> WorldMap {
        WorldMap(of: try #require(Coordinates(latitude: latitude, longitude: longitude)))
    }

    package static func named(_ name: String) throws -> NamedPlace { try #require(all.first { $0.name == name }) }

    package static let all = [
        NamedPlace(name: "Reykjavik", latitude: 64.1466, longitude: -21.9426),
        NamedPlace(name: "Cape Town", latitude: -33.9249, longitude: 18.4241),
        NamedPlace(name: "Fiji", latitude: -17.8, longitude: 178.5),
        NamedPlace(name: "the north pole", latitude: 90, longitude: 0),
        NamedPlace(name: "the south pole", latitude: -90, longitude: 0),
        NamedPlace(name: "the middle of the Pacific", latitude: 0, longitude: -150),
        NamedPlace(name: "London", latitude: 51.5074, longitude: -0.1278),
        NamedPlace(name: "Tokyo", latitude: 35.6762, longitude: 139.6503),
        NamedPlace(name: "Ushuaia", latitude: -54.8019, longitude: -68.303),
        NamedPlace(name: "the Gulf of Guinea", latitude: 0, longitude: 0),
        NamedPlace(name: "Ulaanbaatar", latitude: 47.8864, longitude: 106.9057),
    ]

    /// Points all over the Earth, including the edges of flat maps.
    package static let grid = stride(from: -90.0, through: 90, by: 45).flatMap { latitude in
        stride(from: -180.0, through: 180, by: 90).map { longitude in
            NamedPlace(name: "\(latitude)/\(longitude)", latitude: latitude, longitude: longitude)
        }
    }
}

/// The cells of a map of 40 columns, relative to its marker.
package struct MapCells {
    private let lines: [[Character]]
    private let row: Int
    private let column: Int

    package init(_ map: WorldMap) throws {
        lines = map.lines(width: 40).map { Array($0.plain) }
        row = try #require(lines.firstIndex { $0.contains("●") })
        column = try #require(lines[row].firstIndex(of: "●"))
    }

    package func isDrawn(right: Int, down: Int) -> Bool { cell(right, down) != " " }

    /// Whether a cell and those around it are all land, or all sea; nil near a coast.
    package func isLand(right: Int, down: Int) -> Bool? {
        let around = Set((-1...1).flatMap { x in (-1...1).map { cell(right + x, down + $0) } })
        return around == [" "] ? false : around.isSubset(of: ["⠁", "⠄"]) ? true : nil
    }

    private func cell(_ right: Int, _ down: Int) -> Character {
        guard lines.indices.contains(row + down) else { return " " }
        let line = lines[row + down]
        return line.indices.contains(column + right) ? line[column + right] : " "
    }
}

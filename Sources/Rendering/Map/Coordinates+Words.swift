import Model

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

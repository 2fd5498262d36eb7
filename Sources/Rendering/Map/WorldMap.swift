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

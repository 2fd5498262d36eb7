import BlogMarkup
import BlogModel
import BlogRendering
import BlogTestSupport
import Foundation
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite("An SVG map") struct WorldMapSVGTests {
    @Test("is well-formed without scripts and links, whatever its title", arguments: NamedPlace.all)
    func wellFormed(place: NamedPlace) throws {
        let svg = try place.map().svg(title: "\"></title><script>&\u{1B}[1m\u{301}<\u{301}b").html
        let image = try SVGImage(svg)
        #expect(image.elements == ["svg", "title", "path", "circle"])
        #expect(image.text.contains("\"></title><script>&\u{301}<\u{301}b"))
        #expect(image.attributes["role"] == "img")
        #expect(!svg.contains("http") && !svg.contains("nan") && !svg.contains("inf") && !svg.contains("e-"))
        #expect(svg.utf8.count < 20_000)
    }

    @Test("can be drawn for any place", arguments: NamedPlace.grid)
    func anywhere(place: NamedPlace) throws {
        #expect(try SVGImage(place.map().svg(title: "").html).attributes["d"]?.isEmpty == false)
    }

    @Test("has its marker in the middle, and land where the text map has it", arguments: NamedPlace.all)
    func land(place: NamedPlace) throws {
        let map = try place.map()
        let image = try SVGImage(map.svg(title: place.name).html)
        #expect(image.attributes["cx"] == "300" && image.attributes["cy"] == "200")
        let cells = try MapCells(map)
        var counts = [true: 0, false: 0]
        // The 16 lines of the text are as high as the image: 25 units a line, and half of that a column.
        for down in -7...6 {
            for right in -18...18 {
                guard let isLand = cells.isLand(right: right, down: down) else { continue }
                let (x, y) = (300 + 12.5 * Double(right), 200 + 25 * Double(down))
                #expect(image.hasLand(x, y) == isLand, "\(right) cells to the right, \(down) down")
                counts[isLand, default: 0] += 1
            }
        }
        #expect(counts.values.reduce(0, +) > 100)
    }
}

@Suite("Coordinates") struct CoordinatesTests {
    static let texts: [(Double, Double, String)] = [
        (64.1466, -21.9426, "64.1466° N, 21.9426° W"),
        (-33.92487, 18.42406, "33.9249° S, 18.4241° E"),
        (90, 180, "90° N, 180° E"),
        (-90, -180, "90° S, 180° W"),
        (0, -0.0, "0° N, 0° E"),
        (-0.00001, 0.00001, "0° N, 0° E"),
        (-0.0001, 0.5, "0.0001° S, 0.5° E"),
    ]

    @Test("are written with the hemisphere, to four decimals", arguments: texts)
    func text(latitude: Double, longitude: Double, text: String) throws {
        #expect(try #require(Coordinates(latitude: latitude, longitude: longitude)).text == text)
    }

    @Test("link to OpenStreetMap with a marker")
    func address() throws {
        let reykjavik = try #require(Coordinates(latitude: 64.14661, longitude: -21.94259))
        #expect(
            reykjavik.openStreetMapAddress
                == "https://www.openstreetmap.org/?mlat=64.1466&mlon=-21.9426&zoom=10")
    }
}

/// An image as an XML parser sees it.
private final class SVGImage: NSObject, XMLParserDelegate {
    struct Malformed: Error {}

    private(set) var elements: [String] = []
    private(set) var attributes: [String: String] = [:]
    private(set) var text = ""
    private var polygons: [[(x: Double, y: Double)]] = []

    init(_ svg: String) throws {
        super.init()
        let parser = XMLParser(data: Data(svg.utf8))
        parser.delegate = self
        guard parser.parse() else { throw Malformed() }
        for path in attributes["d", default: ""].split(separator: "Z") {
            polygons.append(
                path.split { "ML".contains($0) }.map { point in
                    let numbers = point.split(separator: " ").compactMap { Double($0) }
                    return (numbers[0], numbers[1])
                })
        }
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        elements.append(name)
        self.attributes.merge(attributes) { $1 }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    /// Whether a point is inside an odd number of the path's polygons.
    func hasLand(_ x: Double, _ y: Double) -> Bool {
        var isInside = false
        for polygon in polygons {
            var last = polygon[polygon.count - 1]
            for point in polygon {
                if (point.y > y) != (last.y > y),
                    x < (last.x - point.x) * (y - point.y) / (last.y - point.y) + point.x
                {
                    isInside.toggle()
                }
                last = point
            }
        }
        return isInside
    }
}

import BlogRendering
import BlogTestSupport
import Testing

@Suite("A text map") struct WorldMapTests {
    @Test("draws coasts with braille dots, and marks the place")
    func picture() throws {
        let capeTown = try NamedPlace.named("Cape Town").map()
        #expect(
            capeTown.lines(width: 40).map(\.plain).joined(separator: "\n") == """
                               ⠘⡅⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠉⡆
                                ⡇⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⡇
                                ⢣⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⡡⠔⠉
                                ⠘⡄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠌⡆
                                 ⠱⡁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⢼
                                  ⠘⡄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⢄⠕⠁
                                   ⠘⡅⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⢁⠎
                                    ⡜⠄⠁⠄⠁⠄⠁⠄⠁⠄⣁⠔⠁
                                    ●⢄⣁⠤⠕⠒⠓⠒⠓⠉
                """)
    }

    @Test(
        "fits the width, in at most 16 lines",
        arguments: NamedPlace.all.map { ($0, 100) } + NamedPlace.grid.map { ($0, 40) })
    func size(place: NamedPlace, width: Int) throws {
        let lines = try place.map().lines(width: width)
        #expect((1...16).contains(lines.count))
        #expect(lines.allSatisfy { $0.width <= width })
    }

    @Test("fits any width", arguments: [Int.min, -1, 0, 1, 2, 7, 20, 1000, .max])
    func widths(width: Int) throws {
        let lines = try NamedPlace.named("London").map().lines(width: width)
        #expect((1...16).contains(lines.count))
        #expect(lines.allSatisfy { (1...max(width, 1)).contains($0.width) })
    }

    @Test("has one marker, and from 70 columns on a second one on a map of the world", arguments: NamedPlace.all)
    func marks(place: NamedPlace) throws {
        for (width, count) in [(69, 1), (70, 2)] {
            let runs = try place.map().lines(width: width).flatMap(\.runs)
            #expect(runs.count { $0.styles == [.mapMark] && $0.text == "●" } == count)
            #expect(runs.count { $0.text.contains("●") } == count)
        }
    }

    /// Where land and sea are expected around the marker, in cells to the right and down.
    static let expected: [(String, land: [(Int, Int)], sea: [(Int, Int)])] = [
        ("Reykjavik", [(2, -1), (-10, -7), (12, 7)], [(-5, 0), (8, 2), (0, 5)]),
        ("Cape Town", [(1, 0), (6, -4)], [(-2, 0), (-10, 0), (16, 1)]),
        ("London", [(-2, 0), (4, 3), (12, -7)], [(3, -4), (-8, -5), (-10, 4)]),
        ("Tokyo", [(-2, 0), (-18, -8), (2, -5)], [(5, 0), (5, 4), (-6, -3)]),
        ("Ushuaia", [(-1, 0), (-1, -6)], [(0, 3), (-8, -3), (9, -3)]),
        ("the Gulf of Guinea", [(0, -7), (18, 3)], [(0, -1), (-15, 0), (5, 7)]),
        ("the south pole", [(3, 0), (0, -5), (8, -3)], [(-9, -7), (0, 6)]),
    ]

    @Test("has land and sea in the right places", arguments: expected)
    func surroundings(name: String, land: [(Int, Int)], sea: [(Int, Int)]) throws {
        let cells = try MapCells(NamedPlace.named(name).map())
        #expect(land.filter { !cells.isDrawn(right: $0, down: $1) }.isEmpty)
        #expect(sea.filter { cells.isDrawn(right: $0, down: $1) }.isEmpty)
    }

    @Test("is the same at 180° east and west, with land on both sides")
    func antimeridian() throws {
        let east = try NamedPlace(name: "", latitude: 67, longitude: 180).map().lines(width: 60)
        let west = try NamedPlace(name: "", latitude: 67, longitude: -180).map().lines(width: 60)
        #expect(east == west)
        let row = try #require(east.first { $0.plain.contains("●") }).plain.split(separator: "●")
        #expect(row.allSatisfy { $0.contains { $0 != " " } } && row.count == 2)
    }

    @Test("shows a wider region if there is only land or only sea near the place")
    func zoom() throws {
        let dots = try ["the middle of the Pacific", "the south pole", "Ulaanbaatar"].map { name in
            let lines = try NamedPlace.named(name).map().lines(width: 40)
            return lines.map(\.plain).joined().unicodeScalars.filter { (0x2800...0x28FF).contains($0.value) }
        }
        // Sparse dots are land; others belong to a coast.
        #expect(dots.allSatisfy { $0.contains { !["⠁", "⠄"].contains($0) } })
    }
}

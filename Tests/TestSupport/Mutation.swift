import Foundation

/// Valid texts, damaged at random, but the same in every run.
package enum Mutation {
    /// A text with a few parts left out, doubled, replaced or inserted.
    package static func of(_ text: String, pieces: [String], _ random: inout SplitMix) -> String {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            let start = Int.random(in: 0...bytes.count, using: &random)
            let end = min(bytes.count, start + Int.random(in: 0...40, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes.removeSubrange(start..<end)
            case 1: bytes.insert(contentsOf: bytes[start..<end], at: start)
            case 2: bytes.insert(.random(in: 0...255, using: &random), at: start)
            case 3: bytes.insert(contentsOf: HostileText.next(&random).utf8, at: start)
            default:
                let piece = pieces.randomElement(using: &random) ?? ""
                let times = Bool.random(using: &random) ? 1 : Int.random(in: 1...50, using: &random)
                bytes.insert(contentsOf: String(repeating: piece, count: times).utf8, at: start)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The number of random inputs; `BLOG_FUZZ` overrides it.
    package static func count(_ usual: Int) -> Int {
        ProcessInfo.processInfo.environment["BLOG_FUZZ"].flatMap { Int($0) } ?? usual
    }
}

/// A pseudorandom number generator with a fixed seed.
package struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    package init(state: UInt64) {
        self.state = state
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// What stands beside a run of delimiters.
struct Surroundings {
    let isSpace: Bool
    let isPunctuation: Bool

    /// What stands before a place.
    static func before(_ index: Int, in source: [UInt8]) -> Surroundings {
        var start = index
        repeat { start -= 1 } while start >= 0 && source[start] & 0xC0 == 0x80
        return Surroundings(start < 0 ? nil : source[start..<index].text.unicodeScalars.first)
    }

    /// What stands at a place.
    static func after(_ index: Int, in source: [UInt8]) -> Surroundings {
        Surroundings(index >= source.count ? nil : source[index...].prefix(4).text.unicodeScalars.first)
    }

    private init(_ scalar: Unicode.Scalar?) {
        guard let scalar else {
            (isSpace, isPunctuation) = (true, false)
            return
        }
        isSpace = scalar.properties.isWhitespace
        switch scalar.properties.generalCategory {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation:
            isPunctuation = true
        default: isPunctuation = scalar.isASCII && UInt8(scalar.value).isASCIIPunctuation
        }
    }
}

import Foundation

/// A long JSON array cut into shorter ones, so that several processors can decode it at once.
enum JSONPieces {
    /// Arrays that hold the elements of one, in their order; nil where the text is no array or can't be told to be one.
    ///
    /// Only brackets, quotes and backslashes are looked at: whether the rest is right is for the decoder to say.
    static func cut(_ json: Data, into count: Int) -> [Data]? {
        let found: [Int]? = json.withUnsafeBytes { bytes in cuts(in: bytes.bindMemory(to: UInt8.self), count) }
        guard let cuts = found else { return nil }
        return zip(cuts, cuts.dropFirst()).map { start, end in
            let first = json.startIndex + start + 1
            return Data([UInt8(ascii: "[")]) + json[first..<json.startIndex + end] + Data([UInt8(ascii: "]")])
        }
    }

    /// Where the array begins, the commas where it is cut, and where it ends.
    private static func cuts(in bytes: UnsafeBufferPointer<UInt8>, _ count: Int) -> [Int]? {
        guard let start = bytes.firstIndex(where: { !isSpace($0) }), bytes[start] == UInt8(ascii: "[") else {
            return nil
        }
        let length = bytes.count / count + 1
        var cuts = [start]
        var depth = 0
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""): index = endOfString(in: bytes, from: index)
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 {
                    guard bytes[index] == UInt8(ascii: "]"), bytes[(index + 1)...].allSatisfy(isSpace) else {
                        return nil
                    }
                    return cuts + [index]
                }
            case UInt8(ascii: ",") where depth == 1 && index - cuts[cuts.count - 1] >= length: cuts.append(index)
            default: break
            }
            index += 1
        }
        return nil
    }

    /// Where the string that begins at a place ends.
    private static func endOfString(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start + 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return index
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}

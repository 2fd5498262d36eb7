/// Points written as text in the "encoded polyline algorithm format"
/// (https://developers.google.com/maps/documentation/utilities/polylinealgorithm).
enum EncodedPolyline {
    /// The numbers of the points, two for each, as sums of the differences that are written.
    static func points(_ text: some StringProtocol) -> [(Int, Int)] {
        let numbers = numbers(text)
        var (points, last) = ([(Int, Int)](), (0, 0))
        for index in stride(from: 0, to: numbers.count - 1, by: 2) {
            last = (last.0 + numbers[index], last.1 + numbers[index + 1])
            points.append(last)
        }
        return points
    }

    /// Five bits a character, the lowest first; the sixth says that there are more, and the first of all is the sign.
    private static func numbers(_ text: some StringProtocol) -> [Int] {
        var (numbers, number, shift) = ([Int](), 0, 0)
        for byte in text.utf8 where byte >= firstByte {
            let bits = Int(byte - firstByte)
            number |= (bits & 0x1F) << shift
            shift += 5
            guard bits < 0x20 else { continue }
            numbers.append(number & 1 == 0 ? number >> 1 : ~(number >> 1))
            (number, shift) = (0, 0)
        }
        return numbers
    }

    private static let firstByte: UInt8 = 63
}

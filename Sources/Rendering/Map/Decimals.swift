extension Double {
    /// The number with at most so many decimals, and none that are zero: "64.1466", "-7".
    func decimals(_ count: Int) -> String {
        let scale = (0..<count).reduce(1.0) { scale, _ in scale * 10 }
        // What is added makes zero of minus zero.
        let text = ((self * scale).rounded() / scale + 0).description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

/// A line of CSV as RFC 4180 has it, but ending in `\n`.
enum CommaSeparatedLine {
    static func text(_ values: [String]) -> String {
        values.map(quoted).joined(separator: ",") + "\n"
    }

    private static func quoted(_ value: String) -> String {
        let needsQuotes = value.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
        return needsQuotes ? "\"" + value.replacing(scalar: "\"", with: "\"\"") + "\"" : value
    }
}

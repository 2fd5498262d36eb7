import Foundation

/// The settings file: long options without their dashes, one `option = value` a line, `#` for comments.
enum Settings {
    /// The options in a file; none if there is no file.
    ///
    /// Throws ``UsageError/settings(path:line:_:)``.
    static func read(path: String, known: [Option]) throws -> [String: String] {
        guard let data = FileManager.default.contents(atPath: path) else { return [:] }
        var options: [String: String] = [:]
        let text = String(decoding: data, as: UTF8.self)
        let lines = (text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let text = line.trimmingCharacters(in: .whitespaces)
            guard !text.isEmpty, !text.hasPrefix("#") else { continue }
            do {
                let (name, value) = try setting(text, known)
                options[name] = value
            } catch let error as UsageError {
                throw UsageError.settings(path: path, line: index + 1, error)
            }
        }
        return options
    }

    /// A line's option and its value, nil for a switch that is off.
    private static func setting(_ text: String, _ known: [Option]) throws -> (String, String?) {
        let parts = text.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        guard let name = parts.first, let option = known.first(where: { $0.name == name }) else {
            let name = parts.first ?? text
            throw UsageError.unknownOption(name, nearest: NearestName.of(name, among: known.map(\.name)))
        }
        if case .none = option.value {
            guard parts.count == 1 || (on + off).contains(parts[1]) else {
                throw UsageError.needlessValue(option: name)
            }
            return (name, parts.count == 2 && off.contains(parts[1]) ? nil : "")
        }
        return (name, try option.checked(parts.count == 2 ? parts[1] : ""))
    }

    /// What a switch may be set to.
    private static let (on, off) = (["true", "yes", "on"], ["false", "no", "off"])
}

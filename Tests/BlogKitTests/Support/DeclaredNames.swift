/// The names that the folders of BlogKit declare for each other: types, nested types, and members that extensions add to
/// types of other folders or modules.
struct DeclaredNames {
    /// The first folder of the path of a declaration, and the type that it is, or is nested in.
    struct Owner: Equatable {
        let folder: String
        let type: String
    }

    private var topLevel: [String: Owner] = [:]
    /// Nested types; nil if several folders declare the name.
    private var nested: [String: Owner?] = [:]
    /// Members of extensions as `.name`, of names that are declared only once.
    private var members: [String: Owner] = [:]

    /// The names of all folders.
    static let all = Result { try DeclaredNames() }

    private init() throws {
        let files = try Repository.swiftFiles(below: "Sources/BlogKit").map { path, text in
            let parts = path.split(separator: "/")
            return (folder: parts.count == 1 ? "." : String(parts[0]), lines: Self.code(text))
        }
        for (folder, lines) in files { addTypes(of: lines, in: folder) }
        var count: [Substring: Int] = [:]
        for (_, lines) in files {
            for line in lines {
                let words = Self.words(line)
                for (word, name) in zip(words, words.dropFirst()) where ["func", "var", "let", "case"].contains(word) {
                    count[name, default: 0] += 1
                }
            }
        }
        for (folder, lines) in files { addMembers(of: lines, in: folder, count) }
    }

    /// The names of declarations that a file's code has, with where they are declared.
    func used(in text: String) -> [(name: String, owner: Owner)] {
        Set(Self.code(text).flatMap(Self.words)).map(String.init).sorted().compactMap { word in
            if let owner = members[word] { return (word, owner) }
            let name = word.first == "." ? String(word.dropFirst()) : word
            guard name.first?.isUppercase == true else { return nil }
            return (topLevel[name] ?? nested[name] ?? nil).map { (name, $0) }
        }
    }

    private mutating func addTypes(of lines: [Substring], in folder: String) {
        let declaration =
            #/^( *)(?:public |package |private |fileprivate |final |indirect |nonisolated |@\w+ )*(?:struct|class|enum|actor|protocol|typealias) (\w+)/#
        var outer = ""
        for line in lines {
            if line.first != " ", let match = line.prefixMatch(of: Self.extensionStart) { outer = String(match.2) }
            guard Self.words(line).contains(where: Self.keywords.contains),
                let match = line.prefixMatch(of: declaration)
            else { continue }
            let name = String(match.2)
            if match.1.isEmpty {
                outer = name
                guard !line.contains("private ") else { continue }
                topLevel[name] = Owner(folder: folder, type: name)
            } else if !Self.requirements.contains(name) {
                let owner = Owner(folder: folder, type: outer)
                nested[name] = nested[name].map { $0?.folder == folder ? $0 : nil } ?? owner
            }
        }
    }

    private mutating func addMembers(of lines: [Substring], in folder: String, _ count: [Substring: Int]) {
        let declaration =
            #/^    (?:public |package |static |mutating |nonisolated |@\w+ )*(?:func|var|let) (\w+)/#
        var type: String?
        for line in lines {
            if line.first != " " {
                let match = line.prefixMatch(of: Self.extensionStart)
                type = match.flatMap { $0.1.contains("private") ? nil : String($0.2) }
                if let owner = type.flatMap({ topLevel[$0] }), owner.folder == folder { type = nil }
            } else if let type, !line.hasPrefix("     "), let match = line.prefixMatch(of: declaration),
                count[match.1] == 1, !Self.overloads.contains(match.1)
            {
                members[".\(match.1)"] = Owner(folder: folder, type: type)
            }
        }
    }

    /// The lines of code, without comments and strings.
    private static func code(_ text: String) -> [Substring] {
        var isText = false
        return text.split(separator: "\n").compactMap { line in
            if line.contains("\"\"\"") {
                isText.toggle()
                return nil
            }
            let isComment = line.drop { $0 == " " }.hasPrefix("//")
            guard !isText, !isComment else { return nil }
            let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
            return parts.count == 1
                ? line : parts.indices.filter { $0 % 2 == 0 }.map { parts[$0] }.joined(separator: " ")[...]
        }
    }

    /// The words of a line, each with the dot before it.
    private static func words(_ line: Substring) -> [Substring] {
        var words: [Substring] = []
        var start: Substring.Index?
        for (index, byte) in zip(line.utf8.indices, line.utf8) {
            let isWord =
                byte == UInt8(ascii: "_") || byte >= 0x80 || Character(Unicode.Scalar(byte)).isLetter
                || Character(Unicode.Scalar(byte)).isNumber
            if byte == UInt8(ascii: ".") || !isWord {
                if let from = start { words.append(line[from..<index]) }
                start = byte == UInt8(ascii: ".") ? index : nil
            } else if start == nil {
                start = index
            }
        }
        if let start { words.append(line[start...]) }
        return words
    }

    private static var extensionStart: Regex<(Substring, Substring, Substring)> {
        #/^((?:public |package |private |fileprivate )*)extension (\w+)/#
    }
    /// Types that protocols of the standard library require.
    private static let requirements: Set<String> = ["AsyncIterator", "CodingKeys", "Element", "Failure", "Iterator"]
    /// Members that Foundation has too, with other parameters.
    private static let overloads: Set<Substring> = ["appending"]
    private static let keywords: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "typealias"]
}

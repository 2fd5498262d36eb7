/// A shell's command line, split into its commands.
///
/// It knows what the documentation uses: quotes, comments, redirections and operators. A quoted command, as in `fzf
/// --preview 'blog read {1}'`, is one of the commands, too.
package struct ShellLine {
    /// The words of each command.
    package private(set) var commands: [[String]] = []

    private var words: [String] = []
    /// The word that is being read; nil between words.
    private var word: String?
    /// Whether the next word is the file of a redirection.
    private var isRedirected = false

    package init(_ line: String) {
        var rest = line[...]
        while let character = rest.popFirst() {
            switch character {
            case "'", "\"": readQuoted(character, &rest)
            case "\\": append(rest.popFirst())
            case " ", "\t", "\n": endWord()
            case "#" where word == nil: rest = rest.drop { $0 != "\n" }
            case "|", ";", "&", "(", ")": endCommand()
            case ">", "<":
                // The number of a stream, as in 2>, isn't a word.
                if word?.allSatisfy(\.isNumber) == true { word = nil }
                endWord()
                isRedirected = true
            default: append(character)
            }
        }
        endCommand()
    }

    private mutating func append(_ character: Character?) {
        word = (word ?? "") + (character.map { String($0) } ?? "")
    }

    private mutating func readQuoted(_ quote: Character, _ rest: inout Substring) {
        word = word ?? ""
        while let character = rest.popFirst(), character != quote {
            append(character == "\\" && quote == "\"" ? rest.popFirst() : character)
        }
    }

    private mutating func endWord() {
        guard let word else { return }
        self.word = nil
        let isFile = isRedirected
        isRedirected = false
        guard !isFile else { return }
        words.append(word)
        let command = word.hasPrefix("$(") ? word.dropFirst(2) : word[...]
        if command.hasPrefix("blog ") { commands += ShellLine(String(command)).commands }
    }

    private mutating func endCommand() {
        endWord()
        if !words.isEmpty { commands.append(words) }
        words = []
    }
}

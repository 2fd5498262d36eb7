import BlogEssentials
import BlogLibrary
import BlogMarkup

/// The candidates for the end of a command line, for a shell's Tab completion.
package struct Completion {
    /// A word, and its description.
    package struct Candidate: Equatable {
        package let word: String
        package let meaning: String

        package init(word: String, meaning: String) {
            self.word = word
            self.meaning = meaning
        }
    }

    /// The candidates for the last word.
    package enum Place: Equatable {
        /// One of these.
        case words([Candidate])
        /// The id of a post.
        case id
        /// The name of a source, perhaps after others and a comma.
        case source
        /// A folder of followed sources.
        case folder
        /// An author or a tag of stored posts.
        case author, tag
        /// A label.
        case label
        /// A name of `--new`.
        case cursor
    }

    /// The first word of a command line that requests candidates; the name of the shell and the typed words follow.
    package static let request = "__complete"

    /// The words before the one that is being typed.
    package let before: [String]
    private var arguments = Arguments()
    /// Whether those words could begin a command line.
    private let isValid: Bool
    /// The typed part of the current word.
    package let current: String

    /// The words after the program's name, the last one incomplete.
    package init(_ words: [String]) {
        before = words.dropLast()
        current = words.last ?? ""
        isValid = (try? arguments.parse(before)) != nil
    }

    /// The options that were typed before, without one whose value is being typed.
    package var options: [String: String] { arguments.options }

    /// The candidates, already limited to those with the typed beginning if they are words.
    package var place: Place {
        let command = arguments.command
        let options = command?.allOptions ?? Option.global
        if let last = before.last, let option = options.first(where: { $0.isNamed(last) }), option.needsValue {
            return place(of: option) ?? fitting(values(of: option, command))
        }
        if current.hasPrefix("-") {
            guard let name = current.split(separator: "=").first, current.contains("=") else {
                let words = options.flatMap { option in
                    [option.name, option.negation].compactMap { $0 }.map { ("--" + $0, option.help) }
                }
                return fitting(words.map { Candidate(word: $0, meaning: $1) })
            }
            let option = options.first { $0.isNamed(String(name)) }
            if let place = option.flatMap(place(of:)) { return place }
            let words = option.map { values(of: $0, command) } ?? []
            return fitting(words.map { Candidate(word: "\(name)=\($0.word)", meaning: $0.meaning) })
        }
        guard let command else {
            return isValid ? fitting(Commands.all.map { Candidate(word: $0.name, meaning: $0.summary) }) : .words([])
        }
        if arguments.operands.isEmpty, !command.choices.isEmpty {
            return fitting(command.choices.map { Candidate(word: $0, meaning: "") })
        }
        if command.takesSources { return .source }
        if command.ids == .afterSecond, arguments.operands.count == 1 { return .label }
        return command.ids(among: arguments.operands + [current]).isEmpty ? .words([]) : .id
    }

    /// The kind of an option's value, if only the store knows its values; nil for another option.
    private func place(of option: Option) -> Place? {
        switch option.name {
        case Option.source.name: .source
        case Option.folder.name: .folder
        case Option.author.name: .author
        case Option.tag.name: .tag
        case Option.label.name: .label
        case Option.new.name: .cursor
        default: nil
        }
    }

    private func values(of option: Option, _ command: CommandDescription?) -> [Candidate] {
        if case .oneOf(let words) = option.value { return words.map { Candidate(word: $0, meaning: "") } }
        guard [Option.fields.name, Option.json.name].contains(option.name) else { return [] }
        // Only the last one of a list of fields is completed.
        let typed = current.split(separator: "=", omittingEmptySubsequences: false).last ?? ""
        let whole = typed.lastIndex(of: ",").map { typed[...$0] } ?? ""
        return (command?.fields ?? []).map { Candidate(word: whole + $0, meaning: "") }
    }

    private func fitting(_ candidates: [Candidate]) -> Place {
        .words(candidates.filter { $0.word.hasPrefix(current) })
    }

    // MARK: Values from the store

    /// Whether an ID begins like the typed word and is safe in every shell: IDs come from servers, and bash inserts them
    /// unquoted.
    package func accepts(id: String) -> Bool {
        id.hasPrefix(current) && !id.hasPrefix("-")
            && id.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || "-_.:".contains($0) }
    }

    /// The candidates among followed sources and, except to unfollow, the kinds of source.
    package func sources(_ followed: [(name: String, title: String)]) -> [Candidate] {
        let kinds = SourceRegistry.kinds.filter { $0.defaultAddress != nil }
        let all =
            followed.map { Candidate(word: $0.name, meaning: $0.title) }
            + (before.contains(Commands.unfollow.name)
                ? [] : kinds.map { Candidate(word: $0.idPrefix, meaning: $0.description) })
        // Only the last of several names is completed.
        let start = current.lastIndex { $0 == "," || $0 == "=" }.map { current[...$0] } ?? ""
        let typed = Set(start.split { $0 == "," || $0 == "=" }.map(String.init))
        return all.filter { !typed.contains($0.word) }
            .map { Candidate(word: start + $0.word, meaning: $0.meaning) }
            .filter { $0.word.hasPrefix(current) }
    }

    /// The candidates among folders, authors, tags or labels, ignoring case.
    package func values(_ values: [String]) -> [Candidate] {
        let option = current.hasPrefix("-") ? current.prefix { $0 != "=" } + "=" : ""
        let typed = Folding.searchable(String(current.dropFirst(option.count)))
        return Set(values).filter { value in
            // An option's name can't begin a value of its own.
            !value.isEmpty && (!option.isEmpty || !value.hasPrefix("-")) && Sanitizer.line(value) == value
                && Folding.searchable(value).hasPrefix(typed)
        }.sorted().map { Candidate(word: option + $0, meaning: "") }
    }
}

import BlogEssentials
import BlogMarkup

/// An error in the command line.
package enum UsageError: ExplainedError, Equatable {
    case unknownCommand(String, nearest: String?)
    case unknownOption(String, nearest: String?)
    /// A word or option of another program, and what to type instead.
    case elsewhere(String, String)
    /// A global option that the command can't have, and what to type instead.
    case notHere(option: String, String)
    /// An option of another action of the command.
    case onlyWith(option: String, command: String)
    case missingValue(option: String)
    case needlessValue(option: String)
    case badValue(String, option: String, expected: String, nearest: String?)
    /// A CSS selector that isn't supported; `problem` ends the sentence "the selector …".
    case badSelector(String, option: String, _ problem: String)
    case missingOperand(String)
    case needlessOperand(String)
    case conflict(String, String)
    case filtersNeedAll
    case allTakesNoIDs
    case notForSeveral(option: String)
    /// A key of the settings that doesn't exist.
    case unknownKey(String)
    /// A command of the user's that can't have this name.
    case badCommandName(String)
    case pageNeedsLimit
    case peekNeedsNew
    /// `--skip` with other IDs than `next`.
    case skipNeedsNext
    /// `--embed` for a format other than pages.
    case embedNeedsPages
    /// `blog store prune` without an age.
    case pruneNeedsAge
    /// No store at a path, with the option that selected it.
    case noStore(String, Message)
    /// A setting for a header field that isn't one, without its value, which may be secret.
    case badHeader(String)
    /// `--archive` without a source or a folder.
    case archiveNeedsSource
    /// A command that needs the network, with `--offline`.
    case notOffline
    /// A range of days that ends before it begins.
    case datesSwapped(since: String, until: String)
    case unknownAction(String, known: [String], nearest: String?)
    case unknownMark(String, nearest: String?)
    /// An option that selects sources, with a rule.
    case notInRules(option: String)
    /// The end of a rule that is in the past.
    case expired(String)
    /// An operand that isn't a number.
    case notANumber(String)
    /// A text that can't be a label.
    case badLabel(String)
    /// A search without a word to find: all are excluded or have no letter.
    case nothingToSearch(String)
    /// Another error, and the command it is about.
    indirect case about(UsageError, command: String)
    /// An option that the selected source (nil for several) doesn't support, unlike these kinds of source.
    case notOffered(option: String, source: String?, by: [String])
    /// A line of the settings file with one of the errors above.
    indirect case settings(path: String, line: Int, UsageError)
}

extension UsageError {
    package func explanation(repeating options: RepeatedOptions) -> Explanation {
        let message = message()
        return Explanation("usage", message.sentence, exit: .usage, hint: message.hint)
    }

    /// The message: the error, and where to find help.
    ///
    /// - Parameter command: the command it is about; nil for none.
    package func message(for command: String? = nil) -> Message {
        let help: Message = "blog help\(command.map { " " + $0 } ?? "")"
        return switch self {
        case .unknownCommand(let name, let nearest):
            "Unknown command “\(name)”.\(Self.suggestion(nearest))\nTo list the commands: blog help"
        case .unknownOption(let name, let nearest):
            """
            Unknown option \(name.hasPrefix("-") ? name : "“\(name)”").\(nearest.map { " Did you mean \($0)?" } ?? "")
            To list the options: blog help \(command ?? "options")
            """
        case .elsewhere(let what, let answer):
            "\(what.hasPrefix("argument") ? "Unexpected" : "Unknown") \(what). Did you mean \(answer)?"
        case .notHere(let option, let answer):
            "--\(option) can't be used with blog \(command ?? ""). Did you mean \(answer)?"
        case .onlyWith(let option, let command): "--\(option) only works with \(command)."
        case .datesSwapped(let since, let until):
            "--since \(since) is later than --until \(until). Did you mean --since \(until) --until \(since)?"
        case .missingValue(let option): "--\(option) needs a value."
        case .needlessValue(let option): "--\(option) doesn't take a value."
        case .badValue(let value, let option, let expected, let nearest):
            "Invalid value “\(value)” for --\(option) (use \(expected)).\(Self.suggestion(nearest))"
        case .badSelector(let text, let option, let problem):
            "Invalid selector “\(text)” for --\(option): it \(problem)."
        case .missingOperand(let what): "Missing argument: \(what)\nFor help: \(help)"
        case .needlessOperand(let what): "Unexpected argument “\(what)”.\nFor help: \(help)"
        case .notOffered(let option, nil, let others):
            "--\(option) only works with a single source of kind \(Counted.choices(others)): select one with -s."
        case .notOffered(let option, let source?, let others):
            "--\(option) isn't supported by \(source), only by \(Counted.list(others))."
        case .conflict(let left, let right): "--\(left) and --\(right) can't be combined."
        case .unknownAction(let word, let known, let nearest):
            "“\(word)” isn't supported (use \(Counted.choices(known))).\(Self.suggestion(nearest))"
        case .filtersNeedAll:
            "Filters need --all, as in: blog \(command == "label" ? "label add old" : "mark read") --all --until 2018"
        case .allTakesNoIDs: "--all and IDs can't be combined: --all marks every matching post."
        case .notForSeveral(let option): "--\(option) only works with a single source."
        case .badCommandName(let name):
            "“\(name)” can't be the name of a command: it must be one word, and no action's name"
        case .unknownKey(let name):
            "Unknown key “\(name)” (use a character, ctrl- with a letter, or a name such as space, enter or pgdn)."
        case .peekNeedsNew: "--peek needs --new, as in: blog list --new --peek"
        case .skipNeedsNext: "--skip only works with next, as in: blog read next --skip=2"
        case .pageNeedsLimit:
            "--page needs --limit (posts per page), as in: blog \(command ?? "list") … --limit 20 --page 2"
        case .embedNeedsPages: "--embed needs --format html."
        case .pruneNeedsAge: "blog store prune needs --older-than or --keep, as in: blog store prune --older-than 1y"
        case .noStore(let path, let words): "No store at \(path) yet.\nTo create it: blog list\(words)"
        case .badHeader(let setting):
            "Invalid setting \(setting): write header.https://HOST = NAME: VALUE"
        case .archiveNeedsSource:
            "--archive needs the blogs to read, as in: blog sync -s NAME --archive"
        case .notOffline: "--offline can't be used here: this command needs the network."
        case .unknownMark(let word, let nearest):
            "Unknown mark “\(word)” (use read, unread, saved or unsaved).\(Self.suggestion(nearest))"
        case .notInRules("folder"): "A rule is for all sources: instead of --folder, write folder:NAME in its search."
        case .notInRules(let option):
            "A rule is for all sources: instead of --\(option), write source:NAME in its search."
        case .expired(let date): "--expires \(date) is in the past."
        case .notANumber(let word): "“\(word)” isn't the number of a rule (to list the rules: blog rule)."
        case .badLabel(let text): "Invalid label “\(text)” (use one line of text without double quotes)."
        case .nothingToSearch(let words):
            "“\(words)” contains no words to search for.\(Self.remark(onMissingWordsIn: words))"
        case .about(let error, let command): error.message(for: command)
        case .settings(let path, let line, .unknownOption(let name, let nearest)):
            """
            \(path):\(line): Unknown setting “\(name)”.\(Self.suggestion(nearest))
            To list the settings: blog config --example
            """
        case .settings(let path, let line, let error): "\(path):\(line): \(error.message())"
        }
    }

    /// Why a search that only excludes posts, or has only symbols, has no words.
    private static func remark(onMissingWordsIn words: String) -> Message {
        if words.split(separator: " ").contains(where: { $0.hasPrefix("-") && $0 != "-" }) {
            return " -WORD only excludes posts: add a word to search for."
        }
        let symbols = Folding.searchable(words).filter { !"*-\"() \0".contains($0) }
        guard !symbols.isEmpty, Folding.words(words).isEmpty else { return "" }
        return " To find symbols in titles: blog list --title \(ShellWords.quoted(words))"
    }

    private static func suggestion(_ nearest: String?) -> Message {
        nearest.map { " Did you mean “\($0)”?" } ?? ""
    }
}

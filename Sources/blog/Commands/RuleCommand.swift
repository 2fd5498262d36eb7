import BlogCommandLine
import BlogEssentials
import BlogLibrary
import BlogMarkup
import BlogModel
import BlogRendering
import BlogTerminal

/// `blog rule`: hides, marks or labels what a search finds.
enum RuleCommand: Command {
    static let description = Commands.rule

    static func run(_ invocation: Invocation, in context: Context) async throws -> CommandResult {
        let known = description.choices
        let action = invocation.operands.first
        if let action, !known.contains(action) {
            throw UsageError.unknownAction(action, known: known, nearest: NearestName.of(action, among: known))
        }
        if action != "add", let option = actionOptions.first(where: invocation.has) {
            throw UsageError.onlyWith(option: option.name, command: "rule add")
        }
        if action != "test", let option = [Option.oneline, .limit].first(where: invocation.has) {
            throw UsageError.onlyWith(option: option.name, command: "rule test")
        }
        if let option = [Option.source, .folder, .url].first(where: invocation.has) {
            throw UsageError.notInRules(option: option.name)
        }
        let operands = Array(invocation.operands.dropFirst())
        switch action {
        case "add": return try await add(operands, invocation, in: context)
        case "test": return try await test(operands, invocation, in: context)
        case "remove": return try await remove(operands, invocation, in: context)
        default: return try await list(invocation, in: context)
        }
    }

    private static let actionOptions: [Option] = [.hides, .marksRead, .marksSaved, .addsLabel, .expires]

    private static func words(_ operands: [String]) throws -> String {
        let words = operands.joined(separator: " ").trimmed
        guard !words.isEmpty else { throw UsageError.missingOperand("words to search for") }
        return words
    }

    /// Where the options begin after a search: at two dashes outside of its quotation marks, if these are closed.
    private static func beginningOfOptions(in typed: String) -> String.Index {
        var isQuoted = false
        var first: String.Index?
        for index in typed.indices {
            if typed[index] == "\"" { isQuoted.toggle() }
            guard typed[index...].hasPrefix(" --") else { continue }
            if !isQuoted { return index }
            first = first ?? index
        }
        return isQuoted ? first ?? typed.endIndex : typed.endIndex
    }

    // MARK: Actions

    private static func add(
        _ operands: [String], _ invocation: Invocation, in context: Context
    ) async throws -> CommandResult {
        let rule = try invocation.rule(words: words(operands), now: context.now())
        let session = try await Session(invocation, in: context, for: .storing)
        await SearchCommand.say(SearchCommand.notices(on: Search(rule.words)), session)
        let (message, _) = try await add(rule, session)
        await session.console.notice(message)
        return CommandResult()
    }

    /// Adds a rule; returns what to say, and its number.
    private static func add(_ rule: Rule, _ session: Session) async throws -> (Message, Int) {
        let (state, posts) = try await session.library.rules.add(rule)
        let number = state.stored.number
        let recent: Message = state.found.all == 0 ? "" : ", \(state.found.sentence)"
        let message: Message = "Rule \(number): \(rule.actions) \(Counted.posts(posts))\(recent)."
        guard rule.isHiding, state.found.isLarge else { return (message, number) }
        let hint: Message = "That is more than 30 %. To remove the rule: blog rule remove \(number)"
        return (Message(lines: [message, hint]), number)
    }

    /// Adds a rule that is typed in `blog browse` as after `blog rule add`.
    static func add(_ typed: String, _ session: Session, _ environment: Environment, now: Date) async throws
        -> (Message, Int)
    {
        try await add(try rule(typed, environment, now: now), session)
    }

    /// What a rule finds that is typed in the same way.
    static func test(_ typed: String, _ session: Session, _ environment: Environment, now: Date) async throws -> Message
    {
        let rule = try rule(typed, environment, now: now)
        try await session.library.rules.check(rule.words)
        let found = try await session.library.rules.found(by: rule.words)
        return "Finds \(found.sentence)\(rule.isHiding && found.isLarge ? ", which is more than 30 %" : "")"
    }

    /// The search may have quotation marks of its own, unlike the options after it.
    private static func rule(_ typed: String, _ environment: Environment, now: Date) throws -> Rule {
        let options = beginningOfOptions(in: typed)
        let words = ShellWords.words(of: String(typed[options...])) ?? []
        let search = typed[..<options].trimmed
        guard case .command(_, let invocation) = try Request(["rule", "add"] + words + ["--", search], environment)
        else { throw UsageError.missingOperand("words to search for") }
        return try invocation.rule(words: self.words([search]), now: now)
    }

    /// Lists the posts of the last 30 days that a search finds.
    private static func test(
        _ operands: [String], _ invocation: Invocation, in context: Context
    ) async throws -> CommandResult {
        let words = try words(operands)
        let fields = try invocation.fields(among: Field.ofSearches)
        let session = try await Session(invocation, in: context, for: .reading)
        let rules = session.library.rules
        try await rules.check(words)
        await SearchCommand.say(SearchCommand.notices(on: Search(words)), session)
        var query = try rules.query(for: words)
        query.limit = try invocation.count(.limit)
        query.hasSnippets = false
        let list = try await session.library.offline.listing.search(query, in: session.library.resolve(.everything))
        let renderer = session.renderer(invocation.format, fields, isGrouped: false)
        _ = try await session.print(list, by: nil, with: renderer)
        await session.console.notice("The rule would find \(try await rules.found(by: words).sentence).")
        return CommandResult()
    }

    private static func remove(
        _ operands: [String], _ invocation: Invocation, in context: Context
    ) async throws -> CommandResult {
        guard !operands.isEmpty else { throw UsageError.missingOperand("the number of a rule") }
        let numbers = try operands.map { operand in
            guard let number = Int(operand) else { throw UsageError.notANumber(operand) }
            return number
        }
        let session = try await Session(invocation, in: context, for: .storing)
        var result = CommandResult()
        for number in numbers {
            do {
                let rule = try await session.library.rules.remove(number)
                await session.console.notice(
                    "Removed rule \(number). To add it again: blog rule add \(ShellWords.quoted(rule.words))\(rule.options)"
                )
                result.succeeded += 1
            } catch let error as LibraryError {
                await session.console.error(Failure(error))
                result.fail(error)
            }
        }
        return result
    }

    private static func list(_ invocation: Invocation, in context: Context) async throws -> CommandResult {
        var fields = try invocation.fieldNames(among: description.fields)
        let session = try await Session(invocation, in: context, for: .reading)
        // On a terminal, a rule is one line.
        if invocation.format == nil, session.appearance.isTerminal { fields = fields ?? shownFields }
        let isIDs = invocation.format == .ids
        let states = try await session.library.rules.all()
        let table = FactTable(columns: description.fields, rows: states.map { row($0) })
        try await session.console.print(table, isIDs ? ["number"] : fields, as: isIDs ? .tsv : invocation.format)
        if states.isEmpty {
            await session.console.notice("No rules yet. To add one: blog rule add 'title:sponsored' --hide")
        }
        return CommandResult()
    }

    private static let shownFields = ["number", "words", "actions", "posts", "status"]

    private static func row(_ state: RuleSet.State) -> [Fact] {
        let (rule, isExpired) = (state.stored.rule, state.stored.isExpired)
        return [
            .number(state.stored.number), .text(rule.words), .text(rule.actions), .number(state.found.posts),
            .number(state.found.all), .text(rule.lastDay ?? ""),
            .text(isExpired ? "expired" : state.problem == nil ? "ok" : "off"),
            .text(state.problem.map { Message(of: $0).text } ?? ""),
        ]
    }
}

extension Rule {
    /// The options of `blog rule add` that make it.
    fileprivate var options: String {
        let marks = marks.map { mark in
            switch mark {
            case .saved: " --save"
            case .labelled(let label): " --label \(ShellWords.quoted(label))"
            default: " --\(mark.text)"
            }
        }
        return (isHiding ? " --hide" : "") + marks.joined() + (lastDay.map { " --expires \($0)" } ?? "")
    }

    /// The last day on which it applies, as "2027-01-31".
    fileprivate var lastDay: String? {
        // The end of a day is the beginning of the next.
        guard let end = expires?.addingTimeInterval(-1) else { return nil }
        let shown = end.timeIntervalSince1970 + Double(LocalTime.secondsFromGMT(for: end))
        return String(Timestamp(secondsSince1970: Int(shown)).utc.prefix(10))
    }
}

extension RuleSet.Catch {
    /// "12 of 340 posts of the last 30 days".
    package var sentence: Message {
        all == 0 ? "no posts of the last 30 days" : "\(posts) of \(Counted.posts(all)) of the last 30 days"
    }
}

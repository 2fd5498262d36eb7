import BlogLibrary
import BlogEssentials
import BlogMarkup
import BlogModel
import BlogRendering
import BlogTerminal

/// A parsed command line: its operands, and its options merged from flags, environment and settings.
package struct Invocation {
    package let operands: [String]
    private let options: OptionValues

    package init(operands: [String], _ options: OptionValues) {
        self.operands = operands
        self.options = options
    }

    /// Whether an option was given.
    package func has(_ option: Option) -> Bool { self[option] != nil }

    /// Whether an option was given on the command line.
    package func isTyped(_ option: Option) -> Bool { has(option) && origin(of: option) == nil }

    /// The origin of an option's value that isn't from the command line: "BLOG_URL", "/home/me/.config/blog/settings".
    private func origin(of option: Option) -> String? { options.origins[option.name] }

    /// The same without some options.
    package func without(_ dropped: [Option]) -> Invocation {
        Invocation(operands: operands, options.filter { name in !dropped.contains { $0.name == name } })
    }

    /// An error of the command, with the origin of a wrong value.
    package func explained(_ error: UsageError, command: String) -> UsageError {
        guard case .badValue(_, let option, _, _) = error else { return .about(error, origin: nil, command: command) }
        return .about(error, origin: options.origins[option], command: command)
    }

    /// An option's value, or nil.
    package subscript(option: Option) -> String? { options.values[option.name] }

    /// A whole number.
    package func count(_ option: Option, atLeast least: Int = 1, atMost most: Int = .max) throws -> Int? {
        let range = most == .max ? "of at least \(least)" : "from \(least) to \(most)"
        return try parsed(option, expected: "a whole number " + range) { text in
            Int(text).flatMap { $0 >= least && $0 <= most ? $0 : nil }
        }
    }

    /// How many posts come before the requested page.
    ///
    /// Throws ``UsageError/pageNeedsLimit``.
    package func offset(limit: Int?) throws -> Int {
        guard let page = try count(.page, atMost: 1_000_000) else { return 0 }
        guard let limit else { throw UsageError.pageNeedsLimit }
        let (offset, isTooFar) = (page - 1).multipliedReportingOverflow(by: limit)
        // The store adds to it.
        return isTooFar ? .max / 2 : min(offset, .max / 2)
    }

    /// A number of seconds above 0.
    package func seconds(_ option: Option) throws -> TimeInterval? {
        try parsed(option, expected: "a number of seconds greater than 0 and at most 86400") { text in
            TimeInterval(text).flatMap { $0 > 0 && $0 <= 86_400 ? $0 : nil }
        }
    }

    /// How long posts are kept.
    package func retention(_ option: Option) throws -> Retention? {
        let takesAll = option.name == Option.keep.name
        return try parsed(
            option, expected: takesAll ? "an age like 30d, 6w, 3m or 1y, or all" : "an age like 30d, 6w, 3m or 1y"
        ) {
            let retention = Retention($0)
            return retention == .forever && !takesAll ? nil : retention
        }
    }

    /// How long the posts of a source are kept, or that it follows the common setting again.
    package func retentionChoice() throws -> RetentionChoice? {
        guard isTyped(.keep) else { return nil }
        return try parsed(.keep, expected: "an age like 30d, 6w, 3m or 1y, or all, or none") { text in
            text == "none" ? .common : Retention(text).map { .own($0) }
        }
    }

    /// Whether posts are read with the articles behind their links.
    package func articlePreference() throws -> ArticlePreference {
        let choice = try parsed(.article, expected: Counted.choices(ArticleChoice.allCases.map(\.rawValue))) {
            $0.isEmpty ? .always : ArticleChoice(rawValue: $0)
        }
        return isTyped(.article) ? ArticlePreference(explicit: choice) : ArticlePreference(fallback: choice ?? .never)
    }

    /// One of an enum's cases.
    package func choice<Choice: RawRepresentable>(_ option: Option) -> Choice? where Choice.RawValue == String {
        self[option].flatMap(Choice.init(rawValue:))
    }

    /// The days that a date option names.
    package func days(_ option: Option, now: Date) throws -> Range<Date>? {
        try parsed(option, expected: DayRange.expected) {
            DayRange.parse($0, now: now)
        }
    }

    /// The path of the store.
    package func storePath(_ environment: Environment) -> String {
        guard let path = self[.store] else { return environment.storePath }
        // SQLite has its own meaning for a name with a colon in front.
        if path.hasPrefix(":") { return "./" + path }
        // The shell expands a tilde on the command line, but not in the settings file.
        return path.hasPrefix("~/") ? environment.home + path.dropFirst(1) : path
    }

    /// The filter of the options.
    package func filter(now: Date) throws -> Filter {
        var filter = Filter(
            author: self[.author], title: self[.title], since: try days(.since, now: now)?.lowerBound,
            before: try days(.until, now: now)?.upperBound, isUnread: has(.unread), isSaved: has(.saved))
        filter.tag = self[.tag]
        filter.minScore = try count(.minScore)
        if let since = filter.since, let before = filter.before, since >= before {
            throw UsageError.datesSwapped(since: self[.since] ?? "", until: self[.until] ?? "")
        }
        return filter
    }

    /// The query of a list or a search.
    package func query(sortedBy sorting: Sorting, now: Date) throws -> Query {
        let arrangement = Arrangement(
            sorting: choice(.sort) ?? sorting, grouping: choice(.group), isReversed: has(.reverse),
            areGroupsReversed: has(.reverseGroups))
        return Query(filter: try filter(now: now), arrangement: arrangement, limit: try count(.limit))
    }

    /// The comments to show; nil for none.
    package func commentSelection() throws -> CommentSelection? {
        let selection = CommentSelection(
            levels: try count(.depth), limit: try count(.comments), author: self[.by])
        guard has(.noComments) else { return selection }
        for option in [Option.depth, .comments, .by] where has(option) {
            throw UsageError.conflict("no-comments", option.name)
        }
        return nil
    }

    /// How many unread posts `next` skips.
    package func skippedCount() throws -> Int {
        // As a setting it would be an error for every other ID.
        guard isTyped(.skip) else { return 0 }
        guard operands.allSatisfy({ PostReference($0)?.isNext == true }) else { throw UsageError.skipNeedsNext }
        guard self[.skip]?.isEmpty == false else { return 1 }
        return try count(.skip, atLeast: 0, atMost: 1_000_000) ?? 1
    }

    /// The options that hold for every source to follow, without an address.
    package func followRequest() throws -> FollowRequest {
        var request = FollowRequest("", kind: self[.kind], name: self[.name])
        request.folder = isTyped(.folder) ? self[.folder] : nil
        request.site = self[.site].map { SourceAddress.completed($0) ?? $0 }
        request.keep = try retentionChoice()
        request.articles = try articleSettings()
        request.isRead = has(.asRead)
        request.isDryRun = has(.dryRun)
        return request
    }

    private func articleSettings() throws -> [ArticleSetting] {
        func selector(_ option: Option) throws -> String?? {
            guard let text = self[option] else { return nil }
            guard text != "none" else { return .some(nil) }
            if let problem = ElementSelector.problem(in: text) {
                throw UsageError.badSelector(text, option: option.name, problem)
            }
            return text
        }
        var settings: [ArticleSetting] = []
        if isTyped(.articleOfSource), let word = self[.articleOfSource] {
            settings.append(.choice(ArticleChoice(rawValue: word)))
        }
        if let body = try selector(.articleBody) { settings.append(.body(body)) }
        if let drop = try selector(.articleDrop) { settings.append(.drop(drop)) }
        return settings
    }

    /// The fields picked with `--fields` or `--json=`.
    package func fields(among known: [Field]) throws -> [Field]? {
        try fieldNames(among: known.map(\.rawValue))?.compactMap { Field(rawValue: $0) }
    }

    /// The names picked with `--fields` or `--json=`, each of them known.
    package func fieldNames(among known: [String]) throws -> [String]? {
        let json = self[.json].flatMap { $0.isEmpty ? nil : $0 }
        guard let text = self[.fields] ?? json else { return nil }
        return try Self.fieldNames(in: text).map { typed in
            let name = Field.canonical(typed, among: known)
            guard known.contains(name) else {
                throw UsageError.badValue(
                    typed, option: has(.fields) ? "fields" : "json", expected: Counted.choices(known),
                    nearest: NearestName.of(typed, among: known))
            }
            return name
        }
    }

    /// The names in a value of `--fields` or `--json`.
    package static func fieldNames(in text: String) -> [String] {
        guard !text.isEmpty else { return [] }
        return text.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.trimmed
        }
    }

    /// The selected format, or nil.
    package func format() throws -> Format? {
        let format: Format? = choice(.format)
        if has(.json) {
            guard format == nil || format == .json else { throw UsageError.conflict("json", "format") }
            return .json
        }
        if let line = try lineFormat(format) { return line }
        if let format, has(.fields), !format.hasFields { throw UsageError.conflict("fields", "format \(format)") }
        return format
    }

    /// The format that `--oneline` stands for: typed everywhere, in the settings it is for terminals; nil for none.
    private func lineFormat(_ format: Format?) throws -> Format? {
        guard isTyped(.oneline) else { return nil }
        guard format == nil || format == .table || origin(of: .format) != nil else {
            throw UsageError.conflict("oneline", "format")
        }
        return .table
    }

    private func parsed<Value>(_ option: Option, expected: String, _ parse: (String) -> Value?) throws -> Value? {
        guard let text = self[option] else { return nil }
        guard let value = parse(text) else {
            throw UsageError.badValue(text, option: option.name, expected: expected, nearest: nil)
        }
        return value
    }
}

extension Appearance.Options {
    /// The choices on a command line.
    ///
    /// Throws a ``UsageError``.
    package init(_ invocation: Invocation) throws {
        self.init()
        images = When(invocation[.images])
        color = When(invocation[.color])
        hyperlinks = When(invocation[.hyperlinks])
        isText = try invocation.format() == .text
        width = try invocation.count(.width, atLeast: Screen.minWidth)
        hasPager = !invocation.has(.noPager)
        isQuiet = invocation.has(.quiet)
        isVerbose = invocation.has(.verbose)
        hasAges = invocation[.dates] != "absolute"
        isCSVSafe = invocation[.csvSafe] != "never"
        isRaw = invocation.has(.raw)
    }

    private typealias When = Appearance.When
}

extension Appearance.When {
    /// The value of an option; ``auto`` for none.
    fileprivate init(_ value: String?) {
        self = value.flatMap(Self.init(rawValue:)) ?? .auto
    }
}

extension Invocation {
    /// The source that is read while none is followed: the kind and address from the settings and the environment.
    ///
    /// Throws ``LibraryError/badAddress(_:)``.
    package func defaultSource() throws -> SourceID {
        let kind = sourceNames.first.flatMap { SourceRegistry.kind(named: $0) } ?? SourceRegistry.kinds[0]
        let address = isTyped(.url) ? nil : self[.url]
        if let source = kind.source(at: address) { return source }
        guard address == nil, let usual = SourceRegistry.kinds[0].source(at: nil) else {
            throw LibraryError.badAddress(address ?? kind.name)
        }
        return usual
    }

    /// The sources that the options name: by `--url`, `--source` or `--folder`, or everything.
    ///
    /// Throws a ``UsageError``, a ``LibraryError`` or a ``StoreError``.
    package func scope(in library: Library) async throws -> Scope {
        let names = sourceNames
        var isNamed = isTyped(.source) || names.contains { SourceRegistry.kind(named: $0) == nil }
        // A kind in the settings is the default source; but a source may have the name of a kind.
        for name in names where !isNamed { isNamed = try await library.hasSource(named: name) }
        if isTyped(.folder), isTyped(.url) { throw UsageError.conflict("folder", "url") }
        if isTyped(.folder), isTyped(.source) { throw UsageError.conflict("folder", "source") }
        if isTyped(.url), let address = self[.url] { return .sources([try await source(at: address, in: library)]) }
        if isTyped(.source), names.isEmpty { throw UsageError.missingValue(option: Option.source.name) }
        if let folder = self[.folder], !isTyped(.source) { return .folder(folder) }
        return isNamed ? try await library.scope(named: names) : .everything
    }

    /// The source at a typed address, of the typed kind, or as it is stored.
    private func source(at address: String, in library: Library) async throws -> SourceID {
        let kind = sourceNames.first.flatMap { SourceRegistry.kind(named: $0) }
        if kind == nil, isTyped(.source) { throw UsageError.conflict("url", "source") }
        if kind == nil, let known = try await library.knownSource(at: address) { return known }
        guard let source = (kind ?? SourceRegistry.kinds[0]).source(at: address) else {
            throw LibraryError.badAddress(address)
        }
        return source
    }

    /// The names of the sources that were typed; nil for none.
    package var typedSources: [String]? { isTyped(.source) ? sourceNames : nil }

    private var sourceNames: [String] {
        (self[.source] ?? "").split(separator: ",").map { $0.trimmed }
    }

    /// The same for sources with some capabilities: settings that these sources don't support are left out.
    ///
    /// Throws ``UsageError/notOffered(option:source:by:)`` for an option that isn't a setting.
    package func fitted(to capabilities: Capabilities) throws -> Invocation {
        var dropped: [Option] = []
        func check(_ option: Option, _ name: String, _ offers: (Capabilities) -> Bool) throws {
            guard has(option), !offers(capabilities) else { return }
            if isTyped(option) { throw notOffered(name, offers) }
            dropped.append(option)
        }
        try check(.section, "section") { !$0.sections.isEmpty }
        let sections = capabilities.sections
        if let section = self[.section], isTyped(.section), !sections.isEmpty, !sections.contains(section) {
            throw UsageError.badValue(
                section, option: Option.section.name, expected: Counted.choices(sections),
                nearest: NearestName.of(section, among: sections))
        }
        try check(.withComments, "comments") { $0.hasComments }
        if let sorting: Sorting = choice(.sort), [.rank, .score, .comments, .rating].contains(sorting) {
            try check(.sort, "sort \(sorting.rawValue)") { $0.orders.contains(sorting) }
        }
        return without(dropped)
    }

    /// The typed options that select the source and the store, for commands in messages: " -s hn"; "" for none.
    package var sourceWords: Message {
        let source: Message = isTyped(.source) ? self[.source].map { " -s \(Shell.quoted($0))" } ?? "" : ""
        let url: Message = isTyped(.url) ? self[.url].map { " --url \(Shell.quoted($0))" } ?? "" : ""
        return "\(source)\(url)\(storeWords)"
    }

    /// The typed option that selects the store, for commands in messages: " --store FILE"; "" for none.
    package var storeWords: Message { isTyped(.store) ? self[.store].map { " --store \(Shell.quoted($0))" } ?? "" : "" }

    private func notOffered(_ option: String, _ offers: (Capabilities) -> Bool) -> UsageError {
        UsageError.notOffered(
            option: option, source: sourceNames.count == 1 ? sourceNames[0] : nil,
            by: SourceRegistry.kinds.filter { offers($0.capabilities) }.map(\.idPrefix))
    }
}

import BlogEssentials
import BlogLibrary
import BlogMarkup
import BlogModel
import BlogRendering
import BlogTerminal

/// A parsed command line: its operands and options, and the settings that apply where an option isn't given.
package struct Invocation {
    package let operands: [String]
    package let settings: Settings
    /// The selected format; nil for the default one.
    package let format: Format?
    private let options: [String: String]

    /// Throws a ``UsageError``.
    package init(operands: [String], options: [String: String] = [:], settings: Settings = Settings()) throws {
        self.operands = operands
        self.options = options
        self.settings = settings
        format = try Self.format(options)
    }

    /// The invocation of a command.
    ///
    /// Throws a ``UsageError``.
    init(_ arguments: Arguments, of command: CommandDescription, _ settings: Settings) throws {
        var options = arguments.options
        if command.formats.isEmpty, let format = options[Option.format.name] {
            throw UsageError.notHere(option: Option.format.name, "blog list --format \(format)")
        }
        if options[Option.url.name] != nil, options[Option.source.name] == nil {
            options[Option.source.name] = Self.kind(of: command.ids(among: arguments.operands))
        }
        try self.init(operands: arguments.operands, options: options, settings: settings)
    }

    /// The kind of source that all IDs begin with, if there is one: a typed address is then of that kind.
    private static func kind(of ids: [String]) -> String? {
        let named = Set(
            ids.map { id in id.split(separator: ":").first.flatMap { SourceRegistry.kind(named: String($0)) }?.name })
        return named.count == 1 ? named.first ?? nil : nil
    }

    private static func format(_ options: [String: String]) throws -> Format? {
        let name = options[Option.format.name]
        if options[Option.json.name] != nil {
            guard name == nil || name == Format.json.rawValue else { throw UsageError.conflict("json", "format") }
            return .json
        }
        if options[Option.oneline.name] != nil {
            guard name == nil || name == Format.table.rawValue else { throw UsageError.conflict("oneline", "format") }
            return .table
        }
        let format = name.flatMap { Format(rawValue: $0) }
        if let name, options[Option.fields.name] != nil, format?.hasFields != true {
            throw UsageError.conflict("fields", "format \(name)")
        }
        return format
    }

    /// Whether an option was given.
    package func has(_ option: Option) -> Bool { self[option] != nil }

    package func without(_ dropped: [Option]) throws -> Invocation {
        let rest = options.filter { name, _ in !dropped.contains { $0.name == name } }
        return try Invocation(operands: operands, options: rest, settings: settings)
    }

    /// An option's value, or nil.
    package subscript(option: Option) -> String? { options[option.name] }

    /// A whole number.
    package func count(_ option: Option, atLeast least: Int = 1, atMost most: Int = .max) throws -> Int? {
        try self[option].map { try option.count($0, atLeast: least, atMost: most) }
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

    /// The age from which posts are deleted.
    package func olderThan() throws -> Retention? {
        try parsed(.olderThan, expected: "an age like 30d, 6w, 3m or 1y") { text in
            Retention(text).flatMap { $0 == .forever ? nil : $0 }
        }
    }

    /// How long to keep the posts of a source, or to use the common setting again.
    private func retentionChoice() throws -> RetentionChoice? {
        try parsed(.keepOfSource, expected: "an age like 30d, 6w, 3m or 1y, or all, or none") { text in
            text == "none" ? .common : Retention(text).map { .own($0) }
        }
    }

    /// One of an enum's cases.
    package func choice<Choice: RawRepresentable<String>>(_ option: Option) -> Choice? {
        self[option].flatMap { Choice(rawValue: $0) }
    }

    package func days(_ option: Option, now: Date) throws -> Range<Date>? {
        try parsed(option, expected: DayRange.expected) {
            DayRange.parse($0, now: now)
        }
    }

    package func storePath(_ environment: Environment) -> String {
        guard let path = value(.store, else: settings.store) else { return environment.storePath }
        // SQLite has its own meaning for these.
        if path.hasPrefix(":") || path.hasPrefix("file:") { return "./" + path }
        // The shell expands a tilde on the command line, but not in --store=~/posts.
        return path.hasPrefix("~/") ? environment.home + path.dropFirst(1) : path
    }

    /// The filter of the options.
    package func filter(now: Date) throws -> Filter {
        var filter = Filter(
            author: self[.author], title: self[.title], since: try days(.since, now: now)?.lowerBound,
            before: try days(.until, now: now)?.upperBound, isUnread: has(.unread), isSaved: has(.saved))
        filter.tag = self[.tag]
        filter.label = self[.label]
        filter.hidden = has(.hidden) ? .only : .excluded
        filter.minScore = try count(.minScore)
        if let since = filter.since, let before = filter.before, since >= before {
            throw UsageError.datesSwapped(since: self[.since] ?? "", until: self[.until] ?? "")
        }
        return filter
    }

    /// The rule of `blog rule add`.
    ///
    /// Throws ``UsageError/missingOperand(_:)`` if it does nothing.
    package func rule(words: String, now: Date) throws -> Rule {
        var marks: [Mark] = []
        if has(.marksRead) { marks.append(.read) }
        if has(.marksSaved) { marks.append(.saved) }
        if let typed = self[.addsLabel] {
            guard let label = Label.typed(typed) else { throw UsageError.badLabel(typed) }
            marks.append(.labelled(label))
        }
        guard has(.hides) || !marks.isEmpty else {
            throw UsageError.missingOperand("what to do: --hide, --read, --save or --label LABEL")
        }
        let expires = try parsed(.expires, expected: "a date like 2027-01 or 2027-01-15, or an age like 30d, 6w or 3m")
        {
            text -> Date? in
            if let start = Retention(text)?.cutoff(at: now) {
                return now.addingTimeInterval(now.timeIntervalSince(start))
            }
            return DayRange.parse(text, now: now)?.upperBound
        }
        if let expires, expires <= now { throw UsageError.expired(self[.expires] ?? "") }
        return Rule(words: words, isHiding: has(.hides), marks: marks, expires: expires)
    }

    /// The query of a list or a search.
    package func query(sortedBy sorting: Sorting, now: Date) throws -> Query {
        let arrangement = Arrangement(
            sorting: choice(.sort) ?? sorting, grouping: choice(.group), isReversed: has(.reverse),
            areGroupsReversed: has(.reverseGroups))
        var query = Query(filter: try filter(now: now), arrangement: arrangement, limit: try count(.limit))
        query.hidesDuplicates = !(self[.duplicates].map { $0 == "show" } ?? settings.showsDuplicates)
        return query
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
        guard has(.skip) else { return 0 }
        guard operands.allSatisfy({ PostReference($0)?.isNext == true }) else { throw UsageError.skipNeedsNext }
        guard self[.skip]?.isEmpty == false else { return 1 }
        return try count(.skip, atLeast: 0, atMost: 1_000_000) ?? 1
    }

    /// A request with the options, which apply to every source to follow, but without an address.
    package func followRequest() throws -> FollowRequest {
        var request = FollowRequest("", kind: self[.kind], name: self[.name])
        request.title = self[.titleOfSource].map { $0 == "none" ? "" : $0 }
        request.newAddress = self[.newAddress]
        request.folder = self[.folderOfSource]
        request.site = self[.site].map { SourceAddress.completed($0) ?? $0 }
        request.keep = try retentionChoice()
        request.every = try parsed(.everyOfSource, expected: Option.intervals + ", or none") { text in
            text == "none" ? .common : RefreshInterval(text).map { .own($0) }
        }
        request.articles = try articleSettings()
        request.isRead = has(.asRead)
        request.isDryRun = has(.dryRun)
        request.isRepair = has(.repair)
        // The server decides about its feeds.
        let others: [Option] = [
            .name, .titleOfSource, .newAddress, .repair, .kind, .site, .keepOfSource, .everyOfSource, .articleOfSource,
            .articleBody, .articleDrop, .asRead, .dryRun,
        ]
        if has(.service), let other = others.first(where: has) { throw UsageError.conflict("in", other.name) }
        request.allowsHTTP = has(.allowHTTP)
        if has(.repair), has(.newAddress) { throw UsageError.conflict("repair", "address") }
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
        if let word = self[.articleOfSource] {
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

    /// The names picked with `--fields` or `--json=`, all of which must be known.
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

    private func parsed<Value>(_ option: Option, expected: String, _ parse: (String) -> Value?) throws -> Value? {
        try self[option].map { try option.parsed($0, expected: expected, parse) }
    }
}

// MARK: Settings

extension Invocation {
    package var isOneline: Bool { isOn(.oneline, settings.isOneline) }

    package var isPlain: Bool { isOn(.plain, settings.isPlain) }
    package var beginsWithSources: Bool { isOn(.sources, settings.beginsWithSources) }

    package var images: Appearance.When { choice(.images) ?? settings.images }

    /// Whether posts are read with the articles behind their links.
    package func articlePreference() throws -> ArticlePreference {
        let choice = try self[.article].map { $0.isEmpty ? .always : try Option.article.choice($0) as ArticleChoice }
        return ArticlePreference(explicit: choice, fallback: settings.article)
    }

    /// The seconds between refreshes of an open screen; nil for none.
    package func every() throws -> TimeInterval? {
        guard let text = self[.every] else { return settings.every }
        return try Option.every.interval(text)
    }

    /// How long to keep posts; nil if unspecified.
    package func keep() throws -> Retention? { try self[.keep].map { try Option.keep.retention($0) } ?? settings.keep }

    /// The choices of appearance.
    ///
    /// Throws a ``UsageError``.
    package func appearance() throws -> Appearance.Options {
        var appearance = Appearance.Options()
        appearance.images = images
        appearance.color = choice(.color) ?? settings.color
        appearance.hyperlinks = choice(.hyperlinks) ?? settings.hyperlinks
        appearance.dates = choice(.dates) ?? settings.dates
        appearance.isText = format == .text
        appearance.width = try count(.width, atLeast: Screen.minWidth) ?? setting(.width, settings.width)
        appearance.hasPager = isOn(.pager, settings.hasPager)
        appearance.isVerbose = has(.verbose)
        appearance.isQuiet = has(.quiet) || !has(.verbose) && isOn(.quiet, settings.isQuiet)
        appearance.isCSVSafe = self[.csvSafe] != "never"
        appearance.isRaw = has(.raw)
        return appearance
    }

    private func isOn(_ option: Option, _ setting: Bool) -> Bool {
        has(option) || self.setting(option, setting) ?? false
    }

    /// A setting, unless `--no-NAME` switches it off.
    private func setting<Value>(_ option: Option, _ setting: Value?) -> Value? {
        option.negation.map { options[$0] != nil } ?? false ? nil : setting
    }

    private func value(_ option: Option, else setting: String?) -> String? {
        self[option] ?? self.setting(option, setting)
    }
}

// MARK: Sources

extension Invocation {
    /// The source to read until one is followed: the kind and address from the settings and the environment.
    ///
    /// Throws ``LibraryError/badAddress(_:)``.
    package func defaultSource() throws -> SourceID {
        let kind = (isAddressAlone ? nil : namedKind) ?? SourceRegistry.standard
        let address = has(.url) || isOfOtherKind ? nil : setting(.url, settings.url)
        if let source = kind.source(at: address) { return source }
        guard address == nil, let usual = SourceRegistry.standard.source(at: nil) else {
            throw LibraryError.badAddress(address ?? kind.name)
        }
        return usual
    }

    private var namedKind: SourceKind? { sourceNames.first.flatMap { SourceRegistry.kind(named: $0) } }

    /// Whether the environment has an address, but the kind is only in the settings file, which it overrides.
    private var isAddressAlone: Bool {
        !has(.source) && settings.isInEnvironment(.url) && !settings.isInEnvironment(.source)
    }

    /// Whether the named kind of source differs from that of the address in the settings.
    private var isOfOtherKind: Bool {
        func kind(_ name: String) -> String { SourceRegistry.kind(named: name)?.name ?? name }
        // A kind and an address belong together if both are in the file, or both in the environment.
        let isTogether = settings.isInEnvironment(.url) == settings.isInEnvironment(.source)
        let usual = (isTogether ? setting(.source, settings.source) : nil) ?? SourceRegistry.standard.name
        if let typed = self[.source] { return kind(typed) != kind(usual) }
        return !isAddressAlone && namedKind.map { $0.name != kind(usual) } ?? false
    }

    /// The sources that the options name: by `--url`, `--source` or `--folder`, or everything.
    ///
    /// Throws a ``UsageError``, a ``LibraryError`` or a ``StoreError``.
    package func scope(in library: Library) async throws -> Scope {
        if has(.folder), has(.url) { throw UsageError.conflict("folder", "url") }
        if has(.folder), has(.source) { throw UsageError.conflict("folder", "source") }
        if let address = self[.url] { return .sources([try await source(at: address, in: library)]) }
        if let folder = self[.folder] { return .folder(folder) }
        let names = sourceNames
        if has(.source), names.isEmpty { throw UsageError.missingValue(option: Option.source.name) }
        var isNamed = has(.source) || names.contains { SourceRegistry.kind(named: $0) == nil }
        // A kind in the settings is the default source; but a source may have the name of a kind.
        for name in names where !isNamed { isNamed = try await library.directory.has(named: name) }
        return isNamed ? try await library.scope(named: names) : .everything
    }

    /// The source at a typed address, of the typed kind, or else of the stored or the standard one.
    private func source(at address: String, in library: Library) async throws -> SourceID {
        let kind = has(.source) ? namedKind : nil
        if kind == nil, has(.source) { throw UsageError.conflict("url", "source") }
        if kind == nil, let known = try await library.directory.id(at: address) { return known }
        guard let source = (kind ?? SourceRegistry.standard).source(at: address) else {
            throw LibraryError.badAddress(address)
        }
        return source
    }

    /// The names of the sources that were typed; nil for none.
    package var typedSources: [String]? { has(.source) ? sourceNames : nil }

    /// Where the names of the sources come from, before a message about them: "PATH:3: "; "" if they were typed.
    package var placeOfSources: Message {
        guard !has(.source), let setting = settings.origins[Option.source.name] else { return "" }
        return setting.line.map { "\(setting.origin):\($0): " } ?? "\(setting.origin): "
    }

    private var sourceNames: [String] {
        (value(.source, else: settings.source) ?? "").split(separator: ",").map { $0.trimmed }
    }

    /// Checks that the sources support the options.
    ///
    /// Throws ``UsageError/notOffered(option:source:by:)``.
    package func check(against capabilities: Capabilities) throws {
        func check(_ option: Option, _ name: String, _ offers: (Capabilities) -> Bool) throws {
            guard has(option), !offers(capabilities) else { return }
            throw UsageError.notOffered(
                option: name, source: sourceNames.count == 1 ? sourceNames[0] : nil,
                by: SourceRegistry.kinds.filter { offers($0.capabilities) }.map(\.idPrefix))
        }
        try check(.section, "section") { !$0.sections.isEmpty }
        if let section = self[.section], !capabilities.sections.contains(section) {
            throw UsageError.badValue(
                section, option: Option.section.name, expected: Counted.choices(capabilities.sections),
                nearest: NearestName.of(section, among: capabilities.sections))
        }
        try check(.withComments, "comments") { $0.hasComments }
        if let sorting: Sorting = choice(.sort), [.rank, .score, .comments, .rating].contains(sorting) {
            try check(.sort, "sort \(sorting.rawValue)") { $0.orders.contains(sorting) }
        }
    }

    /// The typed options that select the source and the store, for commands in messages: " -s hn"; "" for none.
    package var sourceArguments: Message {
        let source: Message = self[.source].map { " -s \(ShellWords.quoted($0))" } ?? ""
        let url: Message = self[.url].map { " --url \(ShellWords.quoted($0))" } ?? ""
        return "\(source)\(url)\(storeArguments)"
    }

    /// The typed option that selects the store, for commands in messages: " --store FILE"; "" for none.
    package var storeArguments: Message { self[.store].map { " --store \(ShellWords.quoted($0))" } ?? "" }
}

extension Arrangement {
    /// An arrangement in the words of `blog list`, or of `blog search`, as in "title --group author".
    ///
    /// Throws a ``UsageError``.
    package init(optionWords words: [String], ofSearch isSearch: Bool) throws {
        let sortsFirst = words.first.map { !$0.hasPrefix("-") } ?? false
        var arguments = Arguments()
        try arguments.parse([isSearch ? "search" : "list"] + (sortsFirst ? ["--\(Option.sort.name)"] : []) + words)
        if let operand = arguments.operands.first { throw UsageError.needlessOperand(operand) }
        let known = [Option.sort, .group, .reverse, .reverseGroups].map(\.name)
        if let other = arguments.options.keys.first(where: { !known.contains($0) }) {
            throw UsageError.elsewhere("option --\(other)", Counted.choices(known.map { "--\($0)" }))
        }
        let invocation = try Invocation(operands: [], options: arguments.options)
        self = try invocation.query(sortedBy: isSearch ? .relevance : .date, now: Date()).arrangement
    }

    /// The words that stand for it, the value of `--sort` first.
    package var optionWords: [String] {
        [sorting.rawValue] + (grouping.map { ["--\(Option.group.name)", $0.rawValue] } ?? [])
            + (isReversed ? ["--\(Option.reverse.name)"] : [])
            + (areGroupsReversed ? ["--\(Option.reverseGroups.name)"] : [])
    }
}

import BlogCore

extension Invocation {
    /// The same for a source: of the options and orders that only some sources understand, settings that this one doesn't
    /// understand are left out.
    ///
    /// Throws ``UsageError/notOffered(option:source:by:)`` for what was not a setting.
    func fitted(to reader: Reader) throws -> Invocation {
        guard reader.sections.isEmpty else { return self }
        if isTyped(.section) { throw notOffered("section", reader) }
        if isTyped(.withComments) { throw notOffered("comments", reader) }
        var dropped: [Option] = [.section, .withComments]
        if let sorting: Sorting = choice(.sort), [.rank, .score, .comments].contains(sorting) {
            guard !isTyped(.sort) else { throw notOffered("sort \(sorting.rawValue)", reader) }
            dropped.append(.sort)
        }
        return without(dropped)
    }

    /// What is typed behind a command's name to ask the same source: " -s hn"; "" where nothing was typed for this run.
    var sourceWords: Message {
        let source: Message = isTyped(.source) ? self[.source].map(Self.words(for:)) ?? "" : ""
        let url: Message = isTyped(.url) ? self[.url].map { " --url \(Shell.quoted($0))" } ?? "" : ""
        return "\(source)\(url)"
    }

    /// The same for a source at its usual address.
    static func words(for source: String) -> Message {
        " -s \(SourceRegistry.entry(named: source)?.shorthands.first ?? source)"
    }

    private func notOffered(_ option: String, _ reader: Reader) -> UsageError {
        UsageError.notOffered(
            option: option, source: reader.sourceName,
            by: SourceRegistry.entries.filter { !$0.sections.isEmpty }.map(\.name))
    }
}

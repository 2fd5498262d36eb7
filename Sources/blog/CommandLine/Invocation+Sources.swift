import BlogCore

extension Invocation {
    /// Checks that options which only some sources understand are given for one of those.
    ///
    /// Throws ``UsageError/notOffered(option:source:by:)``.
    func allows(_ options: [Option], in reader: Reader) throws {
        for option in options where has(option) && reader.sections.isEmpty { throw notOffered(option.name, reader) }
    }

    /// The same for orders.
    func allows(_ sortings: [Sorting], in reader: Reader) throws {
        guard let sorting: Sorting = choice(.sort), sortings.contains(sorting), reader.sections.isEmpty else { return }
        throw notOffered("sort \(sorting.rawValue)", reader)
    }

    private func notOffered(_ option: String, _ reader: Reader) -> UsageError {
        UsageError.notOffered(
            option: option, source: reader.sourceName,
            by: SourceRegistry.entries.filter { !$0.sections.isEmpty }.map(\.name))
    }
}

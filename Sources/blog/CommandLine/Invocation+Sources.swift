import BlogLibrary
import Foundation
import Model
import Terminal

extension Invocation {
    /// What is read where nothing is followed: the kind and the address of the settings and the environment.
    ///
    /// Throws ``LibraryError/badAddress(_:)``.
    func defaultSource() throws -> SourceID {
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
    func scope(in library: Library) async throws -> Scope {
        let names = sourceNames
        var isNamed = isTyped(.source) || names.contains { SourceRegistry.kind(named: $0) == nil }
        // A kind in the settings is what is read while nothing is followed; but a source may be called like one.
        for name in names where !isNamed { isNamed = try await library.hasSource(named: name) }
        if isTyped(.folder), isTyped(.url) { throw UsageError.conflict("folder", "url") }
        if isTyped(.folder), isTyped(.source) { throw UsageError.conflict("folder", "source") }
        if isTyped(.url), let address = self[.url] { return .sources([try await source(at: address, in: library)]) }
        if isTyped(.source), names.isEmpty { throw UsageError.missingValue(option: Option.source.name) }
        if let folder = self[.folder], !isTyped(.source) { return .folder(folder) }
        return isNamed ? try await library.scope(named: names) : .everything
    }

    /// The source at an address that was typed, of the kind that was typed, or as which it is stored.
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
    var typedSources: [String]? { isTyped(.source) ? sourceNames : nil }

    private var sourceNames: [String] {
        (self[.source] ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// The same for some sources: of the options and orders that only some sources understand, settings that these don't
    /// understand are left out.
    ///
    /// Throws ``UsageError/notOffered(option:source:by:)`` for what was not a setting.
    func fitted(to capabilities: Capabilities) throws -> Invocation {
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

    /// The options that select the same source, as typed after a command's name: " -s hn"; "" if none were typed.
    var sourceWords: Message {
        let source: Message = isTyped(.source) ? self[.source].map { " -s \(Shell.quoted($0))" } ?? "" : ""
        let url: Message = isTyped(.url) ? self[.url].map { " --url \(Shell.quoted($0))" } ?? "" : ""
        return "\(source)\(url)"
    }

    private func notOffered(_ option: String, _ offers: (Capabilities) -> Bool) -> UsageError {
        UsageError.notOffered(
            option: option, source: sourceNames.count == 1 ? sourceNames[0] : nil,
            by: SourceRegistry.kinds.filter { offers($0.capabilities) }.map(\.name))
    }
}

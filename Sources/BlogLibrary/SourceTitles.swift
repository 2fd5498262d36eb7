import Model
import Store

/// Finds sources by what people remember of them.
enum SourceTitles {
    /// The sources that have a title; without any, those whose name or title begins so.
    ///
    /// - Parameter isWhole: whether a beginning is not enough.
    static func sources(_ text: String, among sources: [StoredSource], isWhole: Bool = false) -> [StoredSource] {
        let text = Folding.fold(text)
        guard !text.isEmpty else { return [] }
        let titled = sources.map { (source: $0, title: Folding.fold($0.title ?? "")) }
        let exact = titled.filter { $0.title == text }
        guard exact.isEmpty, !isWhole else { return exact.map(\.source) }
        return titled.filter { $0.title.hasPrefix(text) || $0.source.name?.hasPrefix(text) == true }.map(\.source)
    }

    /// The only source that a text means; nil if it means none.
    ///
    /// Throws ``LibraryError/severalSources(_:names:)``.
    static func source(_ text: String, among sources: [StoredSource], isWhole: Bool = false) throws -> StoredSource? {
        try only(self.sources(text, among: sources, isWhole: isWhole), text)
    }

    /// The only source whose name begins as an id does, as it is typed, or as ``TypedIDs/shortened(_:to:)`` has it; nil if
    /// there is none.
    ///
    /// Throws ``LibraryError/severalSources(_:names:)``.
    static func source(ofID prefix: String, among sources: [StoredSource]) throws -> StoredSource? {
        let beginning = prefix.hasSuffix("…") ? String(prefix.dropLast()) : prefix
        guard !beginning.isEmpty else { return nil }
        return try only(sources.filter { $0.name?.hasPrefix(beginning) == true }, beginning)
    }

    private static func only(_ found: [StoredSource], _ text: String) throws -> StoredSource? {
        guard found.count <= 1 else {
            throw LibraryError.severalSources(text, names: found.map { $0.name ?? $0.id.address })
        }
        return found.first
    }
}

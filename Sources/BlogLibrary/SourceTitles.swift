import Model
import Store

/// Finds sources by what people remember of them.
enum SourceTitles {
    /// The sources that have a title; without any, those whose name or title begins so.
    ///
    /// Nothing is found by less than two letters.
    ///
    /// - Parameter isWhole: whether a beginning is not enough.
    static func sources(_ text: String, among sources: [StoredSource], isWhole: Bool = false) -> [StoredSource] {
        let text = Folding.fold(text)
        guard text.count > 1 else { return [] }
        let titled = sources.map { (source: $0, title: Folding.fold($0.title ?? "")) }
        let exact = titled.filter { $0.title == text }
        guard exact.isEmpty, !isWhole else { return exact.map(\.source) }
        return titled.filter { $0.title.hasPrefix(text) || $0.source.name?.hasPrefix(text) == true }.map(\.source)
    }
}

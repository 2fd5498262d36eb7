/// What the posts of one group have in common.
public enum Grouping: String, CaseIterable, Sendable {
    /// The author's name, A to Z.
    case author
    /// The month of publication in UTC, newest first.
    case date
    /// The title's first letter.
    case title
    /// The source, A to Z by its name.
    case source
    /// The folder that the source is in, A to Z.
    case folder
}

extension Grouping {
    /// The name that people see of a group, from the column that the store keeps it in.
    package func name(ofStored value: String) -> String {
        switch self {
        case .author, .title, .source: value
        case .folder: value.isEmpty ? "No folder" : value
        case .date: CalendarMonth(text: value)?.name ?? value
        }
    }
}

/// Which sources a list, a search, a sync or a marking is over.
public enum Scope: Hashable, Sendable {
    /// Everything that is followed; where nothing is, the default source.
    case everything
    /// These, followed or not.
    case sources([SourceID])
    /// The followed sources of a folder and of the folders in it.
    case folder(String)

    /// Whether the sources themselves were asked for, and not all that are followed somewhere.
    package var isNamed: Bool { if case .sources = self { true } else { false } }
}

import BlogBrowse
import BlogCommandLine
import BlogLibrary
import BlogModel
import BlogTerminal

/// `blog browse`: lists and posts on a full screen.
enum BrowseCommand: Command {
    static let description = Commands.browse

    static func run(_ invocation: Invocation, in context: Context) async throws -> CommandResult {
        if let extra = invocation.operands.first {
            throw UsageError.elsewhere("argument “\(extra)”", "blog read \(extra) or blog search \(extra)")
        }
        let every = try invocation.every()
        let session = try await Session(invocation, in: context, for: .reading, every: every)
        try invocation.check(against: session.capabilities)
        var query = try invocation.query(sortedBy: session.capabilities.sorting, now: context.now())
        query.section = invocation[.section]
        var (scope, place) = (session.scope, session.browsePlace)
        // As from the list of the labels.
        if let label = query.filter.label, case .everything = scope {
            (scope, place, query.filter.label) = (.label(label), label, nil)
        }
        return try await Browsing.run(
            ListRequest(.query(query, scope)), place: place,
            Browsing.Options(
                beginsWithSources: invocation.beginsWithSources,
                isInLines: invocation.isPlain || session.appearance.isTextOnly, every: every),
            in: session, context)
    }
}

extension Session {
    /// The name of the list that the scope gives.
    var browsePlace: String { if case .everything = scope, !isOneSource { "All posts" } else { title } }
}

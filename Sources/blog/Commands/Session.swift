import BlogKit
import Foundation

/// What every reading command has: a reader for the source that was asked for, and a console that looks as it should.
struct Session {
    let reader: Reader
    let console: Console
    let appearance: Appearance
    private let storePath: String

    init(_ invocation: Invocation, in context: Context) async throws {
        let console = context.console
        let freshness: Freshness =
            switch (invocation.has(.offline), invocation.has(.refresh)) {
            case (true, true): throw UsageError.conflict("offline", "refresh")
            case (true, false): .offline
            case (false, true): .refresh
            case (false, false): .normal
            }
        self.console = console
        appearance = try await console.configure(invocation)
        storePath = invocation.storePath(context)
        reader = try Reader(
            source: invocation[.source], address: invocation[.url], storePath: storePath, freshness: freshness,
            timeout: try invocation.seconds(.timeout) ?? 30, observer: { await console.observe($0) })
    }

    /// Cards where people look, tab-separated lines where programs do; fields of one's own choice fit no card.
    func renderer(_ format: Format?, _ fields: [Field]?, isGrouped: Bool, isSearch: Bool = false) -> any Renderer {
        let format = format ?? (appearance.isTerminal && fields == nil ? .table : .tsv)
        return format.renderer(fields: fields, isGrouped: isGrouped, isSearch: isSearch)
            ?? CardRenderer(width: appearance.width, isColored: appearance.isColored && format != .text)
    }

    /// Says that what is seen now will not be kept, where that is so.
    func warnOfStore() async {
        switch await reader.storeNotice {
        case .notWritable: await console.notice("\(storePath) can't be written: what you see now is not kept.")
        case .diskFull: await console.notice("The disk is full: what you see now is not kept in \(storePath).")
        case nil: break
        }
    }

    /// Says where data came from, with `--verbose`.
    func tell(_ what: String) async {
        await console.detail("\(what) (\(storePath))")
    }
}

import BlogCore
import Foundation

/// What every reading command has: a reader for the source that was asked for, and a console that looks as it should.
struct Session {
    let reader: Reader
    let console: Console
    let appearance: Appearance
    private let storePath: String
    private let now: Date
    /// Whether nobody may be asked.
    let isOffline: Bool
    private let sourceWords: Message
    /// A reader for another source, at its usual address.
    private let makeReader: @Sendable (String) throws -> Reader

    /// What a command needs, of a store that is made where there is none, unless it is only to be read.
    init(_ invocation: Invocation, in context: Context, isReadOnly: Bool = false) async throws {
        let console = context.console
        let freshness: Freshness =
            switch (invocation.has(.offline), invocation.has(.refresh)) {
            case (true, true): throw UsageError.conflict("offline", "refresh")
            case (true, false): .offline
            case (false, true): .refresh
            case (false, false): .normal
            }
        self.console = console
        isOffline = freshness == .offline
        appearance = try await console.configure(invocation)
        sourceWords = invocation.sourceWords
        storePath = invocation.storePath(context)
        now = context.now()
        let path = storePath
        let timeout = try invocation.seconds(.timeout) ?? 30
        @Sendable func open(_ source: String?, _ address: String?) throws -> Reader {
            try Reader(
                source: source, address: address, storePath: path, isReadOnly: isReadOnly, freshness: freshness,
                timeout: timeout, transport: context.transport, observer: { await console.observe($0) })
        }
        makeReader = { source in try open(source, nil) }
        reader = try open(invocation[.source], invocation[.url])
    }

    /// The reader for a post, and its id there: an id like `hn:8863` names the source too.
    func place(of id: String) throws -> (reader: Reader, id: String) {
        guard let (entry, bare) = SourceRegistry.qualified(id) else { return (reader, id) }
        return (entry.name == reader.sourceName ? reader : try makeReader(entry.name), bare)
    }

    /// What is typed behind a command's name to ask the source of a reader.
    func sourceWords(for reader: Reader) -> Message {
        reader.sourceName == self.reader.sourceName ? sourceWords : Invocation.words(for: reader.sourceName)
    }

    /// Cards where people look, tab-separated lines where programs do; fields of one's own choice fit no card.
    func renderer(_ format: Format?, _ fields: [Field]?, isGrouped: Bool, isSearch: Bool = false) -> any Renderer {
        let format = format ?? (appearance.isTerminal && fields == nil ? .table : .tsv)
        let isRanked = !reader.sections.isEmpty
        return format.renderer(fields: fields, isGrouped: isGrouped, isSearch: isSearch, isRanked: isRanked)
            ?? CardRenderer(width: appearance.width, isColored: appearance.isColored && format != .text, now: now)
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
    func tell(_ what: Message) async {
        await console.detail("\(what) (\(storePath))")
    }
}

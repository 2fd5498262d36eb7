import BlogEssentials
import BlogHTTP
import BlogModel

/// Runs a command of the user's by its name, and returns its output; nil if there is none of that name.
///
/// Throws a ``SourceError``.
package typealias FeedCommands = @Sendable (_ name: String, _ address: URL) async throws -> [UInt8]?

/// A feed that no server sends: its bytes come from this machine.
///
/// Only what the user has typed is read or run: never what came with a list, a page, a redirect or an archive.
protocol LocalFeed: Source {
    var address: URL { get }
    var client: HTTPClient { get }
    /// The commands of the settings; nil for none.
    var commands: FeedCommands? { get set }

    func bytes() async throws -> [UInt8]
}

extension LocalFeed {
    package var id: SourceID { SourceID(kind: Self.kind.name, address: address.absoluteString) }

    package func refresh(_ section: String?, since: Checkpoint?) async throws -> Refresh {
        guard await client.origins.include(address) else { throw SourceError.notTyped(address) }
        var feed = FeedSource(address: address, client: client)
        feed.received = HTTPDocument(url: address, head: HTTPHead(status: 200), body: DocumentBody(try await bytes()))
        do { return try await feed.refresh(section, since: since) } catch SourceError.unreadable(let url, _) {
            throw SourceError.local(url, problem: "not a feed")
        }
    }

    package func mayMove(to address: URL) -> Bool { false }
}

extension SourceKind {
    fileprivate init(scheme: String, _ description: String, make: @escaping @Sendable (URL, HTTPClient) -> any Source) {
        self.init(
            name: scheme, defaultAddress: nil, description: description,
            capabilities: Capabilities(bodyFormat: .html, includesBodies: true), scheme: scheme,
            isDetectedByList: false, make: make)
    }
}

/// What a command of the settings prints: `exec:NAME`.
struct CommandFeed: LocalFeed {
    static let kind = SourceKind(scheme: "exec", "commands of your own") { CommandFeed(address: $0, client: $1) }

    let address: URL
    let client: HTTPClient
    var commands: FeedCommands?

    /// The name of the command at an address.
    fileprivate static func name(at address: String) -> String { String(address.dropFirst(kind.name.count + 1)) }

    func bytes() async throws -> [UInt8] {
        let name = Self.name(at: address.absoluteString)
        guard let output = try await commands?(name, address) else {
            throw SourceError.local(address, problem: "no command “exec.\(name)” in the settings")
        }
        return output
    }
}

/// A file on this machine: `file:///home/alice/feed.xml`.
struct FileFeed: LocalFeed {
    static let kind = SourceKind(scheme: "file", "files") { FileFeed(address: $0, client: $1) }

    let address: URL
    let client: HTTPClient
    var commands: FeedCommands?

    func bytes() async throws -> [UInt8] {
        let path = address.path(percentEncoded: false)
        // A pipe may never end.
        if FileFacts(path: path, followsLinks: true)?.isRegular == false {
            throw SourceError.local(address, problem: "not a file")
        }
        do {
            return try SubscriptionFile.bytes(path)
        } catch FileError.unreadable(_, let reason) {
            throw SourceError.local(address, problem: reason)
        }
    }
}

extension SourceID {
    /// The name of a command, or of a file without its extension; nil for any other source.
    var localWord: String? {
        switch kind {
        case CommandFeed.kind.name: CommandFeed.name(at: address)
        case FileFeed.kind.name: URL(address: address)?.deletingPathExtension().lastPathComponent
        default: nil
        }
    }
}

extension SourceRegistry {
    /// The address of a command or a file as users type it; nil for any other text.
    static func local(_ text: String) -> SourceID? {
        kinds.lazy.filter { $0.scheme != nil }.compactMap { $0.source(at: text) }.first
    }
}

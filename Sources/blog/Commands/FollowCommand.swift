import BlogCore
import Foundation

/// `blog follow`: sources whose posts are one list from then on.
enum FollowCommand: Command {
    static let name = "follow"
    static let summary = "follow sources: their posts are one list from then on"
    static let operands = "ADDRESS... | -"
    static let examples = [
        ("blog follow swift.org", "the feed that a page names; without http:// it is https"),
        ("blog follow hn --folder tech", "Hacker News, in a folder of its own: blog list --folder tech"),
        (
            "blog follow http://localhost:8106 --as nerds",
            "a server with the blog API; its posts are nerds:1, nerds:2 …"
        ),
        ("blog follow feeds.opml --read", "what another reader exported, without its old posts as unread"),
        ("blog follow https://github.com/apple/swift --dry-run", "what would be followed"),
    ]
    static let options: [Option] = [.name, .kind, .asRead, .dryRun]

    static func run(_ invocation: Invocation, in context: Context) async throws -> ExitCode {
        guard !invocation.operands.isEmpty, !invocation.operands.contains("") else {
            throw UsageError.missingOperand("the address of a source")
        }
        if invocation.has(.offline) { throw UsageError.notOffline }
        let requests = try invocation.operands.flatMap { try self.requests($0, invocation) }
        if requests.count > 1, invocation.has(.name) { throw UsageError.nameForSeveral }
        // The folder is where the sources go, and no scope.
        let session = try await Session(invocation.without([.folder]), in: context)
        var failures: [ExitCode] = []
        for await report in session.library.follow(requests) {
            do {
                if let code = await tell(try report.get(), session) { failures.append(code) }
            } catch let error as StoreError {
                throw error
            } catch {
                let failure = Failure(error)
                await session.console.error(failure.message)
                failures.append((error as? HTTPError)?.isUnreachable == true ? .nothingToShow : failure.exitCode)
            }
        }
        await session.warnOfStore()
        guard let first = failures.first else { return .success }
        return failures.count == requests.count ? first : .partly
    }

    /// What an operand asks for: an address, or all that is in an OPML file or on stdin.
    private static func requests(_ operand: String, _ invocation: Invocation) throws -> [FollowRequest] {
        var request = FollowRequest(operand, kind: invocation[.kind], name: invocation[.name])
        request.folder = invocation.isTyped(.folder) ? invocation[.folder] : nil
        request.isRead = invocation.has(.asRead)
        request.isDryRun = invocation.has(.dryRun)
        guard operand == "-" || FileManager.default.fileExists(atPath: operand) else {
            let looksLikeFile =
                ["/", "./", "../", "~"].contains { operand.hasPrefix($0) } || operand.hasSuffix(".opml")
            if looksLikeFile { throw UsageError.unreadableFile(operand, reason: "there is no such file") }
            return [request]
        }
        let bytes = try wholeFile(operand)
        // Neither an address nor white space begins so.
        guard bytes.first(where: { $0 > 0x20 && $0 < 0x80 }) == UInt8(ascii: "<") else {
            return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map {
                request.address = $0.split(separator: "\t").first.map(String.init) ?? ""
                return request
            }.filter { !$0.address.isEmpty }
        }
        guard let feeds = try? OPML.read(bytes), !feeds.isEmpty else {
            throw UsageError.unreadableFile(operand, reason: "it names no feeds")
        }
        let folder = request.folder
        return feeds.map { feed in
            request.address = feed.address
            request.kind = FeedSource.kind.name
            request.folder = [folder, feed.folder].compactMap { $0?.isEmpty == false ? $0 : nil }
                .joined(separator: "/")
            return request
        }
    }

    private static func wholeFile(_ path: String) throws -> [UInt8] {
        let lines = try LineReader(path: path)
        var bytes: [UInt8] = []
        for line in lines { bytes += line + [0x0A] }
        try lines.finish()
        return bytes
    }

    /// Says what came of it; the exit code where its list could not be fetched.
    private static func tell(_ report: FollowReport, _ session: Session) async -> ExitCode? {
        let console = session.console
        let address = report.source.address
        switch report.outcome {
        case .found:
            try? await console.print("\(Sanitizer.line(address))\n")
        case .unchanged: await console.notice("\(report.name) is followed already: \(address)")
        case .changed: await console.notice("\(report.name) was followed already, and is changed: \(address)")
        case .followed:
            await console.notice(
                "Following \(report.name) (\(address)): \(Counted.posts(report.posts)). See them with: blog list -s \(report.name)"
            )
        }
        if !report.others.isEmpty {
            let others = report.others.prefix(maxOthers).map(\.absoluteString).joined(separator: ", ")
            await console.notice("Its page names other feeds, too: \(others)")
        }
        guard let refresh = report.refresh, case .failed(let error, _) = refresh.outcome else { return nil }
        let failure = Failure(error)
        await console.error(failure.message)
        return failure.exitCode
    }

    private static let maxOthers = 5
}

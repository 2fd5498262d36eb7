import BlogBrowse
import BlogCommandLine
import BlogEssentials
import BlogLibrary
import BlogMarkup
import BlogModel
import BlogTerminal

/// Follows and changes sources from the full-screen reader, in the words of `blog follow`.
struct SourceChanges {
    let session: Session
    let environment: Environment

    /// What there is to follow at an address.
    func proposal(for address: String) async throws -> FollowProposal {
        try checkOnline()
        var request = FollowRequest(address)
        request.isDryRun = true
        let found = try await session.library.follow(request)
        // One that came with a list and isn't asked yet is followed by its address like a new one.
        let known = try await session.library.sources(in: .sources([found.source])).first
        return FollowProposal(
            address: address, title: Sanitizer.line(found.title ?? found.source.address), name: found.name,
            posts: found.posts, isFollowed: found.outcome != .followed && known?.problem != .unconfirmed,
            others: found.others.map { Sanitizer.line($0.absoluteString) })
    }

    /// Does what `blog follow` does with an address or a name, and options.
    func follow(_ words: [String]) async throws -> Message {
        let (operand, options) = (words.prefix(1), words.dropFirst())
        guard case .command(_, let invocation) = try Request(["follow"] + options + ["--"] + operand, environment)
        else { return "" }
        guard invocation.operands == Array(operand) else { throw UsageError.needlessOperand(invocation.operands[0]) }
        var request = try invocation.followRequest()
        request.address = invocation.operands[0]
        return FollowCommand.summary(of: try await follow(request, in: invocation[.service]))
    }

    /// Follows a source, or lets a sync server follow it.
    private func follow(_ request: FollowRequest, in service: String?) async throws -> FollowReport {
        guard let service else { return try await session.library.follow(request) }
        for await result in try await session.library.follow([request], in: service) { return try result.get() }
        throw CancellationError()
    }

    private func checkOnline() throws { if session.isOffline { throw UsageError.notOffline } }
}

import BlogHTTP
import BlogMockServer
import BlogModel
@testable import BlogStore
import BlogTestSupport
import Foundation
import Synchronization
import Testing
@testable import blog
@testable import BlogBrowse
@testable import BlogCommandLine
@testable import BlogLibrary
@testable import BlogTerminal

@Suite("The work of blog browse") struct BrowseWorkTests {
    /// The work of a session that is offline without a transport.
    @MainActor private func work(
        in variables: [String: String], _ options: Browsing.Options = Browsing.Options(),
        transport: (any Transport)? = nil, _ send: @escaping @Sendable (BrowseEvent) -> Void = { _ in },
        now: @escaping @Sendable () -> Date = { Date() }
    ) async throws -> (BrowseWork, Session) {
        let environment = Environment(variables)
        let context = Context(
            console: Console(environment: environment), environment: environment,
            transport: transport ?? NoRequests(), now: now)
        let invocation = try Invocation(
            operands: [], options: transport == nil ? ["offline": ""] : [:], settings: Settings(environment))
        let session = try await Session(invocation, in: context, for: .reading)
        return (BrowseWork(session, options, context, send: send), session)
    }

    @Test("shows the post's own text and why, if its article can't be shown")
    @MainActor func noArticle() async throws {
        let site = try TestSite()
        _ = try await site.blog("sync")
        let (events, give) = AsyncStream.makeStream(of: BrowseEvent.self)
        let (_, session) = try await work(in: site.environment)
        let post = try await session.library.postID("1")
        let loading = PostLoading(
            request: PostRequest(post: post, width: 60, number: 1, article: .always), comments: nil,
            session: session.reading(article: .always), painter: nil, now: .day(1)
        ) { give.yield($0) }
        await loading.run()
        give.finish()
        var shown: [String] = []
        for await event in events {
            switch event {
            case .articleFailed: shown.append("failure")
            case .lines: shown.append("text")
            default: break
            }
        }
        #expect(shown == ["failure", "text"])
    }

    @Test("takes a page whose text was never fetched for a summary, so that it isn't read when it is left")
    @MainActor func unknownPage() async throws {
        let site = try TestSite()
        _ = try await site.blog("mark", "saved", "https://example.org/never-fetched", "--offline")
        let (events, give) = AsyncStream.makeStream(of: BrowseEvent.self)
        let (_, session) = try await work(in: site.environment)
        let loading = PostLoading(
            request: PostRequest(post: try await session.library.postID("pages:1"), width: 60, number: 1, article: nil),
            comments: nil, session: session.reading(article: nil), painter: nil, now: .day(1)
        ) { give.yield($0) }
        await loading.run()
        give.finish()
        var areSummaries: [Bool] = []
        for await case .lines(_, let isSummary, _) in events { areSummaries.append(isSummary) }
        #expect(areSummaries.contains(true) && !areSummaries.contains(false))
    }

    @Test("tells when another process has changed the store, and looks up what")
    @MainActor func otherProcess() async throws {
        let site = try TestSite()
        _ = try await site.blog("sync")
        let (events, give) = AsyncStream.makeStream(of: BrowseEvent.self)
        let (work, session) = try await work(in: site.environment) { give.yield($0) }
        let posts = [try await session.library.postID("1"), try await session.library.postID("2")]
        await work.watch(every: 0.001, minute: 3600)
        // Marks of this process are no news.
        _ = try await session.library.mark(.read, ids: [posts[0]])
        _ = try await site.blog("mark", "saved", "2")
        let request = ListRequest(.query(Query(), .everything))
        for await event in events {
            switch event {
            case .storeChanged: work.start(.check(request, number: 1, posts))
            case .checked(let states, let counts, list: 1):
                #expect(states[posts[0]] == PostState(isRead: true, isSaved: false))
                #expect(states[posts[1]] == PostState(isRead: false, isSaved: true))
                #expect(counts.map { $0.posts - $0.unread } == 1)
                give.finish()
            default: Issue.record("\(event)")
            }
        }
        #expect(await work.finish() == nil)
    }

    @Test("refreshes what is due again while it is open, as often as it is told", arguments: [nil, 3600])
    @MainActor func refreshes(every: TimeInterval?) async throws {
        let site = try TestSite()
        let (events, give) = AsyncStream.makeStream(of: BrowseEvent.self)
        // Each look at the clock is a day later.
        let days = Mutex(20_000)
        let (work, session) = try await work(
            in: site.environment, Browsing.Options(every: every), transport: CurlTransport(), { give.yield($0) },
            now: {
                days.withLock { days in
                    days += 1
                    return .day(days)
                }
            })
        let scope = Scope.sources([try await session.library.sourceIDs(in: .everything)[0]])
        work.start(.refresh(scope, isForced: false))
        await work.watch(every: 0.001, minute: 0.002)
        var (minutes, refreshes) = (0, 0)
        for await event in events {
            switch event {
            case .minutePassed: minutes += 1
            case .refreshed(_, let problem):
                refreshes += 1
                #expect(problem == nil)
            default: break
            }
            if every == nil ? minutes >= 50 && refreshes >= 1 : refreshes >= 3 { give.finish() }
        }
        let requests = site.server.requests.count { $0.path == "/post-metadata" }
        #expect(every == nil ? requests == 1 : requests >= 3)
        #expect(await work.finish() == nil)
    }

    @Test("ends only after all marks are stored, even the last ones")
    @MainActor func finish() async throws {
        let site = try TestSite()
        let ids = try await site.blog("list", "--limit", "3", "--format", "ids").lines
        let (work, session) = try await work(in: site.environment)
        var posts: [PostID] = []
        for id in ids { posts.append(try await session.library.postID(id)) }
        for post in posts { work.start(.mark(.saved, [post])) }
        #expect(await work.finish(within: .seconds(600)) == nil)
        // Nothing is awaited before this check, since the program ends here.
        let saved = try Database(path: site.storePath, mode: .readOnly)
            .first("SELECT count(*) FROM posts WHERE is_saved = 1") { $0.integer(0) }
        #expect(saved == 3)
    }
}

/// Marks need no requests.
private struct NoRequests: Transport {
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        Issue.record("a request for \(request.url)")
        throw CancellationError()
    }
}

import BlogHTTP
import BlogMockServer
import BlogModel
@testable import BlogStore
import BlogTestSupport
import Foundation
import Testing
@testable import blog
@testable import BlogBrowse
@testable import BlogCommandLine
@testable import BlogLibrary
@testable import BlogTerminal

@Suite("The work of blog browse") struct BrowseWorkTests {
    @Test("ends only after all marks are stored, even the last ones")
    @MainActor func finish() async throws {
        let site = try TestSite()
        let ids = try await site.blog("list", "--limit", "3", "--format", "ids").lines
        let environment = Environment(site.environment)
        let context = Context(
            console: Console(environment: environment), environment: environment, transport: NoRequests(),
            now: { Date() })
        let invocation = try Invocation(operands: [], options: ["offline": ""], settings: Settings(environment))
        let session = try await Session(invocation, in: context)
        let work = BrowseWork(session, Browsing.Options(), context) { _ in }
        var posts: [PostID] = []
        for id in ids { posts.append(try await session.library.post(id)) }
        for post in posts { work.start(.mark(.saved, [post])) }
        await work.finish()
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

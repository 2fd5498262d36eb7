import BlogTestSupport
import Foundation
import Testing
@testable import BlogHTTP
@testable import BlogModel
@testable import BlogStore

@Suite("A refresh mark") struct RefreshMarkTests {
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)

    @Test("isn't confirmed if another process has stored another response since")
    func race() async throws {
        let store = try PostStore()
        @Sendable func mark(
            _ etag: String?, _ date: String?, _ digest: String?, at seconds: TimeInterval
        ) -> RefreshMark {
            RefreshMark(
                Checkpoint(validators: CacheValidators(etag: etag, lastModified: date), digest: digest),
                refreshedAt: Date(timeIntervalSince1970: seconds))
        }
        let others = [mark("b", "d", "x", at: 2), mark("a", "e", "x", at: 2), mark("a", "d", "y", at: 2)]
        for other in others {
            try await store.store([sample()], of: .one, mark: mark("a", "d", "x", at: 1))
            let known = try #require(try await store.read { try Sources($0).find(.one) })
            try await store.store([sample()], of: .one, mark: other)
            try await store.writeIfFree { try Sources($0).confirm(known, mark: mark("a", "d", "x", at: 3)) }
            #expect(try await store.read { try Sources($0).find(.one) }?.refreshedAt == Date(timeIntervalSince1970: 2))
        }
        try await store.store([sample()], of: .one, mark: mark("a", nil, nil, at: 1))
        let known = try #require(try await store.read { try Sources($0).find(.one) })
        try await store.writeIfFree { try Sources($0).confirm(known, mark: mark("a", nil, nil, at: 3)) }
        #expect(try await store.read { try Sources($0).find(.one) }?.refreshedAt == Date(timeIntervalSince1970: 3))
    }

    @Test("keeps the source's title if a response has none")
    func title() async throws {
        let store = try PostStore()
        for (title, expected) in [("One", "One"), (nil, "One"), ("Two", "Two")] {
            let validators = CacheValidators(etag: nil, lastModified: nil)
            let checkpoint = Checkpoint(validators: validators, digest: nil, title: title)
            try await store.store(
                [sample()], of: .one, mark: RefreshMark(checkpoint, refreshedAt: Self.now))
            #expect(try await store.read { try Sources($0).find(.one) }?.title == expected)
        }
    }
}

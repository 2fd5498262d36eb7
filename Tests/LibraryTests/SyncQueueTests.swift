import BlogTestSupport
import Foundation
import Testing
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("A sync queue") struct SyncQueueTests {
    private func queue(_ count: Int, jobs: Int = 4) throws -> SyncQueue {
        let items = (0..<count).map { SyncPlan.Item(post: Int64($0), hasBody: false, isCurrent: false) }
        var queue = SyncQueue(items, jobs: jobs)
        queue.append(try planned(queue.takeItems()))
        return queue
    }

    private func planned(_ items: ArraySlice<SyncPlan.Item>) throws -> [SyncQueue.Planned] {
        try items.map { (try sample(id: String($0.post)), false) }
    }

    private func taken(from queue: inout SyncQueue) -> [SyncQueue.Planned] {
        var posts: [SyncQueue.Planned] = []
        while let post = queue.takePost() { posts.append(post) }
        return posts
    }

    private func arrival(_ post: SyncQueue.Planned, _ error: HTTPError? = nil) -> BodyArrival {
        let body = FetchedBody(text: "body", fetchedAt: Date())
        return BodyArrival(metadata: post.metadata, stored: nil, body: error.map { .failure($0) } ?? .success(body))
    }

    @Test("yields each post once and in order, however late a batch is stored", arguments: [0, 1, 5])
    func everything(lateness: Int) throws {
        var queue = try queue(1000)
        var fetching: [SyncQueue.Planned] = []
        var storing: [(batch: [BodyArrival], next: [SyncQueue.Planned], age: Int)] = []
        var requested: [String] = []
        var stored: [String] = []
        while !queue.isAtEnd {
            fetching += taken(from: &queue)
            #expect(fetching.count <= 4)
            if let batch = queue.takeBatch() {
                storing.append((batch, try planned(queue.takeItems()), 0))
            }
            #expect(storing.count <= 1)
            if let post = fetching.first {
                requested.append(fetching.removeFirst().metadata.id)
                _ = queue.add(arrival(post))
            }
            if let done = storing.first, done.age >= lateness * 100 || fetching.isEmpty {
                stored += storing.removeFirst().batch.map(\.metadata.id)
                queue.finishBatch(next: done.next)
            } else if !storing.isEmpty {
                storing[0].age += 1
            }
        }
        #expect(requested == (0..<1000).map(String.init))
        #expect(stored == requested)
        #expect(queue.untried == 0)
    }

    @Test("lets bodies wait to be stored together, but not for long")
    func waiting() throws {
        var queue = try queue(10)
        let posts = taken(from: &queue)
        let isFirst = posts.prefix(2).map { queue.add(arrival($0)) }
        #expect(isFirst == [true, false])
        var batches = [queue.takeBatch()?.count]
        queue.storeSoon(queue.batch + 1)
        batches.append(queue.takeBatch()?.count)
        queue.storeSoon(queue.batch)
        batches.append(queue.takeBatch()?.count)
        // The next batch has its own wait.
        _ = queue.add(arrival(posts[2]))
        queue.finishBatch(next: [])
        queue.storeSoon(queue.batch - 1)
        batches.append(queue.takeBatch()?.count)
        #expect(batches == [nil, nil, 2, nil])
    }

    @Test("holds at most one batch while another is being stored")
    func fullBatch() throws {
        var queue = try queue(1000, jobs: 1)
        func fetchAll() -> Int {
            var count = 0
            while let post = queue.takePost() {
                _ = queue.add(arrival(post))
                count += 1
            }
            return count
        }
        let size = fetchAll()
        let first = queue.takeBatch()?.count
        let more = fetchAll()
        let early = queue.takeBatch()
        queue.finishBatch(next: [])
        let second = queue.takeBatch()?.count
        #expect((1..<1000).contains(size))
        #expect((first, more, second) == (size, size, size))
        #expect(early?.count == nil)
    }

    @Test("ends after five failures in a row, and counts the posts not requested")
    func failures() throws {
        var queue = try queue(1000, jobs: 1)
        let url = try #require(URL(string: "http://a"))
        let refused = HTTPError.unreachable(url, reason: .refused)
        var requests = 0
        for error in [refused, refused, refused, refused, nil, refused, refused, refused, refused, refused, nil] {
            guard let post = queue.takePost() else { break }
            requests += 1
            _ = queue.add(arrival(post, error))
        }
        #expect(requests == 10)
        #expect(!queue.isAtEnd)
        let batch = queue.takeBatch()
        queue.finishBatch(next: [])
        #expect(batch?.count == 10)
        #expect(queue.isAtEnd)
        #expect(queue.untried == 990)
    }
}

import BlogEssentials
import BlogModel
import BlogStore

/// Adds stored posts to the full-text index.
struct SearchIndexing: Sendable {
    let store: PostStore

    /// Updates the index, unless another process keeps the store locked.
    func indexAll(_ indexed: @Sendable (Int) async -> Void) async throws {
        do {
            while case let count = try await store.indexMore(), count > 0 { await indexed(count) }
        } catch let error as StoreError where error.reason == .busy {}
    }

    /// Indexes new posts in short bursts until it is cancelled.
    func indexMeanwhile() async {
        var before = Self.processorTime
        while (try? await Task.sleep(for: Self.indexingPause)) != nil {
            // While the processor is busy with responses, indexing would only slow them down.
            let isWaiting = Self.processorTime - before < Self.indexingPause / 2
            if isWaiting { _ = try? await store.indexIfFree(Self.burst, waitsForBodies: true) }
            before = Self.processorTime
        }
    }

    /// The processor time that this process has used.
    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Indexes some more posts, so that the first search starts sooner.
    func indexRest(_ observe: (SyncEvent) async -> Void) async throws {
        for _ in 0..<Self.maxBatches {
            let count = try await store.indexIfFree()
            guard count > 0 else { return }
            await observe(.indexed(count))
        }
    }

    /// The size of a burst of indexing, in bytes, and the pause after it while posts are fetched: large transactions are
    /// faster than small ones, but block the store.
    private static let burst = 2 << 20
    private static let indexingPause = Duration.seconds(1)
    /// How many batches are indexed after all posts are fetched, which takes a few seconds.
    private static let maxBatches = 8
}

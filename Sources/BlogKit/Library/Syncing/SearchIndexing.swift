import BlogEssentials
import BlogStore

/// Adds stored posts to the full-text index.
struct SearchIndexing: Sendable {
    let store: PostStore

    /// Updates the index, unless another process keeps the store locked.
    func indexAll(_ indexed: @Sendable (Int) async -> Void) async throws {
        try await writeIfFree {
            while case let count = try await store.indexMore(), count > 0 { await indexed(count) }
        }
    }

    /// Indexes new posts in short bursts until it is cancelled.
    func indexMeanwhile() async {
        var before = Self.processorTime
        while (try? await Task.sleep(for: Self.indexingPause)) != nil {
            // While the processor is busy with responses, indexing would only slow them down.
            let isWaiting = Self.processorTime - before < Self.indexingPause / 2
            if isWaiting { _ = try? await store.indexIfFree(for: Self.indexingTime, waitsForBodies: true) }
            before = Self.processorTime
        }
    }

    /// The processor time that this process has used.
    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Indexes the rest for a few seconds, so that the first search starts sooner.
    func indexRest(_ observe: (SyncEvent) async -> Void) async throws {
        let end = ContinuousClock.now + Self.maxIndexingTime
        while .now < end {
            let count = try await store.indexIfFree(for: min(.seconds(1), end - .now))
            guard count > 0 else { return }
            await observe(.indexed(count))
        }
    }

    /// How long a burst of indexing and the pause after it take while posts are fetched: large transactions are faster
    /// than small ones, but block the store.
    private static let indexingTime = Duration.milliseconds(200)
    private static let indexingPause = Duration.seconds(1)
    /// How long posts are indexed after all are fetched.
    private static let maxIndexingTime = Duration.seconds(2)
}

/// Processes values concurrently, a limited number at a time, and delivers each result as soon as it is ready.
///
/// An error from any of the closures cancels the work in progress.
///
/// - Parameters:
///   - limit: the maximum number of values that are processed at a time.
///   - next: returns the next value, or nil if there is none right now. It is called again after each result;
///     processing ends when there is no next value and no work in progress.
///   - work: processes a value; called concurrently.
///   - take: receives a result; called serially.
package func concurrently<Value: Sendable, Output: Sendable, Failure: Error>(
    atMost limit: Int, next: () async throws(Failure) -> Value?,
    work: @escaping @Sendable (Value) async throws(Failure) -> Output,
    take: (Output) async throws(Failure) -> Void
) async throws(Failure) {
    let end = await withTaskGroup(of: Result<Output, Failure>.self) { group in
        do throws(Failure) {
            var running = 0
            while true {
                while running < limit, let value = try await next() {
                    running += 1
                    group.addTask { await result(of: work, value) }
                }
                guard let result = await group.next() else { return Result<Void, Failure>.success(()) }
                running -= 1
                try await take(try result.get())
            }
        } catch {
            group.cancelAll()
            return .failure(error)
        }
    }
    try end.get()
}

extension Sequence where Element: Sendable {
    /// The results of an asynchronous transformation, in the order of the elements; see
    /// ``concurrently(atMost:next:work:take:)``.
    package func concurrentMap<Output: Sendable, Failure: Error>(
        atMost limit: Int, _ work: @escaping @Sendable (Element) async throws(Failure) -> Output
    ) async throws(Failure) -> [Output] {
        var elements = enumerated().makeIterator()
        var results: [Int: Output] = [:]
        try await concurrently(atMost: limit) { () throws(Failure) in
            elements.next().map { Numbered($0.offset, $0.element) }
        } work: { element throws(Failure) in
            Numbered(element.number, try await work(element.value))
        } take: { (result: Numbered<Output>) throws(Failure) in
            results[result.number] = result.value
        }
        return results.sorted { $0.key < $1.key }.map(\.value)
    }
}

/// A value and its index.
///
/// With a tuple that contains an existential, the optimizer of Swift 6.3 ends the loop over a task group too early.
package struct Numbered<Value: Sendable>: Sendable {
    package let number: Int
    package let value: Value

    package init(_ number: Int, _ value: Value) {
        self.number = number
        self.value = value
    }
}

extension AsyncThrowingStream where Failure == any Error, Element: Sendable {
    /// A stream of the elements that a task yields; the task is cancelled when the stream is discarded.
    package init(of work: @escaping @Sendable (_ give: (Element) -> Void) async throws -> Void) {
        self.init { continuation in
            let task = Task {
                do {
                    try await work { continuation.yield($0) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

/// Runs some work against a limit, such as a timeout: whichever ends first cancels the other, and both are awaited.
///
/// - Returns: the result of the work, and that of the limit unless the work ended first.
package func race<Output: Sendable, Limit: Sendable>(
    _ work: @escaping @Sendable () async throws -> Output, against limit: @escaping @Sendable () async throws -> Limit
) async -> (output: Result<Output, any Error>, limit: Result<Limit, any Error>?) {
    await withTaskGroup(of: RaceEnd<Output, Limit>.self) { group in
        group.addTask { .work(await result(of: work, ())) }
        group.addTask { .limit(await result(of: limit, ())) }
        var output: Result<Output, any Error>?
        var reached: Result<Limit, any Error>?
        while let end = await group.next() {
            group.cancelAll()
            switch end {
            case .work(let result): output = result
            case .limit(let result): reached = output == nil ? result : nil
            }
        }
        return (output ?? .failure(CancellationError()), reached)
    }
}

private enum RaceEnd<Output: Sendable, Limit: Sendable>: Sendable {
    case work(Result<Output, any Error>)
    case limit(Result<Limit, any Error>)
}

private func result<Value, Output, Failure: Error>(
    of work: (Value) async throws(Failure) -> Output, _ value: Value
) async -> Result<Output, Failure> {
    do throws(Failure) { return .success(try await work(value)) } catch { return .failure(error) }
}

/// Runs blocking work, which would occupy a thread of Swift's cooperative pool.
package enum DetachedThread {
    /// Starts a new thread that ends with the work.
    package static func start(_ work: @escaping @Sendable () -> Void) {
        let work = Unmanaged.passRetained(ThreadWork(run: work)).toOpaque()
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let result = pthread_create(&thread, nil, { runThread($0) }, work)
        precondition(result == 0, "could not start a thread")
        #if canImport(Darwin)
            if let thread { pthread_detach(thread) }
        #else
            pthread_detach(thread)
        #endif
    }

    /// The result of some work, which a new thread of its own does.
    package static func result<Value: Sendable>(of work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in start { continuation.resume(returning: work()) } }
    }
}

private final class ThreadWork: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}

private func runThread(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let work { Unmanaged<ThreadWork>.fromOpaque(work).takeRetainedValue().run() }
    return nil
}

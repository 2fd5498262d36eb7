import Essentials

/// Works on values, a limited number at a time, and passes on each result as soon as it is there.
///
/// An error that is thrown by any of the functions cancels the work in progress.
///
/// - Parameters:
///   - limit: how many values are worked on at a time.
///   - next: the next value; nil while there is none to begin with. It is asked again after each result, and the work
///     ends when nothing is in progress and there is no next value.
///   - work: is called with each value, concurrently.
///   - take: is called with each result, one at a time.
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
    /// The results of some work on each element, in the order of the elements; see
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

/// A value and its place among others.
///
/// It isn't a tuple: where one holds an existential, the optimiser of Swift 6.3 ends the loop over a task group too
/// early.
package struct Numbered<Value: Sendable>: Sendable {
    package let number: Int
    package let value: Value

    package init(_ number: Int, _ value: Value) {
        self.number = number
        self.value = value
    }
}

extension AsyncThrowingStream where Failure == any Error, Element: Sendable {
    /// The elements that some work gives, which is cancelled when nobody reads on.
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

/// Does some work until a limit is reached: whichever ends first cancels the other, and both are waited for.
///
/// - Returns: the result of the work, and what became of the limit; nil for the latter if the work ended first.
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

/// A thread for work that blocks, which would keep a thread of Swift's pool from other tasks.
package enum DetachedThread {
    /// Runs some work on a thread of its own, which ends with it.
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

import Dispatch

/// Runs the jobs of an actor whose work blocks, such as writing to a pipe, one after the other, on a thread that isn't of
/// Swift's cooperative pool: that has only one for each processor, and so a few that wait would stop everything else.
package final class BlockingExecutor: SerialExecutor {
    private let queue: DispatchQueue

    /// - Parameter label: the name of the queue in a debugger.
    package init(label: String) {
        queue = DispatchQueue(label: label)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

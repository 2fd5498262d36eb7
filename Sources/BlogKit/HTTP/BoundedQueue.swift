import Foundation

/// A queue that has whoever adds an operation wait while many are still to be done.
///
/// URLSession on Linux adds one for every few kilobytes it receives, from the queue that also reads from the network:
/// to have that wait is the only way to keep bytes from piling up in memory. Suspending a task traps.
///
/// An operation on it must not wait for the one who adds them, as cancelling a task does.
final class BoundedQueue: OperationQueue, @unchecked Sendable {
    // OperationQueue is @unchecked Sendable itself; all that is added is a constant that is Sendable.
    private let room = {
        // A semaphore that ends below the number it began with traps.
        let room = DispatchSemaphore(value: 0)
        for _ in 1...64 { room.signal() }
        return room
    }()

    override func addOperation(_ block: @escaping @Sendable () -> Void) {
        room.wait()
        super.addOperation { [room] in
            block()
            room.signal()
        }
    }
}

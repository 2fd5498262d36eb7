import BlogKit
import Foundation

/// A transport that answers every request with the same list of events.
struct StubTransport: Transport {
    let events: [TransportEvent]

    func send(_ request: HTTPRequest) -> AsyncThrowingStream<TransportEvent, any Error> {
        AsyncThrowingStream { continuation in
            for event in events { continuation.yield(event) }
            continuation.finish()
        }
    }
}

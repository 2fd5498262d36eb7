import Foundation

/// What carries a request to a server: URLSession, or a stub in a test.
package protocol Transport: Sendable {
    /// Sends a request, follows no redirect and gives the answer in pieces: the head first, then the body.
    ///
    /// The stream ends with an ``HTTPError`` where no complete answer came.
    func send(_ request: HTTPRequest) -> AsyncThrowingStream<TransportEvent, any Error>
}

/// A piece of an answer.
package enum TransportEvent: Sendable {
    case head(HTTPHead)
    case bytes(Data)
}

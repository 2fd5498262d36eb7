import Foundation
import HTTP
import Terminal

/// The environment of a command: everything that a test replaces.
struct Context: Sendable {
    let console: Console
    let environment: Environment
    /// The transport, one for the whole run.
    let transport: any Transport
    let now: @Sendable () -> Date
}

import BlogCore
import Foundation

/// The world around a command: everything that a test replaces.
struct Context: Sendable {
    let console: Console
    let environment: Environment
    /// What carries requests, one for the whole run.
    let transport: any Transport
    let now: @Sendable () -> Date
}

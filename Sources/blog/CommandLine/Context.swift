import Foundation

/// The world around a command: everything that a test replaces.
struct Context: Sendable {
    let console: Console
    let environment: Environment
    let now: @Sendable () -> Date
}

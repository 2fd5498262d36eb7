import Foundation
import Synchronization

/// Keeps a server from crashing the program through a flaw of Foundation on Linux.
///
/// Where a connection ends inside the head of an answer, URLSession ends the process ("Transfer completed, but there's
/// no response", NativeProtocol.swift in swift-corelibs-foundation) instead of giving an error. No delegate is asked
/// before, so the trap is caught, but only while an answer's head is awaited: any other trap is a bug of ours and must
/// stay one. No transaction is open at that time, so nothing stored is at risk.
enum FoundationTrap {
    /// Whether a request has left and nothing of its answer has come.
    static let isHeadAwaited = Atomic(false)

    /// Prepares for the trap; once, before anything else.
    static func prepare() {
        #if os(Linux)
            // Statics are made when they are first used, which a signal handler must not do.
            isHeadAwaited.store(false, ordering: .relaxed)
            for number in [SIGILL, SIGTRAP] {
                signal(number) { number in
                    if FoundationTrap.isHeadAwaited.load(ordering: .relaxed) {
                        let text: StaticString = "blog: The server broke off inside the head of its answer.\n"
                        _ = write(2, text.utf8Start, text.utf8CodeUnitCount)
                        _exit(1)
                    }
                    // The instruction runs again and ends the program as it would have.
                    signal(number, SIG_DFL)
                }
            }
        #endif
    }
}

import Foundation

/// Keeps a server from crashing the program through a flaw of Foundation on Linux.
///
/// Where a connection ends inside the head of an answer, URLSession ends the process ("Transfer completed, but there's
/// no response", NativeProtocol.swift in swift-corelibs-foundation) instead of giving an error. No delegate is asked
/// before, so the trap is caught, but only while an answer's head is awaited: any other trap is a bug of ours and must
/// stay one. What is being stored at that moment is taken back by SQLite.
enum FoundationTrap {
    /// The last words, ended by a NUL; empty while no answer's head is awaited.
    ///
    /// One place of memory for all of them, as a signal handler can't wait for a lock. It is unsafe in that words may
    /// come out mixed when the trap springs while others are written; they never run over the place, whose last byte
    /// stays 0.
    private nonisolated(unsafe) static let words: UnsafeMutablePointer<CChar> = {
        let place = UnsafeMutablePointer<CChar>.allocate(capacity: length)
        place.initialize(repeating: 0, count: length)
        return place
    }()
    private static let length = 1024

    /// Says which address would be to blame, nil where no answer's head is awaited.
    static func blame(_ url: URL?) {
        let text = url.map {
            "\r\u{1B}[Kblog: \($0.absoluteString.prefix(800)) broke off inside the head of its answer.\n"
                + "Read what is stored with: --offline\n"
        }
        // An address has only ASCII characters, none of them a control.
        let isTerminal = isatty(2) == 1
        strncpy(words, (isTerminal ? text : text.map { String($0.dropFirst(4)) }) ?? "", length - 1)
    }

    /// Prepares for the trap; once, before anything else.
    static func prepare() {
        #if os(Linux)
            // Statics are made when they are first used, which a signal handler must not do.
            blame(nil)
            for number in [SIGILL, SIGTRAP] {
                signal(number) { number in
                    let words = FoundationTrap.words
                    if words[0] != 0 {
                        _ = write(2, words, strlen(words))
                        _exit(1)
                    }
                    // The instruction runs again and ends the program as it would have.
                    signal(number, SIG_DFL)
                }
            }
        #endif
    }
}

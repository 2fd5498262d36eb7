import Foundation

/// Makes sure that nothing but the standard streams ever has their numbers.
///
/// A file that is opened while stdout is closed would get its number, and our output with it.
package enum StandardStreams {
    /// Puts something that can't be read or written in the place of a stream that is closed; once, before anything else.
    package static func prepare() {
        for (number, mode) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)] where fcntl(number, F_GETFD) == -1 {
            // The lowest number that is free is the one that is missing.
            _ = open("/dev/null", mode)
        }
    }
}

/// Why output could not be written.
package enum OutputError: Error, Equatable {
    /// The reader closed the pipe.
    case closed
    /// The system's own words: "No space left on device".
    case failed(String)
}

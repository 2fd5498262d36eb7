/// Why output could not be written.
enum OutputError: Error, Equatable {
    /// Whoever read it has gone.
    case closed
    /// The system's own words: "No space left on device".
    case failed(String)
}

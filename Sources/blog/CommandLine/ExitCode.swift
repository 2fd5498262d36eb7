/// How the program ends.
///
/// The numbers are promised in the README.
enum ExitCode: Int32 {
    case success = 0
    case failed = 1
    case usage = 2
    case noSuchPost = 3
    case nothingToShow = 4
    case partly = 5
}

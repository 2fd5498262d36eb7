/// An error in the command line.
///
/// ``Failure`` puts it into words.
enum UsageError: Error, Equatable {
    case unknownCommand(String, nearest: String?)
    case unknownOption(String, nearest: String?)
    /// Something that is typed otherwise here, and how.
    case elsewhere(String, String)
    /// An option for what is done anyway, and what that is.
    case alreadyDefault(option: String, String)
    case missingValue(option: String)
    case needlessValue(option: String)
    case badValue(String, option: String, expected: String, nearest: String?)
    case missingOperand(String)
    case needlessOperand(String)
    case conflict(String, String)
    case filtersNeedAll
    case allTakesNoIDs
    /// One name for several sources.
    case nameForSeveral
    /// A page of a list that has no limit.
    case pageNeedsLimit
    /// A look at what is new, where nothing new was asked for.
    case peekNeedsNew
    /// Pictures are to be put into what is no page.
    case embedNeedsPages
    case noStore(String)
    /// A command that is nothing without the network.
    case notOffline
    /// A range of days that ends before it begins.
    case datesSwapped(since: String, until: String)
    case unknownAction(String, known: [String], nearest: String?)
    /// A file, `-` for stdin, that can't be opened or not be read to its end, and why in the system's words.
    case unreadableFile(String, reason: String)
    /// A folder for pages that is no folder, or that has something else in it, and what.
    case unusableFolder(String, reason: String)
    /// A file that has the name of a page that is to be written.
    case fileInTheWay(String)
    case unknownMark(String, nearest: String?)
    /// Words of which none is to be found, because each is to be left out or has no letter.
    case nothingToSearch(String)
    /// One of these, where it came from if not from the command line, and the command it is about.
    indirect case about(UsageError, origin: String?, command: String)
    /// An option that the selected source doesn't support, nil for none in particular; these kinds of source do.
    case notOffered(option: String, source: String?, by: [String])
    /// A line of the settings file that is no `option = value`, or one of the above in it.
    indirect case settings(path: String, line: Int, UsageError?)
}

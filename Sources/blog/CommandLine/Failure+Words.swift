import Foundation
import Store
import Terminal

extension Failure {
    /// An error in the command line.
    static func text(_ error: UsageError, command: String? = nil) -> Message {
        let help = "blog help" + (command.map { " " + $0 } ?? "")
        return switch error {
        case .unknownCommand(let name, let nearest):
            "There is no command “\(name)”.\(suggestion(nearest))\nSee them all with: blog help"
        case .unknownOption(let name, let nearest):
            "There is no option “\(name)” here.\(suggestion(nearest))\nSee them all with: \(help)"
        case .elsewhere(let what, let answer): "There is no \(what) here. What is meant is: \(answer)"
        case .datesSwapped(let since, let until):
            "--since \(since) is later than --until \(until). Did you mean --since \(until) --until \(since)?"
        case .missingValue(let option): "--\(option) needs a value."
        case .needlessValue(let option): "--\(option) takes no value."
        case .badValue(let value, let option, let expected, let nearest):
            "Invalid value “\(value)” for --\(option): use \(expected).\(suggestion(nearest))"
        case .missingOperand(let what): "An argument is missing: \(what).\nSee the usage with: \(help)"
        case .needlessOperand(let what): "Unexpected argument “\(what)”.\nSee the usage with: \(help)"
        case .notOffered(let option, nil, let others):
            "--\(option) is for a single source of the kind \(Counted.choices(others)): name it with -s."
        case .notOffered(let option, let source?, let others):
            "--\(option) is not supported by the source \(source); it is for \(others.joined(separator: ", "))."
        case .conflict(let left, let right): "--\(left) and --\(right) can't be combined."
        case .unknownAction(let word, let known, let nearest):
            "“\(word)” is not supported: use \(Counted.choices(known)).\(suggestion(nearest))"
        case .unreadableFile(let path, let reason):
            "\(path == "-" ? "Standard input" : "The file \(path)") can't be read: \(reason)."
        case .unusableFolder(let path, let reason):
            "\(path) \(reason), so nothing was written.\nName a folder with -o that is new or empty, or was made by blog."
        case .fileInTheWay(let path):
            "\(path) is no page that blog wrote, or was changed since, so it was left as it is.\nMove it away, or name another folder with -o."
        case .filtersNeedAll: "Filters choose posts only together with --all, as in: blog mark read --all --until 2018"
        case .allTakesNoIDs: "--all selects every post that passes the filters, so it can't be combined with ids."
        case .nameForSeveral: "--as names one source, but several are given."
        case .peekNeedsNew: "--peek goes with --new, as in: blog list --new --peek"
        case .pageNeedsLimit: "--page needs --limit, which says how many posts a page has."
        case .embedNeedsPages: "Pictures can only be put into pages: --embed needs --format html."
        case .noStore(let path): "There is no store at \(path) yet.\nCreate it with blog list or blog sync."
        case .notOffline: "This needs the network, so it can't be combined with --offline."
        case .unknownMark(let word, let nearest):
            "Posts are marked as read, unread, saved or unsaved, not “\(word)”.\(suggestion(nearest))"
        case .nothingToSearch(let words):
            "“\(words)” contains no word to search for. Add one; -WORD only excludes posts."
        case .about(let error, let origin, let command):
            "\(origin.map { $0 + ": " } ?? "")\(text(error, command: command))"
        case .settings(let path, let line, let problem):
            "\(path), line \(line): \(problem.map { text($0) } ?? "expected “option = value”.")"
        }
    }

    /// What to do with a store of which a part can't be read.
    static let salvage: Message = "Save what can be read with: blog store export > posts.jsonl, then move it away."

    /// What is wrong with the store.
    static func text(_ error: StoreError) -> Message {
        let place: Message = "The store \(error.path)"
        let remedy: Message = "It was left as it is: move it away, or name another with --store."
        return switch error.reason {
        case .notADatabase:
            "\(place) is damaged, or is no store.\nSee what is left of it with: blog store export > posts.jsonl, then move it away."
        case .beyondRecovery: "\(place) is damaged, or is no store.\n\(remedy)"
        case .damaged: "\(place) is damaged.\n\(salvage)"
        case .notAStore: "\(place) is a database of another program.\n\(remedy)"
        case .unreleased:
            "\(place) was made by a blog from before the first release.\nExport it with that one (blog store export), move it away, and import it with this one."
        case .folder: "\(place) is a folder.\nName a file in it with --store."
        case .notAFile: "\(place) is not a regular file.\nName another with --store."
        case .sideFile(let path):
            "\(place) can't be opened: \(path) is not a regular file.\nMove that away, or name another store with --store."
        case .unreadable(let reason):
            "\(place) can't be read: \(reason).\nChange its permissions, or name another with --store."
        case .newer(let found, let known):
            "\(place) is of version \(found); this blog knows up to \(known).\nUpdate blog, or name another with --store."
        case .busy: "\(place) is in use by another process. Try again in a moment."
        case .notKept(.notWritable): "\(place) can't be written.\nChange its permissions, or name another with --store."
        case .notKept(.diskFull): "The disk of the store \(error.path) is full. What was stored before is still there."
        case .noTemporarySpace:
            "There is no room for what arrives in \(StagedText.folder).\nFree some, or name another folder in TMPDIR."
        case .failed(let reason): "\(place) failed: \(reason)."
        }
    }

    private static func suggestion(_ nearest: String?) -> Message {
        nearest.map { " Did you mean “\($0)”?" } ?? ""
    }
}

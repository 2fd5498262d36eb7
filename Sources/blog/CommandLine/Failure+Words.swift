import Foundation
import Store
import Terminal

extension Failure {
    /// An error in the command line.
    static func text(_ error: UsageError, command: String? = nil) -> Message {
        let help: Message = "blog help\(command.map { " " + $0 } ?? "")"
        return switch error {
        case .unknownCommand(let name, let nearest):
            "Unknown command “\(name)”.\(suggestion(nearest))\nTo list the commands: blog help"
        case .unknownOption(let name, let nearest):
            "Unknown option \(name.hasPrefix("-") ? name : "“\(name)”").\(nearest.map { " Did you mean \($0)?" } ?? "")\nTo list the options: blog help \(command ?? "options")"
        case .elsewhere(let what, let answer):
            "\(what.hasPrefix("argument") ? "Unexpected" : "Unknown") \(what). Did you mean \(answer)?"
        case .alreadyDefault(let option, let behavior): "Unknown option \(option): \(behavior) by default."
        case .datesSwapped(let since, let until):
            "--since \(since) is later than --until \(until). Did you mean --since \(until) --until \(since)?"
        case .missingValue(let option): "--\(option) needs a value."
        case .needlessValue(let option): "--\(option) doesn't take a value."
        case .badValue(let value, let option, let expected, let nearest):
            "Invalid value “\(value)” for --\(option) (use \(expected)).\(suggestion(nearest))"
        case .missingOperand(let what): "Missing argument: \(what)\nFor help: \(help)"
        case .needlessOperand(let what): "Unexpected argument “\(what)”.\nFor help: \(help)"
        case .notOffered(let option, nil, let others):
            "--\(option) works for a single source of the kind \(Counted.choices(others)): select one with -s."
        case .notOffered(let option, let source?, let others):
            "--\(option) isn't supported by \(source), only by \(others.joined(separator: ", "))."
        case .conflict(let left, let right): "--\(left) and --\(right) can't be combined."
        case .unknownAction(let word, let known, let nearest):
            "“\(word)” isn't supported (use \(Counted.choices(known))).\(suggestion(nearest))"
        case .unreadableFile(let path, let reason):
            "Could not read \(path == "-" ? "standard input" : path): \(reason)"
        case .unusableFolder(let path, let reason):
            "Could not write pages to \(path): \(reason)\nUse -o with a folder that is new, empty or made by blog."
        case .fileInTheWay(let path):
            "\(path) wasn't written by blog or has changed since, so it was left alone.\nMove it away, or use another folder with -o."
        case .filtersNeedAll: "Filters need --all, as in: blog mark read --all --until 2018"
        case .allTakesNoIDs: "--all and IDs can't be combined: --all marks every matching post."
        case .nameForSeveral: "--as needs a single source, but several were given."
        case .peekNeedsNew: "--peek needs --new, as in: blog list --new --peek"
        case .pageNeedsLimit: "--page needs --limit (posts per page), as in: blog list --limit 20 --page 2"
        case .embedNeedsPages: "--embed needs --format html."
        case .noStore(let path): "No store at \(path) yet.\nTo create it: blog list, or blog sync"
        case .notOffline: "--offline can't be used here: this command needs the network."
        case .unknownMark(let word, let nearest):
            "Unknown mark “\(word)” (use read, unread, saved or unsaved).\(suggestion(nearest))"
        case .nothingToSearch(let words):
            "“\(words)” contains no word to search for. Add one: -WORD only excludes posts."
        case .about(let error, let origin, let command):
            "\(origin.map { $0 + ": " } ?? "")\(text(error, command: command))"
        case .settings(let path, let line, let problem):
            "\(path):\(line): \(problem.map { text($0) } ?? "expected “option = value”")"
        }
    }

    /// What to do with a store of which a part can't be read.
    static let salvage: Message = "Save what can be read with blog store export > posts.jsonl, then move it away."

    /// What is wrong with the store.
    static func text(_ error: StoreError) -> Message {
        let place: Message = "The store \(error.path)"
        let remedy: Message = "It was left alone: move it away, or use another with --store."
        return switch error.reason {
        case .notADatabase: "\(error.path) is damaged or isn't a blog store.\n\(salvage)"
        case .beyondRecovery: "\(error.path) is damaged or isn't a blog store.\n\(remedy)"
        case .damaged: "\(place) is damaged.\n\(salvage)"
        case .notAStore: "\(error.path) isn't a blog store: it is another program's database.\n\(remedy)"
        case .unreleased:
            "\(place) was made by a version of blog from before the first release.\nExport it with that version (blog store export), move it away, then import it with this one."
        case .folder: "\(error.path) is a folder.\nUse --store with a file in it."
        case .notAFile: "\(error.path) is not a regular file.\nUse another with --store."
        case .sideFile(let path):
            "Could not open the store \(error.path): \(path) is not a regular file\nMove that away, or use another store with --store."
        case .unreadable(let reason):
            "Could not read the store \(error.path): \(reason)\nChange its permissions, or use another with --store."
        case .newer(let found, let known):
            "\(place) has version \(found), but this blog only supports versions up to \(known).\nUpgrade blog, or use another store with --store."
        case .busy: "\(place) is in use by another process. Try again in a moment."
        case .notKept(.notWritable):
            "Could not write the store \(error.path)\nChange its permissions, or use another with --store."
        case .notKept(.diskFull):
            "No space left on the disk with the store \(error.path). Everything stored before is still there."
        case .noTemporarySpace:
            "No space left for downloads in \(StagedText.folder).\nFree some, or set TMPDIR to another folder."
        case .failed(let reason): "Could not use the store \(error.path): \(reason)"
        }
    }

    private static func suggestion(_ nearest: String?) -> Message {
        nearest.map { " Did you mean “\($0)”?" } ?? ""
    }
}

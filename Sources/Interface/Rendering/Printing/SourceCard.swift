import BlogEssentials
import BlogLibrary
import BlogMarkup
import BlogModel

/// A source as people see it on a terminal.
package enum SourceCard {
    /// - Parameter latest: the date of its newest post, to be shown; nil for none.
    package static func text(_ source: SourceState, latest: Date? = nil, width: Int) -> StyledText {
        let comments = source.comments == 0 ? "" : " · \(Counted.comments(source.comments))"
        let missing = source.posts - source.bodies
        let bodies = missing == 0 ? "" : " · \(Counted.bodies(missing)) missing"
        let newest = latest.map { " · newest \($0.minuteText.prefix(10))" } ?? ""
        let counts = "\(Counted.posts(source.posts)) · \(source.unread) unread\(bodies)\(comments)\(newest)"
        if source.id.listsOthers {
            return (title(of: source, width) + lines(source.reason.map { Sanitizer.line($0) } ?? counts, width)).lines
        }
        if let service = source.service {
            let synced = source.refreshedAt.map { "synced \($0.minuteText)" } ?? "never synced"
            let rest = service.rest.map { [$0.text] } ?? []
            return
                (title(of: source, width)
                + lines("\(service.summary(posts: source.posts)) · \(source.unread) unread", width)
                + lines(([synced + failure(of: source)] + rest).joined(separator: " · "), width)).lines
        }
        let refreshed = source.refreshedAt.map { "refreshed \($0.minuteText)" } ?? "never refreshed"
        return (title(of: source, width) + lines(counts, width) + lines(refreshed + failure(of: source), width)).lines
    }

    /// How its last refresh failed: " · failed 12:30: HTTP 500"; "" if it didn't.
    private static func failure(of source: SourceState) -> String {
        let reason = source.reason.map { ": \(Sanitizer.line($0))" } ?? ""
        return source.failedAt.map { " · \(status(source)) \($0.minuteText)\(reason)" } ?? ""
    }

    /// A source whose last refresh failed: why, since when, and what to do.
    package static func problem(of source: SourceState, width: Int) -> StyledText {
        let reason = source.reason.map { Sanitizer.line($0) } ?? status(source)
        let last = source.refreshedAt.map { "last refreshed \($0.minuteText)" } ?? "never refreshed"
        let next = source.dueAt.map { " · next try \($0.minuteText)" } ?? ""
        let advice = advice(on: source).map { lines($0, width) } ?? []
        return (title(of: source, width) + lines("\(reason) · \(last)\(next)", width) + advice).lines
    }

    private static func title(of source: SourceState, _ width: Int) -> [StyledText] {
        let folder = source.folder.isEmpty ? "" : " · \(Sanitizer.line(source.folder))"
        let name = source.title.map { "\(Sanitizer.line($0)) (\(source.name))" } ?? source.name
        let kind = source.id.isSearch ? "search: " : ""
        let place = source.id.isLinked ? "what your sources link to" : source.feed ?? source.id.address
        let address = Sanitizer.line(HostName.shown(in: place))
        return StyledText("\(name) · \(kind)\(address)\(folder)", .title).wrapped(to: width)
    }

    private static func lines(_ text: String, _ width: Int) -> [StyledText] {
        StyledText(text).wrapped(to: max(width - 2, 20)).map { "  " + $0 }
    }

    /// What to do about a failed refresh or a move; nil for nothing.
    package static func advice(on source: SourceState) -> String? {
        // Nearly all of a thousand sources are well.
        guard source.problem != nil || source.movedTo != nil else { return nil }
        let (command, unfollow) = ("blog follow \(source.name)", "blog unfollow \(source.name)")
        if source.id.isSearch {
            return "To keep another in its place: \(unfollow), then blog search WORDS --as \(source.name)"
        }
        if source.problem == .unconfirmed {
            return "If it is yours: blog follow \(ShellWords.quoted(Sanitizer.line(source.id.address)))"
        }
        if source.service != nil { return source.problem.map { adviceOnService($0, source.name) } }
        if let moved = source.movedTo {
            let follow = "\(command) --address \(ShellWords.quoted(Sanitizer.line(moved)))"
            return source.problem == .moved ? "If that is the same blog: \(follow)" : "It has moved: \(follow)"
        }
        switch source.problem {
        case nil, .unconfirmed, .moved: return nil
        case .gone: return "It was removed. To stop following it: \(unfollow)"
        case .missing, .unreadable:
            return source.needsRepair
                ? "To look for its new address: \(command) --repair"
                : "blog will try again. If it doesn't come back: \(unfollow)"
        case .refused:
            return source.needsRepair
                ? "Its server refuses this program. Look for another feed: \(command) --repair, or: \(unfollow)"
                : "Its server refuses this program. To stop following it: \(unfollow)"
        case .login:
            let host = URL(address: source.id.address)?.host ?? "HOST"
            return "Check ~/.netrc for a line: machine \(Sanitizer.line(host)) login NAME password PASSWORD"
        case .unreachable:
            return source.needsRepair
                ? "If it doesn't come back: \(command) --repair, or: \(unfollow)" : "blog will try again."
        case .failed: return "blog will try again."
        }
    }

    private static func adviceOnService(_ problem: RefreshProblem, _ name: String) -> String {
        switch problem {
        case .login: "Check the user name and the API password in ~/.netrc or in the setting login.\(name)"
        case .refused, .unreadable, .missing, .gone: "Check on the server that its API is switched on, and its address"
        case .unreachable, .failed, .unconfirmed, .moved:
            "Marks are kept until it is back. To try now: blog sync -s \(name)"
        }
    }

    /// The result of the last refresh, in a word.
    package static func status(_ source: SourceState) -> String {
        if source.id.listsOthers, source.problem == nil { return "ok" }
        return source.problem?.rawValue ?? (source.refreshedAt == nil ? "never" : "ok")
    }
}

extension ServiceState {
    /// "42 feeds, 1,000 posts".
    package func summary(posts: Int) -> String { "\(Counted.of(feeds, "feed")), \(Counted.grouped(posts: posts))" }

    /// What is yet to come, or to be sent: "9,000 posts to come, 3 marks to send since 12:30"; nil for nothing.
    package var rest: Message? {
        let parts = [
            missingPosts > 0 ? "\(Counted.grouped(posts: missingPosts)) to come" : nil,
            unsentMarks > marksWithoutPost
                ? "\(Counted.of(unsentMarks - marksWithoutPost, "mark")) to send\(unsentSince.map { " since \($0.minuteText)" } ?? "")"
                : nil,
            heldLabels.isEmpty
                ? nil
                : "\(Counted.list(heldLabels.map { "“\($0)”" })) isn't a label there: a folder may have the name, or it may be too long",
            lostPosts > 0 ? "\(Counted.posts(lostPosts)) that the server lists without contents or feed" : nil,
        ].compactMap(\.self)
        return parts.isEmpty ? nil : "\(parts.joined(separator: ", "))"
    }
}

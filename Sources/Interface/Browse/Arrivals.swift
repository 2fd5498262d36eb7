import BlogModel

/// What has arrived since a list was loaded, and the refresh that may bring more.
///
/// How many posts are new is seen by comparing the numbers of the list with those in the store: a refresh brings posts of
/// other lists, too, and other programs store some.
struct Arrivals: Sendable {
    /// A refresh that the user knows of.
    private enum Refresh: Sendable {
        case none
        /// The one with which the reader begins.
        case initial
        /// One that the user has asked for, of a certain source or folder, or else of the list.
        case requested(place: String?)
        /// A requested one that has ended, with the number of new posts in all sources: the list is being compared.
        ///
        /// `isTold` says whether there is a message about it already.
        case ended(new: Int, place: String?, isTold: Bool)
    }

    private var refresh: Refresh
    /// The progress of a refresh, in sources; nil while there is none.
    var progress: (done: Int, count: Int)?
    /// The number of posts that have arrived since the list was loaded.
    private(set) var new = 0
    /// Whether posts of the list have left it, because another process has unfollowed their source.
    private(set) var hasLost = false
    /// Whether there are too many posts to see by their number whether any arrived.
    private(set) var isUncounted = false

    init(isStarting: Bool) { refresh = isStarting ? .initial : .none }

    /// Whether the initial refresh is still in progress.
    var isStarting: Bool { if case .initial = refresh { true } else { false } }

    /// What a requested refresh brought, which the user is to be told now.
    enum Outcome {
        /// Nothing for any list.
        case nothing(place: String?)
        /// Only posts of other lists.
        case elsewhere(Int, place: String?)
        case here
        /// That can't be told by numbers, as of a search.
        case unknown
        /// Whatever it was, another message is more important.
        case told
    }

    /// Begins a refresh, whose result the user expects.
    ///
    /// - Parameter place: the source or folder that is refreshed, if it isn't the list.
    mutating func request(of place: String? = nil) { refresh = .requested(place: place) }

    /// Ends the refresh; returns whether the user expects a result.
    mutating func end(new: Int, isTold: Bool) -> Bool {
        progress = nil
        guard case .requested(let place) = refresh else {
            if isStarting { refresh = .none }
            return false
        }
        refresh = .ended(new: new, place: place, isTold: isTold)
        return true
    }

    /// Begins again for a list that is loaded anew.
    mutating func restart() {
        (new, hasLost, isUncounted) = (0, false, false)
        if case .ended = refresh { refresh = .none }
    }

    /// Compares the numbers of the list that are known with those of now; returns what is to be told, if anything.
    ///
    /// - Parameter isOfUnread: whether posts that were read have left the list.
    mutating func compare(_ before: ListCounts?, with now: ListCounts?, isOfUnread: Bool) -> (
        added: Int, told: Outcome?
    ) {
        isUncounted = isUncounted || now?.posts == ListCounts.limit
        var added = 0
        if let before, let now {
            added = isOfUnread ? now.unread - before.unread : now.posts - before.posts
            new += max(added, 0)
            if !isOfUnread, added < 0 { hasLost = true }
        }
        guard case .ended(let all, let place, let isTold) = refresh else { return (added, nil) }
        refresh = .none
        if isTold { return (added, .told) }
        if before == nil || now == nil { return (added, .unknown) }
        return (added, new > 0 ? .here : all > 0 ? .elsewhere(all, place: place) : .nothing(place: place))
    }
}

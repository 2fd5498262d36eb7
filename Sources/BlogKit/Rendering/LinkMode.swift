/// How links of a body are shown.
package enum LinkMode: Sendable {
    /// As OSC 8 hyperlinks (https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda).
    case hyperlinks
    /// With a number behind the text, and a list of the targets at the end.
    case numbered

    /// Whether a link to this target gets a number: also where a terminal follows links, it can't follow one that
    /// doesn't say to which site it leads.
    func numbers(_ target: String) -> Bool { self == .numbered || LinkTarget.safe(target) == nil }
}

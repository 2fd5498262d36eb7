/// How links of a body are shown.
package enum LinkMode: Sendable {
    /// As OSC 8 hyperlinks (https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda).
    case hyperlinks
    /// With a number behind the text, and a list of the targets at the end.
    case numbered
}

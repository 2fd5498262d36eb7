/// How the program names itself to servers (RFC 9110, section 10.1.5,
/// https://www.rfc-editor.org/rfc/rfc9110#section-10.1.5).
package enum UserAgent {
    /// The version of the program, as `blog --version` prints it.
    package static let version = "0.1.0"
    /// The page on which somebody who finds us in a log can read what we are; nil until the project has one.
    package static let home: String? = nil

    /// What is sent unless a program that uses the library says otherwise.
    package static let standard = text(home: home)

    /// `blog/VERSION (+HOME)`, as crawlers and feed readers do it.
    package static func text(home: String?) -> String {
        "blog/\(version)" + (home.map { " (+\($0))" } ?? "")
    }
}

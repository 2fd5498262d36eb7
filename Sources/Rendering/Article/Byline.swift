import Markup
import Model

/// Who wrote a post, for people.
package enum Byline {
    /// The author's name and role: "Kerri Miller, iOS Engineer".
    package static func text(_ author: Author) -> String {
        let role = Sanitizer.line(author.title ?? "")
        let name = Sanitizer.line(author.name)
        // A role that is a whole sentence about the author would drown the name.
        return role.isEmpty || role.count > maxRoleLength ? name : "\(name), \(role)"
    }

    private static let maxRoleLength = 60
}

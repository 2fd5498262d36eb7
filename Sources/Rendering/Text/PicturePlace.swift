import Foundation
import Markup

/// Where a picture belongs that a terminal may be able to show: above the line of text that tells of it.
package struct PicturePlace: Hashable, Sendable {
    /// The addresses at which the picture is, each in another size, what fits best first; http or https.
    package let urls: [URL]
    /// What it is called, on one line; "" if nothing says.
    package let name: String
    /// The columns that it may fill.
    package let columns: Int
    /// The rows that it may fill; nil for as many as there are.
    package let rows: Int?
    /// Whether it adds nothing to the text, so that it is neither waited for nor missed.
    package let isOrnament: Bool

    /// A place; nil where no address is one of the web.
    package init?(_ addresses: [String], name: String, columns: Int, rows: Int? = nil, isOrnament: Bool = false) {
        urls = addresses.compactMap { LinkTarget.safe($0) }.compactMap { URL(string: $0) }.filter {
            ["http", "https"].contains($0.scheme?.lowercased())
        }
        guard !urls.isEmpty else { return nil }
        self.name = Sanitizer.line(name)
        self.columns = columns
        self.rows = rows
        self.isOrnament = isOrnament
    }
}

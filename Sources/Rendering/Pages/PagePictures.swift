import Foundation
import Markup

/// Which pictures a page shows, and where they are.
package struct PagePictures: Sendable {
    /// What a page shows for a picture's http or https address: that address, one that holds the picture (`data:`), or
    /// nil for a link in its place.
    private let source: @Sendable (String) -> String?
    /// Whether a page may request pictures.
    let areLinked: Bool

    package init(areLinked: Bool, source: @escaping @Sendable (String) -> String?) {
        self.areLinked = areLinked
        self.source = source
    }

    /// Pictures at their own addresses.
    package static let linked = PagePictures(areLinked: true) { $0 }
    /// No pictures.
    package static let none = PagePictures(areLinked: false) { _ in nil }

    /// The `src` of a picture at an address as published; nil if it can't be shown.
    func source(_ address: String, base: URL?) -> String? { Self.address(address, base: base).flatMap(source) }

    /// The address on the web of a picture; nil if it has none.
    static func address(_ address: String, base: URL?) -> String? {
        LinkTarget.safe(address, base: base).flatMap { $0.lowercased().hasPrefix("http") ? $0 : nil }
    }
}

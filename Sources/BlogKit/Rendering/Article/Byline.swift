import Foundation

/// Who wrote a post and when, for people.
package struct Byline: Sendable {
    /// The author's name and role: "Kerri Miller, iOS Engineer".
    package let text: String
    /// The day of publication in UTC: "15 July 2018".
    package let date: String

    package init(_ metadata: PostMetadata) {
        let role = Sanitizer.line(metadata.author.title ?? "")
        let name = Sanitizer.line(metadata.author.name)
        // A role that is a whole sentence about the author would drown the name.
        text = role.isEmpty || role.count > Self.maxRoleLength ? name : "\(name), \(role)"
        date = Self.day(metadata.publishDate)
    }

    /// A day in UTC: "15 July 2018".
    package static func day(_ timestamp: Timestamp) -> String {
        let milliseconds = timestamp.milliseconds
        let day = timestamp.utc.dropLast("T00:00:00Z".count).suffix(2)
        return "\(Int(day) ?? 0) \(CalendarMonth(containing: milliseconds).name)"
    }

    private static let maxRoleLength = 60
}

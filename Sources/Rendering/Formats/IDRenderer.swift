import Markup
import Model

/// Nothing but ids, one a line, for `blog read -` and its like.
package struct IDRenderer: Renderer {
    package init() {}

    package mutating func record(_ record: Record) -> StyledText {
        StyledText(Sanitizer.line(record.metadata.id) + "\n")
    }
}

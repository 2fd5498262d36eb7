import BlogEssentials
import BlogModel

extension Rule {
    /// "hide", "mark as read, save and label “later”".
    package var actions: String {
        let marks = marks.map { mark in
            switch mark {
            case .saved: "save"
            case .labelled(let label): "label “\(label)”"
            default: "mark as \(mark.text)"
            }
        }
        return Counted.list((isHiding ? ["hide"] : []) + marks)
    }
}

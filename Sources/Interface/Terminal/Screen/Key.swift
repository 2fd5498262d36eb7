/// A key, with modifiers.
package enum Key: Hashable, Sendable {
    case character(Character)
    /// Ctrl and a lower-case letter.
    case control(Character)
    case enter
    case escape
    case tab
    case backTab
    case backspace
    case delete
    case up
    case down
    case left
    case right
    case home
    case end
    case pageUp
    case pageDown

    /// The key with a name, as in the settings: `S`, `?`, `ctrl-d`, `space`, `pgdn`; nil for an unknown name.
    package init?(name: String) {
        if name.count == 1, let character = name.first, !character.isWhitespace {
            self = .character(character)
        } else if let key = Self.names.first(where: { $0.name == name.lowercased() })?.key {
            self = key
        } else if name.lowercased().hasPrefix("ctrl-"), let letter = name.lowercased().dropFirst(5).first,
            name.count == 6, ("a"..."z").contains(letter), !Self.reservedLetters.contains(letter)
        {
            self = .control(letter)
        } else {
            return nil
        }
    }

    /// The name for ``init(name:)``.
    package var name: String {
        switch self {
        case .character(let character) where character != " ": String(character)
        case .control(let letter): "ctrl-\(letter)"
        default: Self.names.first { $0.key == self }?.name ?? ""
        }
    }

    /// Ctrl-I, Ctrl-J and Ctrl-M are the same as Tab and Enter, and Ctrl-H may be the same as Backspace.
    private static let reservedLetters: [Character] = ["h", "i", "j", "m"]

    private static let names: [(name: String, key: Key)] = [
        ("space", .character(" ")), ("enter", .enter), ("esc", .escape), ("tab", .tab), ("shift-tab", .backTab),
        ("backspace", .backspace), ("del", .delete), ("up", .up), ("down", .down), ("left", .left), ("right", .right),
        ("home", .home), ("end", .end), ("pgup", .pageUp), ("pgdn", .pageDown),
    ]
}

import BlogMarkup

/// Decodes a terminal's input: keys, pasted text, and responses to queries.
///
/// Input may be split anywhere. Each byte is handled once, and a limited number of bytes is kept.
struct KeyDecoder: Sendable {
    /// The responses to ``ScreenSequences/query(_:)`` so far.
    private(set) var responses = TerminalResponses()
    private var state = State.text
    /// The bytes of an incomplete character or sequence, or of the pasted text.
    private var pending: [UInt8] = []
    /// The number of matching bytes of ``pasteEnd``.
    private var matched = 0
    /// Whether Alt was held down for the next key, which so has no meaning.
    private var isWithAlt = false
    private var events: [ScreenEvent] = []

    private enum State: Equatable {
        case text
        /// In a UTF-8 sequence of `length` bytes.
        case character(length: Int)
        case escape
        /// After a lone ESC, which was a key, or the beginning of a sequence that a slow network split.
        case afterEscape
        /// In a control sequence, after `ESC [`.
        case sequence
        /// After `ESC O`.
        case function
        /// After `ESC [ [`, which begins F1 to F5 on the Linux console.
        case consoleFunction
        /// In a string: OSC, of which the beginning is kept, or DCS and so on, which are dropped.
        case string
        case stringEscape
        case paste
    }

    mutating func decode(_ bytes: some Sequence<UInt8>) -> [ScreenEvent] {
        for byte in bytes { handle(byte) }
        return finish()
    }

    /// The milliseconds after which to call ``flush()`` if no byte follows; -1 for never.
    ///
    /// Only a lone ESC has a short timeout: the rest of a sequence that a slow network split must not be mistaken for
    /// letters, which mark posts. So a response of the terminal is waited for, even a late one. With the kitty keyboard
    /// protocol, Esc has a sequence of its own and doesn't wait.
    var timeout: Int32 {
        switch state {
        case .text: -1
        case .escape: 30
        case .afterEscape: 1000
        case .paste: 2000
        case .string, .stringEscape: isInResponse ? 10_000 : 1500
        default: 1500
        }
    }

    /// Whether the string began as a response to ``TerminalColors/query``, which Alt with a bracket doesn't.
    private var isInResponse: Bool { pending.count > 1 && (0x30...0x39).contains(pending[1]) }

    /// Ends an incomplete sequence: a lone ESC is a key, others are dropped.
    mutating func flush() -> [ScreenEvent] {
        let wasEscape = state == .escape
        if wasEscape { events.append(.key(.escape)) }
        if state == .paste { endPaste() }
        reset()
        if wasEscape { state = .afterEscape }
        isWithAlt = false
        return finish()
    }

    private mutating func finish() -> [ScreenEvent] {
        defer { events = [] }
        return events
    }

    private mutating func reset() {
        state = .text
        pending = []
        matched = 0
    }

    private mutating func handle(_ byte: UInt8) {
        switch state {
        case .text: handleText(byte)
        case .character(let length): handleCharacter(byte, length)
        case .escape: handleEscape(byte)
        case .afterEscape: handleAfterEscape(byte)
        case .sequence: handleSequence(byte)
        case .function: handleFunction(byte)
        case .consoleFunction: reset()
        case .string: handleString(byte)
        case .stringEscape: handleStringEnd(byte)
        case .paste: handlePaste(byte)
        }
    }

    // MARK: Text

    private mutating func handleText(_ byte: UInt8) {
        switch byte {
        case 0x1B: state = .escape
        case 0x09: key(.tab)
        case 0x0A, 0x0D: key(.enter)
        case 0x08, 0x7F: key(.backspace)
        case 0x01...0x1A: key(.control(Character(Unicode.Scalar(byte + 0x60))))
        case 0x20...0x7E: key(.character(Character(Unicode.Scalar(byte))))
        case 0xC2...0xDF: begin(byte, length: 2)
        case 0xE0...0xEF: begin(byte, length: 3)
        case 0xF0...0xF4: begin(byte, length: 4)
        default: break
        }
    }

    private mutating func begin(_ byte: UInt8, length: Int) {
        state = .character(length: length)
        pending = [byte]
    }

    private mutating func handleCharacter(_ byte: UInt8, _ length: Int) {
        guard byte & 0xC0 == 0x80 else {
            reset()
            return handle(byte)
        }
        pending.append(byte)
        guard pending.count == length else { return }
        if let scalar = String(validating: pending, as: UTF8.self)?.unicodeScalars.first, !Sanitizer.isControl(scalar) {
            key(.character(Character(scalar)))
        }
        reset()
    }

    private mutating func key(_ key: Key) {
        if !isWithAlt { events.append(.key(key)) }
        isWithAlt = false
    }

    // MARK: Sequences

    private mutating func handleEscape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "["): state = .sequence
        case UInt8(ascii: "O"): state = .function
        case UInt8(ascii: "]"):
            state = .string
            pending = [byte]
        case UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
            state = .string
        case 0x1B: key(.escape)
        default:
            // Esc with a key right after it looks the same, and nothing is done by a guess.
            reset()
            isWithAlt = true
            handle(byte)
        }
    }

    private mutating func handleAfterEscape(_ byte: UInt8) {
        reset()
        switch byte {
        case UInt8(ascii: "["), UInt8(ascii: "O"), UInt8(ascii: "]"), UInt8(ascii: "P"): handleEscape(byte)
        default: handle(byte)
        }
    }

    private mutating func handleSequence(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "[") where pending.isEmpty: state = .consoleFunction
        case 0x20...0x3F:
            if pending.count < Self.maxSequence { pending.append(byte) }
        case 0x40...0x7E:
            let sequence = ControlSequence(pending, final: byte)
            reset()
            if sequence.isPasteStart {
                state = .paste
            } else if sequence.isResponse {
                responses.add(sequence)
            } else if let key = sequence.key {
                self.key(key)
            }
        default:
            // A control character or a non-ASCII byte: the sequence is incomplete.
            reset()
            handle(byte)
        }
    }

    private mutating func handleFunction(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ";"): break
        case UInt8(ascii: "M"):
            key(.enter)
            reset()
        case 0x40...0x7E:
            if let key = ControlSequence([], final: byte).key { self.key(key) }
            reset()
        default:
            reset()
            handle(byte)
        }
    }

    private mutating func handleString(_ byte: UInt8) {
        switch byte {
        case 0x1B: state = .stringEscape
        case 0x07: endString()
        case 0..<0x20:
            // Responses don't contain control characters: this is a key.
            reset()
            handle(byte)
        default: if !pending.isEmpty, pending.count < Self.maxSequence { pending.append(byte) }
        }
    }

    private mutating func endString() {
        if !pending.isEmpty { responses.colors.add(String(decoding: pending.dropFirst(), as: UTF8.self)) }
        reset()
    }

    private mutating func handleStringEnd(_ byte: UInt8) {
        guard byte != UInt8(ascii: "\\") else { return endString() }
        reset()
        state = .escape
        handle(byte)
    }

    // MARK: Paste

    private mutating func handlePaste(_ byte: UInt8) {
        if byte == Self.pasteEnd[matched] {
            matched += 1
            guard matched == Self.pasteEnd.count else { return }
            endPaste()
            return reset()
        }
        if pending.count + matched < Self.maxPaste { pending += Self.pasteEnd[..<matched] }
        matched = 0
        if byte == Self.pasteEnd[0] {
            matched = 1
        } else if pending.count < Self.maxPaste {
            pending.append(byte)
        }
    }

    private mutating func endPaste() {
        var text = String.UnicodeScalarView()
        var last: Unicode.Scalar?
        for scalar in String(decoding: pending, as: UTF8.self).unicodeScalars {
            // Terminals send line breaks as carriage returns; invalid bytes decode as U+FFFD.
            if scalar == "\r" || scalar == "\n" && last != "\r" {
                text.append("\n")
            } else if scalar != "\n", scalar != "\u{FFFD}" {
                text.append(scalar)
            }
            last = scalar
        }
        events.append(.paste(Sanitizer.block(String(text))))
    }

    private static let pasteEnd = [0x1B] + Array("[201~".utf8)
    static let maxPaste = 1 << 20
    private static let maxSequence = 64
}

/// The terminal's responses to ``ScreenSequences/query(_:)``.
struct TerminalResponses: Hashable {
    /// Whether frames can be displayed atomically (mode 2026).
    private(set) var hasSynchronizedOutput = false
    /// Whether the terminal counts columns by grapheme clusters (mode 2027).
    private(set) var hasClusters = false
    fileprivate(set) var colors = TerminalColors()
    /// Whether the last response has arrived.
    private(set) var isComplete = false

    fileprivate mutating func add(_ sequence: ControlSequence) {
        let numbers = sequence.numbers
        switch sequence.final {
        case UInt8(ascii: "c"): isComplete = true
        // 1: set, 2: reset, 3: always set.
        case UInt8(ascii: "y") where numbers == [2026, 1] || numbers == [2026, 2]: hasSynchronizedOutput = true
        case UInt8(ascii: "y") where numbers == [2027, 1] || numbers == [2027, 3]: hasClusters = true
        default: break
        }
    }
}

/// A control sequence: `ESC [`, parameters, and a final byte.
private struct ControlSequence {
    let final: UInt8
    /// Whether it is a response to a query: sequences of keys don't begin with `?`, `>`, `=` or `<`.
    let isResponse: Bool
    /// The parameters, without subparameters, which follow a colon.
    let numbers: [Int]

    init(_ parameters: [UInt8], final: UInt8) {
        self.final = final
        isResponse = parameters.first.map { (0x3C...0x3F).contains($0) } ?? false
        let fields = parameters.drop { (0x3C...0x3F).contains($0) }.prefix { (0x30...0x3B).contains($0) }
        numbers = fields.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { field in
            field.prefix { $0 != UInt8(ascii: ":") }.prefix(7).reduce(0) { $0 * 10 + Int($1) - 0x30 }
        }
    }

    var isPasteStart: Bool { final == UInt8(ascii: "~") && numbers == [200] }

    var key: Key? {
        switch final {
        case UInt8(ascii: "~"): numbers.first == 27 && numbers.count == 3 ? coded(numbers[2]) : numbered
        case UInt8(ascii: "u"): coded(numbers.first ?? 0)
        default: Self.letters[final]
        }
    }

    /// The keys with a letter as the final byte; rxvt uses lower case for arrow keys with Shift or Ctrl.
    private static let letters: [UInt8: Key] = [
        UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
        UInt8(ascii: "a"): .up, UInt8(ascii: "b"): .down, UInt8(ascii: "c"): .right, UInt8(ascii: "d"): .left,
        UInt8(ascii: "H"): .home, UInt8(ascii: "F"): .end, UInt8(ascii: "Z"): .backTab,
    ]

    private var numbered: Key? {
        switch numbers.first {
        case 1, 7: .home
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        default: nil
        }
    }

    /// The key with a code (https://sw.kovidgoyal.net/kitty/keyboard-protocol/).
    private func coded(_ code: Int) -> Key? {
        let modifiers = max((numbers.dropFirst().first ?? 1) - 1, 0)
        let (hasShift, hasOther, hasControl) = (modifiers & 1 != 0, modifiers & 0b111010 != 0, modifiers & 4 != 0)
        switch code {
        case 27: return .escape
        case 13, 57414: return .enter
        case 9: return hasShift ? .backTab : .tab
        case 8, 127: return .backspace
        case 57399...57408 where modifiers & 0b111110 == 0:
            return .character(Character(Unicode.Scalar(UInt8(code - 57399 + 0x30))))
        case 57409...57413 where modifiers & 0b111110 == 0: return .character(Array("./*-+")[code - 57409])
        case 57417...57426: return Self.keypad[code - 57417]
        case 0x20...0x7E, 0xA0...0x10FFFF:
            guard !hasOther, !(0xE000...0xF8FF).contains(code), let scalar = Unicode.Scalar(UInt32(code)) else {
                return nil
            }
            let character = Character(scalar)
            return hasControl ? Self.control(character) : .character(character)
        default: return nil
        }
    }

    private static let keypad: [Key?] = [
        .left, .right, .up, .down, .pageUp, .pageDown, .home, .end, nil, .delete,
    ]

    /// The key for Ctrl and a character, as terminals send it without the protocol.
    private static func control(_ character: Character) -> Key? {
        switch character {
        case "[": .escape
        case "h": .backspace
        case "i": .tab
        case "j", "m": .enter
        case "a"..."z": .control(character)
        default: nil
        }
    }
}

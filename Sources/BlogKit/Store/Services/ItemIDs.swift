import BlogModel

/// The IDs of a server's items, each once, in its order.
///
/// A server may list hundreds of thousands: numbers, as nearly all are, take 16 bytes each and not a hundred.
package struct ItemIDs: Sendable, Equatable {
    private var numbers: [UInt64] = []
    private var sortedNumbers: [UInt64] = []
    /// Those that aren't numbers, after the others.
    private var texts: [String] = []
    private var textSet: Set<String> = []

    package init() {}

    /// Those of some sequences, in order.
    package init(_ items: some Sequence<String>) {
        var builder = Builder()
        for item in items { builder.insert(item) }
        self = builder.items
    }

    package init(joining all: some Sequence<ItemIDs>) {
        var builder = Builder()
        for items in all { builder.insert(items) }
        self = builder.items
    }

    package var count: Int { numbers.count + texts.count }
    package var isEmpty: Bool { count == 0 }

    package func contains(_ item: String) -> Bool {
        guard let number = Self.number(item) else { return textSet.contains(item) }
        var (low, high) = (0, sortedNumbers.count)
        while low < high {
            let middle = (low + high) / 2
            if sortedNumbers[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low < sortedNumbers.count && sortedNumbers[low] == number
    }

    /// Whether it has the same items, in any order.
    package func hasSame(as other: ItemIDs) -> Bool {
        sortedNumbers == other.sortedNumbers && textSet == other.textSet
    }

    /// Calls `body` with each, in order.
    package func forEach(_ body: (String) throws -> Void) rethrows {
        for number in numbers { try body(Self.text(number)) }
        for text in texts { try body(text) }
    }

    /// Collects IDs.
    package struct Builder {
        private var result = ItemIDs()
        private var seen: Set<UInt64> = []

        package init() {}

        package var count: Int { result.count }

        package mutating func insert(_ item: String) {
            guard let number = ItemIDs.number(item) else {
                if result.textSet.insert(item).inserted { result.texts.append(item) }
                return
            }
            insert(number)
        }

        package mutating func insert(_ items: ItemIDs) {
            for number in items.numbers { insert(number) }
            for text in items.texts { insert(text) }
        }

        private mutating func insert(_ number: UInt64) {
            if seen.insert(number).inserted { result.numbers.append(number) }
        }

        package var items: ItemIDs {
            var items = result
            items.sortedNumbers = items.numbers.sorted()
            return items
        }
    }

    /// The number that 16 hexadecimal digits in lower case stand for; nil for any other ID.
    private static func number(_ item: String) -> UInt64? {
        guard item.utf8.count == 16 else { return nil }
        var number: UInt64 = 0
        for byte in item.utf8 {
            switch byte {
            case 0x30...0x39: number = number << 4 | UInt64(byte - 0x30)
            case 0x61...0x66: number = number << 4 | UInt64(byte - 0x57)
            default: return nil
            }
        }
        return number
    }

    private static func text(_ number: UInt64) -> String {
        let hex = String(number, radix: 16)
        return String(repeating: "0", count: 16 - hex.count) + hex
    }
}

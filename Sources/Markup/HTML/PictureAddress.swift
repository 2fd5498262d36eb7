/// Where the picture of an `img` is: pages that load pictures late have it elsewhere than in `src`.
enum PictureAddress {
    /// The address as published; "" for none.
    static func of(_ attributes: [String: String]) -> String {
        let late = ["data-src", "data-lazy-src", "data-original"].lazy.compactMap { attributes[$0] }
        if let address = late.first(where: isAddress) ?? attributes["src"].flatMap({ isAddress($0) ? $0 : nil }) {
            return address
        }
        let sets = ["srcset", "data-srcset", "data-lazy-srcset"].lazy.compactMap {
            attributes[$0].flatMap { largest(of: $0) }
        }
        return sets.first ?? attributes["src"] ?? ""
    }

    /// Until a late picture has come, `src` holds a tiny one itself.
    private static func isAddress(_ text: String) -> Bool {
        !text.isEmpty && text.prefix(5).lowercased() != "data:"
    }

    /// The address of the largest picture of a `srcset`: `a.png 1x, b.png 2x`.
    private static func largest(of set: String) -> String? {
        var best: (address: String, size: Double)?
        var rest = Array(set.utf8)[...]
        while true {
            rest = rest.drop { $0.isASCIIWhitespace || $0 == UInt8(ascii: ",") }
            var address = rest.prefix { !$0.isASCIIWhitespace }
            guard !address.isEmpty else { return best?.address }
            rest = rest[address.endIndex...]
            var descriptor: ArraySlice<UInt8> = []
            if address.last == UInt8(ascii: ",") {
                while address.last == UInt8(ascii: ",") { address.removeLast() }
            } else {
                descriptor = rest.prefix { $0 != UInt8(ascii: ",") }
                rest = rest[descriptor.endIndex...]
            }
            let size = Double(descriptor.trimmed.dropLast().text) ?? 1
            if isAddress(address.text), best.map({ size > $0.size }) ?? true { best = (address.text, size) }
        }
    }
}

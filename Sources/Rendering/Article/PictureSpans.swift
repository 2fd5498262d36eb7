import Markup

extension [Span] {
    /// The images of a paragraph that has nothing else, each with the link around it; nil for any other.
    var imagesAlone: [Span]? {
        let rest = filter { !$0.isBlank }
        return !rest.isEmpty && rest.allSatisfy { $0.imageSource != nil } ? rest : nil
    }
}

extension Span {
    /// The address of the image that the span is; nil if it is none.
    var imageSource: String? {
        switch self {
        case .image(_, let source, _): return source
        case .link(let inner, _, _):
            let rest = inner.filter { !$0.isBlank }
            return rest.count == 1 && rest[0].isImage ? rest[0].imageSource : nil
        default: return nil
        }
    }

    /// The description of the image that the span is.
    var imageName: String { [self].plainText.trimmingSpace }

    fileprivate var isBlank: Bool {
        switch self {
        case .softBreak, .hardBreak, .html: true
        case .text(let text): text.allSatisfy(\.isWhitespace)
        default: false
        }
    }
}

extension String {
    fileprivate var trimmingSpace: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

import Essentials

/// Identifies a source by its kind and address.
public struct SourceID: Hashable, Sendable, Codable {
    /// The name of the kind, for example `blog` or `hackernews`.
    public let kind: String
    /// The absolute http or https URL, in the one spelling under which its posts are stored: scheme and host in lower
    /// case, no default port, no slash at the end.
    public let address: String

    /// The id of a source; the address is taken as it is.
    public init(kind: String, address: String) {
        self.kind = kind
        self.address = address
    }
}

/// Identifies a post: the same ID in two sources means two posts.
public struct PostID: Hashable, Sendable, Codable {
    /// Where the post is from.
    public let source: SourceID
    /// The post's ``PostMetadata/id`` there.
    public let local: String

    /// The id of a post in a source.
    public init(source: SourceID, local: String) {
        self.source = source
        self.local = local
    }
}

/// A folder of sources, perhaps in another one.
package struct FolderPath: Hashable, Sendable {
    /// The names of the folders, from the outermost on.
    package let names: [String]

    /// A folder by its name and those of the folders around it; empty names are left out.
    package init(_ names: [String]) {
        self.names = names.map { $0.trimmed }.filter { !$0.isEmpty }
    }

    /// The folder that a text means: names with slashes between them, `News/Science`.
    ///
    /// In a name, `\/` is a slash and `\\` a backslash.
    package init(_ text: String) {
        var names = [""]
        var isEscaped = false
        // By scalars: a mark that combines with the slash would hide it.
        for scalar in text.unicodeScalars {
            if isEscaped {
                if scalar != "/", scalar != "\\" { names[names.count - 1].append("\\") }
                names[names.count - 1].unicodeScalars.append(scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == "/" {
                names.append("")
            } else {
                names[names.count - 1].unicodeScalars.append(scalar)
            }
        }
        if isEscaped { names[names.count - 1].append("\\") }
        self.init(names)
    }

    /// The text that means this folder.
    package var text: String {
        names.map { name in
            name.unicodeScalars.map { $0 == "/" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
        }.joined(separator: "/")
    }
}

import Model
import Testing
@testable import Browse

@Suite("A dialogue of blog browse --plain") struct LineDialogueTests {
    @Test(
        "applies a command with a number to that post, even if another one is open",
        arguments: [("s 3", "saved 3"), ("m 3", "read 3"), ("o 2", "page of 2"), ("y 2", "link of 2")])
    func means(typed: String, work: String) {
        var dialogue = LineDialogue(BrowseSession(ListRow.samples(["One", "Two", "Three"])).state)
        let opensFirst = dialogue.run("1").contains {
            if case .loadPost(let request) = $0 { request.post.local == "1" } else { false }
        }
        #expect(opensFirst)
        #expect(dialogue.run(typed).compactMap(Self.text) == [work])
    }

    /// The work for a post that a command names.
    private static func text(_ effect: BrowseEffect) -> String? {
        switch effect {
        case .mark(let mark, let posts): "\(mark.rawValue) \(posts.map(\.local).joined(separator: " "))"
        case .openPage(let post): "page of \(post.local)"
        case .copyLink(let post): "link of \(post.local)"
        default: nil
        }
    }
}

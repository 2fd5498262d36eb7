import BlogMarkup
import Testing
@testable import BlogLibrary

@Suite("A message") struct MessageTextTests {
    private let evil = "a\nblog: \u{1B}[31mFAKE\u{2028}\u{85}b\u{202E}\t"
    private let harmless = "a blog: FAKE  b "

    @Test("has only its own line breaks, whatever is interpolated")
    func lineBreaks() {
        let inner: Message = "“\(evil)” failed.\nTry again."
        #expect(inner.text == "“\(harmless)” failed.\nTry again.")
        #expect(Message(evil).text == harmless)
        let outer: Message = "One: \(inner)"
        #expect(outer.text == "One: “\(harmless)” failed.\nTry again.")
        #expect(Message(lines: ["\(evil)", "two"]).text == "\(harmless)\ntwo")
        #expect(("\(3) of \(Int64(4))" as Message).text == "3 of 4")
    }

    @Test("has a sentence in its first line, and a hint below")
    func parts() {
        let message: Message = "It failed.\nDo this,\nor that."
        #expect(message.sentence == "It failed.")
        #expect(message.hint == "Do this,\nor that.")
        #expect(("It failed." as Message).hint == nil)
        #expect(("It failed." as Message).sentence == "It failed.")
    }
}

import BlogRendering
import BlogTestSupport
import Testing

@Suite("Highlighted words") struct MarkedWordsTests {
    @Test(
        "are those that a search finds",
        arguments: [
            ("swift", "Swift is swift, not swiftly", "<hit>Swift</> is <hit>swift</>, not swiftly"),
            ("swift*", "not swiftly", "not <hit>swiftly</>"), ("cafe", "Café CAFÉ", "<hit>Café</> <hit>CAFÉ</>"),
            ("\"a b\" -c title:d OR e", "a b c d e", "<hit>a</> <hit>b</> c <hit>d</> <hit>e</>"),
            ("", "nothing", "nothing"), ("*", "nothing", "nothing"), ("天气", "天气", "<hit>天气</>"),
            ("东京 全文", "在东京的全文检索, 全 文", "在<hit>东京</>的<hit>全文</>检索, <hit>全 文</>"), ("데이터", "빅데이터를", "빅<hit>데이터</>를"),
            ("ค้นหา", "การค้นหาข้อมูล", "การ<hit>ค้นหา</>ข้อมูล"), ("iphone", "新iPhoneで", "新<hit>iPhone</>で"),
            ("1", "footnote¹ x", "footnote<hit>¹</> x"), ("ab* abc", "abcd abc", "<hit>abcd</> <hit>abc</>"),
            ("h2o", "H₂O", "<hit>H₂O</>"), ("2^10", "2¹⁰", "<hit>2¹⁰</>"), ("strasse", "Straße", "<hit>Straße</>"),
            ("stra*", "Straße", "<hit>Straße</>"), ("fine", "ﬁne", "<hit>ﬁne</>"), ("мои", "мой", "мой"),
            ("software", "soft\u{AD}ware", "<hit>soft\u{AD}ware</>"), ("नमस्ते", "नमस्ते", "<hit>नमस्ते</>"),
        ])
    func marks(search: String, text: String, expected: String) {
        #expect(MarkedWords(search: search).marking(StyledText(text)).spelledOut == expected)
    }

    @Test("keep the styles around them")
    func styles() {
        let text = StyledText("a b", .strong) + " b"
        #expect(
            MarkedWords(search: "b").marking(text).spelledOut
                == "<strong>a </><hit,strong>b</> <hit>b</>")
    }
}

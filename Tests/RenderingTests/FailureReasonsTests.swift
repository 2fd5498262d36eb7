import BlogMarkup
import BlogRendering
import Testing

@Suite("The reasons for many failures") struct FailureReasonsTests {
    @Test("are summarized by the most common one, ignoring posts and addresses")
    func mostCommon() {
        var reasons = FailureReasons()
        #expect(reasons.mostCommon == nil)
        let messages: [Message] = [
            "The post “1” failed: http://a/1 is empty.", "The post “2” failed: http://a/2 is gone.",
            "The post “3” failed: http://a/3 is gone.", "The post “4” failed: http://a/4 is empty.",
        ]
        for message in messages { reasons.add(message) }
        #expect(reasons.count == 4)
        #expect(reasons.mostCommon?.count == 2)
        #expect(reasons.mostCommon?.example == messages[0])
        reasons.add("The post “5” failed: http://a/5 is gone.")
        #expect(reasons.mostCommon?.count == 3)
        #expect(reasons.mostCommon?.example == messages[1])
    }

    @Test("are counted separately up to a hundred")
    func many() {
        var reasons = FailureReasons()
        for number in 0..<200 { reasons.add("Reason \(number).") }
        reasons.add("Reason 7.")
        for _ in 0..<9 { reasons.add("Reason 150.") }
        #expect(reasons.count == 210)
        #expect(reasons.mostCommon?.example == "Reason 7.")
    }
}

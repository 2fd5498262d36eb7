@testable import BlogRendering

extension Record {
    /// The record as it is shown of a source.
    func shown(of source: String, at address: String, _ text: (String) -> String) -> Record {
        var record = self
        record.show(of: source, at: address, text)
        return record
    }
}

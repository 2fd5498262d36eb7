import CSQLite

/// A function of one text to a text, as SQLite calls it.
package typealias SQLFunction =
    @convention(c) (
        OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
    ) -> Void

/// Sets the result of one call of an SQL function to its transformed argument.
package func setResult(
    _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?, _ transform: (String) -> String
) {
    guard let value = arguments?[0], let text = sqlite3_value_text(value) else { return }
    let bytes = UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value)))
    var result = transform(String(decoding: bytes, as: UTF8.self))
    result.withUTF8 { utf8 in
        utf8.withMemoryRebound(to: CChar.self) { csqlite_result_text(context, $0.baseAddress, UInt64($0.count)) }
    }
}

import Testing
@testable import BlogStore

@Suite("A database with limits") struct DatabaseLimitTests {
    private let database: Database

    init() throws {
        database = try Database(path: "", mode: .memory)
        database.limit(valueBytes: 1000, steps: 10_000)
    }

    static let statements: [(sql: String, kind: DatabaseError.Kind?)] = [
        ("WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n", .tooSlow),
        ("SELECT length(hex(zeroblob(600)))", .tooLong), ("SELECT length(hex(zeroblob(400)))", nil),
    ]

    @Test("ends statements that take too long or make a value that is too long", arguments: statements)
    func limits(sql: String, kind: DatabaseError.Kind?) {
        do {
            _ = try database.integer(sql)
            #expect(kind == nil)
        } catch let error as DatabaseError {
            #expect(error.kind == kind, "\(error)")
        } catch {
            Issue.record(error)
        }
    }
}

import BlogLibrary
import BlogCommandLine
import BlogRendering
import BlogTerminal

/// `blog config`: the settings in force.
enum ConfigCommand: Command {
    static let description = Commands.config

    static func run(_ invocation: Invocation, in context: Context) async throws -> ExitCode {
        if let extra = invocation.operands.first { throw UsageError.needlessOperand(extra) }
        let fields = try invocation.fieldNames(among: description.fields)
        let format = try invocation.format()
        let environment = context.environment
        let given = try OptionValues(flags: [:], command: nil, environment)
        var rows = given.values.sorted { $0.key < $1.key }.map { name, value -> [Fact] in
            let shown = name == Option.url.name ? SourceAddress.withoutLogin(value) : value
            return [.text(name), .text(shown.isEmpty ? "true" : shown), .text(given.origins[name] ?? "")]
        }
        if given.values[Option.store.name] == nil {
            rows.append([.text(Option.store.name), .text(environment.storePath), .text("default")])
        }
        let table = FactTable(columns: description.fields, rows: rows)
        try await context.console.print(table, fields, as: format)
        await context.console.notice("Settings file: \(environment.settingsPath) (see: blog help settings)")
        return .success
    }
}

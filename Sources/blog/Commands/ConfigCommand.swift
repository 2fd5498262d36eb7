import BlogLibrary
import Rendering
import Terminal

/// `blog config`: the settings in force.
enum ConfigCommand: Command {
    static let name = "config"
    static let summary = "show the current settings and their origin"
    static let details = [
        "Settings come from the environment or the settings file. To see how to set them: blog-settings(5)."
    ]
    static let operands = ""
    static let examples = [
        ("blog config", "values from the settings file and the environment"),
        ("blog help settings", "available settings"),
    ]
    static let options: [Option] = []
    static let fields = ["name", "value", "origin"]
    static let formats = Format.ofFacts

    static func run(_ invocation: Invocation, in context: Context) async throws -> ExitCode {
        if let extra = invocation.operands.first { throw UsageError.needlessOperand(extra) }
        let fields = try invocation.fieldNames(among: fields)
        let format = try invocation.format()
        let appearance = await context.console.appearance
        let environment = context.environment
        let given = try OptionValues(flags: [:], command: nil, every: Commands.everyOption, environment)
        var rows = given.values.sorted { $0.key < $1.key }.map { name, value -> [Fact] in
            let shown = name == Option.url.name ? SourceAddress.withoutLogin(value) : value
            return [.text(name), .text(shown.isEmpty ? "true" : shown), .text(given.origins[name] ?? "")]
        }
        if given.values[Option.store.name] == nil {
            rows.append([.text(Option.store.name), .text(environment.storePath), .text("default")])
        }
        let table = FactTable(columns: Self.fields, rows: rows)
        try await context.console.print(appearance.text(fields.map(table.picking) ?? table, as: format))
        await context.console.notice("Settings file: \(environment.settingsPath) (see: blog help settings)")
        return .success
    }
}

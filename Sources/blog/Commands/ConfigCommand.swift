import BlogCommandLine
import BlogLibrary
import BlogMarkup
import BlogRendering
import BlogTerminal

/// `blog config`: the settings in force.
enum ConfigCommand: Command {
    static let description = Commands.config

    static func run(_ invocation: Invocation, in context: Context) async throws -> CommandResult {
        if let extra = invocation.operands.first { throw UsageError.needlessOperand(extra) }
        let fields = try invocation.fieldNames(among: description.fields)
        let format = invocation.format
        let environment = context.environment
        guard !invocation.has(.example) else {
            try await context.console.print(Settings.example(environment))
            return CommandResult()
        }
        let given = invocation.settings.origins
        var rows = given.sorted { $0.key < $1.key }.map { name, setting -> [Fact] in
            let value = name == Option.url.name ? SourceAddress.withoutLogin(setting.value) : setting.value
            return [.text(name), .text(value), .text(setting.origin)]
        }
        if given[Option.store.name] == nil {
            rows.append([.text(Option.store.name), .text(environment.storePath), .text("default")])
        }
        let table = FactTable(columns: description.fields, rows: rows)
        try await context.console.print(table, fields, as: format)
        await context.console.notice("Settings file: \(environment.settingsPath) (see: blog help settings)")
        return CommandResult()
    }
}

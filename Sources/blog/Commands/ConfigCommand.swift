import BlogCommandLine
import BlogLibrary
import BlogMarkup
import BlogRendering
import BlogTerminal

/// `blog config`: the settings in force, with the defaults.
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
        let rows = Settings.table.map { setting -> [Fact] in
            let (value, origin) =
                given[setting.name].map { ($0.value, $0.origin) } ?? (setting.defaultValue(environment), "default")
            let shown = setting.name == Option.url.name ? SourceAddress.withoutLogin(value) : value
            return [.text(setting.name), .text(shown), .text(origin)]
        }
        // Their values are as secret as passwords.
        let headers = invocation.settings.originsWithHeaders.map { origin -> [Fact] in
            [.text(Settings.headerPrefix + origin), .text("(hidden)"), .text(environment.settingsPath)]
        }
        let table = FactTable(columns: description.fields, rows: rows + headers)
        try await context.console.print(table, fields, as: format)
        await context.console.notice("Settings file: \(environment.settingsPath) (see: blog help settings)")
        return CommandResult()
    }
}

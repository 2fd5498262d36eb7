/// A whole run of the program, from the arguments to the exit code.
enum Program {
    static let version = "0.1.0"

    /// Runs the command that the arguments name and says on stderr what went wrong.
    static func run(_ arguments: [String], in context: Context) async -> ExitCode {
        var code = ExitCode.failed
        do {
            code = try await dispatch(arguments, in: context)
        } catch {
            let failure = Failure(error)
            await context.console.error(failure.sentence)
            code = failure.exitCode
        }
        do {
            try await context.console.close()
        } catch {
            let failure = Failure(error)
            if let sentence = failure.sentence { await context.console.error(sentence) }
            if code == .success { code = failure.exitCode }
        }
        return code
    }

    private static func dispatch(_ arguments: [String], in context: Context) async throws -> ExitCode {
        // The command's name is not known before its options are, as options may come first; so all are known at first.
        let everyOption = Commands.all.reduce(into: Option.global) { options, command in
            options += command.options.filter { option in !options.contains { $0.name == option.name } }
        }
        let all = try Arguments(arguments, known: everyOption, takesDashes: true)
        if all.options["version"] != nil {
            try await context.console.print("blog \(version)\n")
            return .success
        }
        guard let name = all.operands.first else {
            guard all.options["help"] != nil || arguments.isEmpty else { throw UsageError.missingOperand("a command") }
            return try await HelpCommand.run(Invocation(operands: [], options: [:]), in: context)
        }
        guard !name.hasPrefix("-") else { throw UsageError.unknownOption(name, nearest: nil) }
        let command = try Commands.named(name)
        if all.options["help"] != nil {
            return try await HelpCommand.run(Invocation(operands: [name], options: [:]), in: context)
        }
        let known = Option.global + command.options
        let own = try Arguments(arguments, known: known, takesDashes: command.takesDashes)
        let options = try options(given: own.options, known: known, every: everyOption, context.environment)
        let invocation = Invocation(operands: Array(own.operands.dropFirst()), options: options)
        try await context.console.configure(invocation)
        return try await command.run(invocation, in: context)
    }

    /// Flags beat the environment, which beats the settings.
    private static func options(
        given: [String: String], known: [Option], every: [Option], _ environment: Environment
    ) throws -> [String: String] {
        var options = try Settings.read(path: environment.settingsPath, known: every)
        for option in known {
            guard let name = option.environment, let value = environment[name] else { continue }
            options[option.name] = try option.checked(value)
        }
        // An address in the settings belongs to the source there.
        if given["source"] != nil && given["source"] != options["source"] && given["url"] == nil {
            options["url"] = nil
        }
        let names = Set(known.map(\.name))
        return options.merging(given) { _, flag in flag }.filter { names.contains($0.key) }
    }
}

import Foundation

@main
struct Blog {
    static func main() async {
        StandardStreams.prepare()
        Interruption.prepare()
        FoundationTrap.prepare()
        let environment = Environment(ProcessInfo.processInfo.environment)
        let context = Context(console: Console(environment: environment), environment: environment, now: { Date() })
        exit(await Program.run(Array(CommandLine.arguments.dropFirst()), in: context).rawValue)
    }
}

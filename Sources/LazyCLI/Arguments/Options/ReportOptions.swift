internal import ArgumentParser

/// What a command reports.
struct ReportOptions: ParsableArguments {
    @Flag(help: "Print results, and errors on standard error, as JSON.")
    var json = false

    @Flag(name: [.customShort("Q"), .long], help: "Print no progress, summary or warnings.")
    var quiet = false

    /// The options as a value.
    var style: ReportStyle { ReportStyle(json: json, quiet: quiet) }

    /// Whether arguments ask for JSON, also where no command accepts them.
    static func wantsJSON(_ arguments: [String]) -> Bool {
        (try? AnyArguments.parse(arguments))?.report.json ?? false
    }

    private struct AnyArguments: ParsableArguments {
        @OptionGroup var report: ReportOptions
        @Argument(parsing: .allUnrecognized) var others: [String] = []
    }
}

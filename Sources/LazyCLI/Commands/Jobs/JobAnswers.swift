internal import LazyBase
internal import LazyMedia

/// Collects and reports the outcomes of the inputs of one run.
struct JobAnswers: Sendable {
    private let inputs: [Input]
    /// The folder that was named for all outputs.
    private let folder: String?
    private let report: ReportStyle
    private var failures: Failures
    private var answers: [JSONValue?]

    init(_ inputs: [Input], in folder: String?, _ report: ReportStyle) {
        self.inputs = inputs
        self.folder = folder
        self.report = report
        failures = Failures(inputs, asJSON: report.json)
        answers = Array(repeating: nil, count: inputs.count)
    }

    /// Adds the outcome of one input; throws failures that end the run.
    mutating func add(
        _ outcome: Result<JobReport, CommandFailure>, at index: Int, _ bar: JobBar?
    ) throws(CommandFailure) {
        do throws(CommandFailure) {
            let made = try outcome.get()
            answers[index] = made.json
            try tell(made, inputs[index], bar)
        } catch {
            bar?.clear()
            if !report.json, !error.answer.isEmpty {
                try Self.say(error.answer, isOutputTaken: folder == "-", isForPeople: true)
            }
            // People read the name of the output alone.
            let isNamed = !inputs.isSingle || report.json && error.input == nil
            let isInputs = isNamed && error.isOfOneOutput(in: folder)
            answers[index] = try failures.add(isInputs ? error.about(inputs[index].label) : error)
        }
    }

    /// Prints the results and throws if some failed.
    func finish(isOutputTaken: Bool) throws(CommandFailure) {
        let all = answers.compactMap { $0 }
        if report.json, !inputs.isSingle || !all.isEmpty {
            let text = (inputs.isSingle ? all[0] : .array(all)).text
            try Self.say(text, isOutputTaken: isOutputTaken)
        }
        try failures.finish()
    }

    private func tell(
        _ made: JobReport, _ input: Input, _ bar: JobBar?
    ) throws(CommandFailure) {
        let hasWarnings = !report.quiet && !made.warnings.isEmpty
        let text = report.json || report.quiet ? "" : made.text
        let answer = report.json ? "" : made.answer
        guard hasWarnings || !text.isEmpty || !answer.isEmpty else { return }
        bar?.clear()
        if hasWarnings { Warnings.say(made.warnings, about: input, asJSON: report.json) }
        if !text.isEmpty { Console.say(text) }
        if !answer.isEmpty {
            try Self.say(
                answer, isOutputTaken: made.outputs.first == "-", isForPeople: true)
        }
    }

    // Standard output may contain the output of the job.
    private static func say(
        _ text: String, isOutputTaken: Bool, isForPeople: Bool = false
    ) throws(CommandFailure) {
        if isOutputTaken {
            Console.say(String(text.dropLast()))
        } else if isForPeople {
            try Console.tell(text)
        } else {
            try Console.print(text)
        }
    }
}

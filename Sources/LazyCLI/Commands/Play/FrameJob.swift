internal import LazyBase
internal import LazyMedia
internal import LazyRenditions

/// `play --frames`: writes the frames of the inputs in sequence, and reports them.
struct FrameJob {
    let writing: FrameWriting
    /// The folder; nil for standard output.
    let folder: OutputFolder?
    let pattern: NamePattern
    let startNumber: Int
    let inputs: [Input]
    let report: ReportStyle

    func run() async throws(CommandFailure) {
        if let folder {
            for input in inputs {
                do throws(CommandFailure) {
                    try writing.refuseExisting(names(for: input), in: folder)
                } catch {
                    throw report.json ? error.about(input.label) : error
                }
            }
        }
        var failures = Failures(inputs, asJSON: report.json)
        var reports: [JSONValue] = []
        for input in inputs {
            do throws(CommandFailure) {
                if let json = try await write(input) { reports.append(json) }
            } catch {
                let isNamed = report.json && inputs.isSingle && error.code == "exists"
                reports.append(try failures.add(isNamed ? error.about(input.label) : error))
            }
        }
        // Standard output may contain the frames.
        if report.json, folder != nil {
            try Console.print((inputs.isSingle ? reports[0] : .array(reports)).text)
        }
        try failures.finish()
    }

    private func names(for input: Input) -> FrameNames {
        var names = FrameNames(pattern, for: input)
        names.startNumber = startNumber
        names.isShared = !inputs.isSingle
        return names
    }

    /// Writes the frames of an input; the report where they are in a folder.
    private func write(_ input: Input) async throws(CommandFailure) -> JSONValue? {
        let bar = JobBar(input.address.fileName, 1, report)
        defer { bar?.finish() }
        let progress: @Sendable (Double) -> Void = { bar?.set($0, of: 0) }
        guard let folder else {
            let made = try await writing.write(
                input, title: inputs.isSingle ? nil : input.label, progress: progress)
            bar?.finish()
            say(made, input)
            return nil
        }
        let (made, files) = try await writing.write(
            input, to: folder, names(for: input), report: report, progress: progress)
        bar?.finish()
        say(made, input)
        if !report.quiet, !report.json { Console.say(files.text(of: made, input)) }
        return files.json(of: made, input)
    }

    private func say(_ made: Rendition.Report, _ input: Input) {
        guard !report.quiet else { return }
        Warnings.say(made.warnings, about: input, asJSON: report.json)
    }
}

extension FrameFiles {
    /// The message about what was made.
    func text(of made: Rendition.Report, _ input: Input) -> String {
        let count = made.frameCount ?? 0
        let last = last.map { ", the last is \($0)" } ?? ""
        return "\(input.label): \(count) \(count == 1 ? "frame" : "frames") of \(made.size)\(last)"
    }

    /// The report, in which the folder is the output.
    func json(of made: Rendition.Report, _ input: Input) -> JSONValue {
        made.value(
            input: input.label, output: folder.path,
            files: Dictionary(lists(of: made)) { first, _ in first })
    }
}

internal import LazyBase
internal import LazyEditing
internal import LazyMedia
internal import LazyRenditions

/// `play --frames`: exports the inputs in sequence, and reports them.
struct FrameJob {
    let plan: ExportPlan
    let inputs: [Input]
    let reading: Reading
    let report: ReportStyle

    func run() async throws(CommandFailure) {
        try refuseExistingManifests()
        switch plan.destination {
        case .folder: try await Interruption.withCleanup(export)
        case .standardOutput: try await export()
        }
    }

    private func export() async throws(CommandFailure) {
        var failures = Failures(inputs, asJSON: report.json)
        var reports: [JSONValue] = []
        for input in inputs {
            do throws(CommandFailure) {
                let sequence = try await input.open(reading, part: .frames, plan.edit)
                // Damage is reported where frames are read.
                let index =
                    input.isFile && plan.isSparse(sequence.info)
                    ? try? await sequence.frameIndex() : nil
                let export = try FrameExport(
                    plan, input, sequence, index: index, isQuiet: report.quiet)
                let outcome = try await run(export, input)
                reports.append(summary(outcome, export.info, input))
                say(outcome, export.info, input)
            } catch {
                let isNamed = report.json && inputs.isSingle && error.code == "exists"
                reports.append(try failures.add(isNamed ? error.about(input.label) : error))
            }
        }
        // Standard output may contain the frames.
        if report.json, plan.destination.isFolder {
            try Console.print((inputs.isSingle ? reports[0] : .array(reports)).text)
        }
        try failures.finish()
    }

    /// Exports; says what a signal leaves behind.
    private func run(
        _ export: FrameExport, _ input: Input
    ) async throws(CommandFailure) -> ExportOutcome {
        do throws(CommandFailure) { return try await export.run() } catch {
            if error.status.isInterruption, !report.quiet, let left = export.unlisted {
                Warnings.say([left], about: input, asJSON: report.json)
            }
            throw error
        }
    }

    // Checked before decoding.
    private func refuseExistingManifests() throws(CommandFailure) {
        guard case .folder(let folder) = plan.destination, plan.overwrite == .never else { return }
        for input in inputs {
            guard let name = plan.manifestName(input) else { continue }
            if folder.contains(name) {
                let failure = CommandFailure(writing: folder.path(of: name), .exists)
                throw report.json ? failure.about(input.label) : failure
            }
        }
    }

    private func say(_ outcome: ExportOutcome, _ info: MediaInfo, _ input: Input) {
        guard !report.quiet else { return }
        Warnings.say(info.warnings + outcome.warnings, about: input, asJSON: report.json)
        guard !report.json, case .folder(let folder) = plan.destination else { return }
        let count = outcome.records.count
        let size = outcome.records.first?.size.description ?? ""
        let last = outcome.records.last?.file.map { ", the last is \(folder.path(of: $0))" } ?? ""
        Console.say("\(input.label): \(count) \(count == 1 ? "frame" : "frames") of \(size)\(last)")
    }

    private func summary(
        _ outcome: ExportOutcome, _ info: MediaInfo, _ input: Input
    ) -> JSONValue {
        guard case .folder(let folder) = plan.destination else { return .null }
        return .object([
            ("input", .name(input.label)),
            ("folder", .name(folder.path)),
            ("format", .string(plan.format.rawValue)),
            ("frames", .integer(outcome.records.count)),
            ("durationUs", .integer(outcome.duration)),
            ("manifest", .name(orNull: plan.manifestName(input).map(folder.path(of:)))),
            ("warnings", (info.warnings + outcome.warnings).value),
        ])
    }
}

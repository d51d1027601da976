internal import LazyMedia

/// `poster`: the pictures of one run, and what is said about them.
struct PosterJob: Sendable {
    /// A poster that was written.
    private struct Made: Sendable {
        let poster: Poster
        let size: PixelSize
        let info: MediaInfo
        let transfer: Transfer?
    }

    let choice: PosterChoice
    let target: TargetSize?
    let isExplained: Bool
    let overwrite: OverwritePolicy
    let reading: Reading
    let report: ReportOptions

    /// Makes all posters, so many at once.
    func run(_ items: [(Input, PictureFile)], jobs: Int) async throws(CommandFailure) {
        if let name = Self.repeated(items.map(\.1.label)) {
            throw .usage(
                "Two inputs would be written to \(name).", hint: "Write them to two folders.")
        }
        var failures = Failures(isAlone: items.count == 1, asJSON: report.json)
        var answers: [JSONValue?] = Array(repeating: nil, count: items.count)
        let bar =
            items.count > 8
            ? ProgressBar("posters", .inputs, total: items.count, isQuiet: report.quiet) : nil
        defer { bar?.finish() }
        try await SideBySide.run(items, jobs: jobs) { _, item in
            await make(item.0, item.1)
        } didEnd: { (index, outcome) throws(CommandFailure) in
            let (input, file) = items[index]
            bar?.advance()
            do throws(CommandFailure) {
                answers[index] = try tell(try outcome.get(), file, input, of: items.count)
            } catch {
                bar?.clear()
                // A name that is taken does not keep the other inputs back.
                let isInputs = items.count > 1 && error.status == .cannotCreate
                answers[index] = try failures.add(isInputs ? error.about(input) : error)
            }
        }
        try printReport(answers.compactMap { $0 }, items)
        try failures.finish()
    }

    private static func repeated(_ names: [String]) -> String? {
        var seen: Set<String> = []
        return names.first { !FileKind.isDevice($0) && !seen.insert($0).inserted }
    }

    private func make(_ input: Input, _ file: PictureFile) async -> Result<Made, CommandFailure> {
        do throws(CommandFailure) {
            return .success(try await madePoster(input, file))
        } catch {
            return .failure(error)
        }
    }

    private func madePoster(
        _ input: Input, _ file: PictureFile
    ) async throws(CommandFailure) -> Made {
        try file.refuseExisting(overwrite)
        let opened = try await input.open(reading, part: .glance)
        let (poster, bitmap) = try await poster(of: opened.sequence, input)
        try await Interruption.tidily { () throws(CommandFailure) in
            try file.write(bitmap, overwrite)
        }
        return Made(
            poster: poster, size: bitmap.size, info: opened.sequence.info,
            transfer: opened.transfer)
    }

    private func poster(
        of sequence: FrameSequence, _ input: Input
    ) async throws(CommandFailure) -> (Poster, Bitmap) {
        do throws(MediaError) {
            if let target { try sequence.limits.check(canvas: sequence.decodedSize(target)) }
            let poster = try await sequence.poster(choice, size: target)
            return (poster, try poster.bitmap.cropped(toFit: target))
        } catch {
            throw input.failure(error)
        }
    }

    private func tell(
        _ made: Made, _ file: PictureFile, _ input: Input, of count: Int
    ) throws(CommandFailure) -> JSONValue {
        if !report.quiet { Warnings.say(made.info.warnings, about: input, asJSON: report.json) }
        let label = count > 1 ? input.label : nil
        if !report.json, isExplained {
            let title = label.map { $0 + "\n" } ?? ""
            try say(title + Reports.explanation(made.poster), file)
        }
        return Reports.poster(
            made.poster, made.size, file.label, isExplained: isExplained, input: label,
            made.transfer)
    }

    private func printReport(
        _ answers: [JSONValue], _ items: [(Input, PictureFile)]
    ) throws(CommandFailure) {
        guard report.json, let first = answers.first else { return }
        try say((items.count == 1 ? first : .array(answers)).text, items[0].1)
    }

    // The picture itself may be on standard output.
    private func say(_ text: String, _ file: PictureFile) throws(CommandFailure) {
        if file.isStandardOutput {
            Console.say(String(text.dropLast()))
        } else {
            try Console.print(text)
        }
    }
}

internal import LazyMedia

/// `poster`: one picture of an input.
struct PosterJob: MediaJob {
    static let name = "poster"

    var output: String?
    let format: PictureFormat?
    let choice: PosterChoice
    let target: TargetSize?
    let isExplained: Bool
    let overwrite: OverwritePolicy
    let reading: Reading

    var fingerprint: String {
        "poster format=\(format?.rawValue ?? "auto") at=\(choice) size=\(Fingerprint.of(target))"
    }

    func outputs(for input: Input, isAlone: Bool) throws(CommandFailure) -> [String] {
        [try file(for: input, isAlone: isAlone).label]
    }

    func run(
        _ input: Input, isAlone: Bool, progress: @escaping @Sendable (Double) -> Void
    ) async throws(CommandFailure) -> JobReport {
        let file = try file(for: input, isAlone: isAlone)
        try file.refuseExisting(overwrite)
        let opened = try await input.open(reading, part: .glance)
        let (poster, bitmap) = try await poster(of: opened.sequence, input)
        let byteCount = try await Interruption.tidily { () throws(CommandFailure) in
            try file.write(bitmap, overwrite)
        }
        let label = isAlone ? nil : input.label
        return JobReport(
            outputs: [file.label], byteCount: byteCount, frameCount: 1,
            json: Reports.poster(
                poster, bitmap.size, file.label, isExplained: isExplained, input: label,
                opened.transfer),
            text: "", warnings: opened.sequence.info.warnings,
            answer: isExplained
                ? (label.map { $0 + "\n" } ?? "") + Reports.explanation(poster) : "")
    }

    private func file(for input: Input, isAlone: Bool) throws(CommandFailure) -> PictureFile {
        try PictureFile(output, for: input, format: format, isAlone: isAlone)
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
}

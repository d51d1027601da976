internal import LazyEditing
internal import LazyKit
internal import LazyMedia
package import LazyPreviews

/// `animate`: an animated thumbnail of one input.
package struct AnimateJob: MediaJob {
    package static let name = "animate"
    /// The formats of animations; PNG means APNG.
    package static let formats = OutputFormat.animated + [.png]
    private static let rules = OutputTarget.Rules(
        thing: "thumbnail", formats: formats, usual: OutputFormat(rawValue: "webp"))

    /// The thumbnail; its type is that of the output.
    package let thumbnail: AnimatedThumbnail
    package let format: OutputFormat?
    package var output: String?
    /// Whether the user expects silent video.
    package let expectsSilence: Bool
    package let isExplained: Bool
    package let overwrite: OverwritePolicy
    package let reading: Reading

    package init(
        thumbnail: AnimatedThumbnail, format: OutputFormat?, output: String? = nil,
        expectsSilence: Bool, isExplained: Bool, overwrite: OverwritePolicy, reading: Reading
    ) {
        self.thumbnail = thumbnail
        self.format = format
        self.output = output
        self.expectsSilence = expectsSilence
        self.isExplained = isExplained
        self.overwrite = overwrite
        self.reading = reading
    }

    package var key: String {
        let words = [
            "format=\(format?.rawValue ?? "by-name")", thumbnail.identifier,
            "plays=\(JobKey.plays(thumbnail.looping))",
            JobKey.encoding(thumbnail.encoding),
            "max-bytes=\(thumbnail.maxBytes.map(String.init) ?? "none")",
        ]
        return (words + JobKey.rendering(reading)).joined(separator: " ")
    }

    package func outputs(for input: Input, isAlone: Bool) throws(CommandFailure) -> [String] {
        [try place(for: input, isAlone: isAlone).label]
    }

    package func run(
        _ input: Input, isAlone: Bool, progress: @escaping @Sendable (Double) -> Void
    ) async throws(CommandFailure) -> JobReport {
        let place = try place(for: input, isAlone: isAlone)
        try place.refuseExisting(overwrite)
        let opened = try await input.open(reading)
        var thumbnail = thumbnail(of: opened.sequence.info)
        thumbnail.type = place.format.type(isAnimation: true) ?? .webpAnimation
        if !isAlone, thumbnail.encoding.threads == 0 { thumbnail.encoding.threads = 1 }
        thumbnail.edit = thumbnail.edit.named(input.address.name).matted(
            for: thumbnail.type, &thumbnail.encoding)
        let wanted = thumbnail
        let made = try await place.write(overwrite, failure: input.failure) {
            (sink) throws(MediaError) in
            let write = { @Sendable (bytes: [UInt8]) throws(MediaError) in
                try sink.write(bytes)
            }
            return try await wanted.write(
                opened.sequence, registry: .standard, to: write, progress: progress)
        }
        return report(made, opened, place, input)
    }

    /// The thumbnail for a source: all of the pictures that the user listed.
    private func thumbnail(of info: MediaInfo) -> AnimatedThumbnail {
        var thumbnail = thumbnail
        guard info.type == .pictures else { return thumbnail }
        thumbnail.keepsAllFrames = true
        let usual = AnimatedThumbnail()
        if thumbnail.edit.segments.isEmpty, thumbnail.length == usual.length,
            thumbnail.pieces == usual.pieces
        {
            thumbnail.edit.segments = [.zero..<ClipEdit.toTheEnd]
        }
        return thumbnail
    }

    private func place(for input: Input, isAlone: Bool) throws(CommandFailure) -> OutputTarget {
        let place = try OutputTarget(
            output, for: input, format: format, Self.rules, isAlone: isAlone)
        try place.refuse(thumbnail.encoding)
        return place
    }

    private func report(
        _ made: AnimatedThumbnail.Report, _ opened: OpenedInput, _ place: OutputTarget,
        _ input: Input
    ) -> JobReport {
        var warnings = opened.sequence.info.warnings + made.warnings
        if let sound = warnings.firstIndex(where: { $0.code == .soundDropped }) {
            let warning = warnings.remove(at: sound)
            if !expectsSilence { warnings.insert(warning, at: 0) }
        }
        let seconds = Reports.seconds(made.duration)
        return JobReport(
            outputs: [place.label], byteCount: made.byteCount, frameCount: made.frameCount,
            json: Reports.thumbnail(
                made, place, input, warnings, isExplained: isExplained, opened.transfer),
            text:
                "\(place.label): \(made.size), \(made.frameCount) frames in \(seconds), \(ByteSize.text(made.byteCount))",
            warnings: warnings,
            answer: isExplained ? Reports.explanation(made.choice) : "")
    }
}

internal import LazyBase
internal import LazyEditing
internal import LazyKit
internal import LazyMedia
internal import LazyRenditions

/// `poster`: one image of an input.
struct PosterJob: MediaJob {
    static let name = "poster"
    private static let rules = OutputTarget.Rules(
        thing: "poster", formats: OutputFormat.still, usual: .png)

    var output: String?
    let format: OutputFormat?
    let choice: PosterChoice
    /// What is done to the picture.
    var edit: ClipEdit
    /// The image for inputs that cannot be read.
    let fallback: Input?
    let encoding: EncodingOptions
    /// The sizes of desktop thumbnails, if they are requested.
    let thumbnails: [ThumbnailSize]
    let isExplained: Bool
    var overwrite: OverwritePolicy
    let reading: Reading

    init(
        output: String? = nil, format: OutputFormat?, choice: PosterChoice,
        edit: ClipEdit = ClipEdit(), fallback: Input?, encoding: EncodingOptions,
        thumbnails: [ThumbnailSize] = [], isExplained: Bool, overwrite: OverwritePolicy,
        reading: Reading
    ) {
        self.output = output
        self.format = format
        self.choice = choice
        self.edit = edit
        self.fallback = fallback
        self.encoding = encoding
        self.thumbnails = thumbnails
        self.isExplained = isExplained
        self.overwrite = overwrite
        self.reading = reading
    }

    var key: String {
        let words =
            [
                ("format", format?.rawValue ?? "by-name"), ("at", "\(choice)"),
                ("edit", edit.identifier), ("encoding", JobKey.encoding(encoding)),
                (
                    "thumbnail",
                    thumbnails.isEmpty ? "-" : thumbnails.map(\.rawValue).joined(separator: "+")
                ),
            ] + (fallback.map { [("fallback", $0.label)] } ?? [])
        let pairs = words.map { "\($0.0)=\($0.1)" } + JobKey.rendering(reading)
        return "poster " + pairs.joined(separator: " ")
    }

    var resultFolder: String? { thumbnails.isEmpty ? output : ThumbnailCache.standard.root }

    var dependsOnTime: Bool { !thumbnails.isEmpty }
    var leavesOthers: Bool { thumbnails.isEmpty }

    func outputs(for input: Input, isAlone: Bool) throws(CommandFailure) -> [String] {
        if !thumbnails.isEmpty {
            let cache = ThumbnailCache.standard
            let address = try ThumbnailSource(input, cache).address
            return thumbnails.map { cache.path(of: address, $0) }
        }
        return [try place(for: input, isAlone: isAlone).label]
    }

    func run(
        _ input: Input, isAlone: Bool, progress: @escaping @Sendable (Double) -> Void
    ) async throws(CommandFailure) -> JobReport {
        if !thumbnails.isEmpty { return try await makeThumbnails(of: input, isAlone: isAlone) }
        let place = try place(for: input, isAlone: isAlone)
        try place.refuseExisting(overwrite)
        let texts = try texts(of: input)
        let (opened, poster, bitmap, failure, warnings) = try await surrounded(for: place.format)
            .find(input)
        let byteCount = try await Interruption.withCleanup { () throws(CommandFailure) in
            try await place.write(overwrite, failure: input.failure) { (sink) throws(MediaError) in
                guard let type = place.format.pictureType else {
                    throw MediaError(
                        .notWritable, "A picture cannot be written as \(place.format.rawValue).")
                }
                try sink.write(
                    await StillPicture(bitmap, texts: texts)
                        .encoded(as: type, encoding, by: .pictures))
                return sink.count
            }
        }
        var report = report(
            poster, bitmap, input, place.label, byteCount, isAlone: isAlone, opened)
        report.warnings += warnings
        if let failure, let fallback { report.tell(failure, fallback, isAlone: isAlone) }
        return report
    }

    /// The job for a format: what lies around pictures is opaque where it has no transparency.
    private func surrounded(for format: OutputFormat) -> PosterJob {
        guard let traits = format.traits else { return self }
        var job = self
        job.edit = edit.surrounded(for: traits, encoding)
        return job
    }

    /// What a PNG says about the file that it is of, as thumbnails do; only for files found in folders.
    private func texts(
        of input: Input
    ) throws(CommandFailure) -> [(key: String, value: String)] {
        guard input.subfolder != nil else { return [] }
        do throws(CommandFailure) { return try ThumbnailSource(input, .standard).texts } catch {
            // A thumbnail itself is of no file.
            guard error.status == .usage else { throw error }
            return []
        }
    }

    private typealias Found = (
        opened: OpenedInput, poster: Poster, bitmap: Bitmap, failure: CommandFailure?,
        warnings: [MediaWarning]
    )

    /// The image of an input, or the fallback if it cannot be read.
    private func find(_ input: Input) async throws(CommandFailure) -> Found {
        do throws(CommandFailure) {
            // A track of subtitles is read from its beginning to its end.
            let part = edit.overlays.contains(where: \.isOfTrack) ? InputPart.all : .glance
            let opened = try await input.open(
                reading.wanting(edit.size, poster: choice), part: part)
            let (poster, bitmap, warnings) = try await poster(of: opened.sequence, input)
            return (opened, poster, bitmap, nil, warnings)
        } catch {
            guard let fallback, error.isOfInput else { throw error }
            var reading = reading
            reading.track = .main
            let opened = try await fallback.open(
                reading.wanting(edit.size, poster: .auto), part: .glance)
            var job = self
            job.edit.overlays.removeAll(where: \.isOfTrack)
            let (poster, bitmap, warnings) = try await job.poster(
                of: opened.sequence, fallback, .auto)
            return (opened, poster, bitmap, error, warnings)
        }
    }

    func report(
        _ poster: Poster, _ bitmap: Bitmap, _ input: Input, _ output: String, _ byteCount: Int,
        isAlone: Bool, _ opened: OpenedInput
    ) -> JobReport {
        return JobReport(
            outputs: [output], byteCount: byteCount, frameCount: 1,
            json: Reports.poster(
                poster, bitmap.size, output, isExplained: isExplained, input: input.label,
                opened.transfer),
            text: text(poster, bitmap, output, byteCount),
            warnings: opened.sequence.info.warnings,
            answer: isExplained
                ? (isAlone ? "" : input.label + "\n") + Reports.explanation(poster) : "")
    }

    /// The message about the written file.
    private func text(
        _ poster: Poster, _ bitmap: Bitmap, _ output: String, _ byteCount: Int
    ) -> String {
        guard OutputStream.standardError.isTerminal else { return "" }
        let name = output == "-" ? "standard output" : output
        let frame =
            poster.timing.map { timing in
                "frame \(timing.index) at \(Reports.seconds(.microseconds(timing.presentation.microseconds)))"
            } ?? "the embedded image"
        return "\(name): \(bitmap.size), \(frame), \(ByteSize.text(byteCount))"
    }

    private func place(for input: Input, isAlone: Bool) throws(CommandFailure) -> OutputTarget {
        let place = try OutputTarget(
            output, for: input, format: format, Self.rules, isAlone: isAlone)
        try place.refuse(encoding)
        return place
    }

    func poster(
        of sequence: FrameSequence, _ input: Input, _ choice: PosterChoice? = nil
    ) async throws(CommandFailure) -> (Poster, Bitmap, [MediaWarning]) {
        do throws(MediaError) {
            let choice = choice ?? self.choice
            let (poster, bitmap, warnings) = try await sequence.poster(
                choice, edit.named(input.address.name))
            if case .at(let time) = choice {
                try await Self.refuse(time, after: poster, of: sequence, isFile: input.isFile)
            }
            return (poster, bitmap, warnings)
        } catch {
            throw failure(error, choice ?? self.choice, input)
        }
    }

    private func failure(
        _ error: MediaError, _ choice: PosterChoice, _ input: Input
    ) -> CommandFailure {
        guard error.code == .notFound, case .embedded = choice else { return input.failure(error) }
        return CommandFailure(
            .badData, error.code.rawValue, error.message,
            hint: "Omit '--at embedded' to use the best of its frames."
        ).about(input.label)
    }

    /// Throws if a time is after the end of an animation, which the library clamps to the last frame.
    private static func refuse(
        _ time: Duration, after poster: Poster, of sequence: FrameSequence, isFile: Bool
    ) async throws(MediaError) {
        guard !sequence.isStill, let timing = poster.timing else { return }
        var end = timing.presentation.microseconds + timing.duration.microseconds
        guard time.microseconds > end else { return }
        end = max(end, try await sequence.playLength().microseconds)
        guard time.microseconds > end else { return }
        // A header may count the times of decoding, which end before the last pictures of a still scene do.
        if isFile, let last = try await sequence.frameIndex().timings.last {
            end = max(end, last.presentation.microseconds + last.duration.microseconds)
            guard time.microseconds > end else { return }
        }
        throw MediaError(
            .notFound,
            "The media ends at \(Reports.seconds(.microseconds(end))), before the requested time."
        )
    }
}

extension CommandFailure {
    /// Whether the fallback applies: not for a wrong command line or a signal.
    fileprivate var isOfInput: Bool {
        [.badData, .noInput, .noPermission, .unavailable, .temporary, .limit].contains(status)
    }
}

extension JobReport {
    /// Reports that the fallback was used, and why.
    fileprivate mutating func tell(_ failure: CommandFailure, _ fallback: Input, isAlone: Bool) {
        let about = isAlone ? "" : (failure.input.map { $0 + ": " } ?? "")
        text = "\(about)\(failure.message) The image is that of \(fallback.label)."
        guard case .object(let members) = json else { return }
        json = .object(
            members + [
                (
                    "fallback",
                    .object([
                        ("picture", .name(fallback.label)), ("code", .string(failure.code)),
                        ("message", .string(failure.message)),
                    ])
                )
            ])
    }
}

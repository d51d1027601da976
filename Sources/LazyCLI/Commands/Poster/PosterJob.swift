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
    /// What is asked for: files of overlays are named, and the type may be that of the output's name.
    let rendition: Rendition
    /// The edit with the contents of these files.
    var edit: ClipEdit
    /// The image for inputs that cannot be read.
    let fallback: Input?
    /// The sizes of desktop thumbnails, if they are requested.
    let thumbnails: [ThumbnailSize]
    let isExplained: Bool
    var overwrite: OverwritePolicy
    let reading: Reading

    var key: String {
        let sizes = thumbnails.map(\.rawValue).joined(separator: "+")
        return rendition.identifier + (sizes.isEmpty ? "" : ";thumbnail=\(sizes)")
            + (fallback.map { ";fallback=\($0.label)" } ?? "")
            + (reading.pictures.key.map { ";\($0)" } ?? "")
    }

    /// The identifier has a version of its own.
    var recordedKey: String { key }

    var earlierKeys: [String] {
        [
            EarlierKeys.poster(
                format: format, choice, edit, rendition.output.encoding, thumbnails, fallback,
                reading)
        ]
    }

    private var choice: PosterChoice {
        switch rendition.kind {
        case .poster(let choice): choice
        }
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
        let sinks = OutputSinks(place)
        do throws(CommandFailure) {
            return try await make(
                wanted(as: place), of: input, texts, to: place, sinks, isAlone: isAlone)
        } catch {
            guard let fallback, error.isOfInput, !sinks.isOpened else { throw error }
            var wanted = wanted(as: place)
            wanted.kind = .poster(.auto)
            wanted.reading.track = .main
            wanted.edit.overlays.removeAll(where: \.isOfTrack)
            var report = try await make(
                wanted, of: fallback, texts, to: place, sinks, isAlone: isAlone, for: input)
            report.tell(error, fallback, isAlone: isAlone)
            return report
        }
    }

    /// What is made for an output: the type is its own, and the files of overlays are read.
    private func wanted(as place: OutputTarget) -> Rendition {
        var wanted = rendition
        wanted.output.type = place.format.pictureType
        wanted.edit = edit
        return wanted
    }

    /// Makes a poster of an input, in place of another one if it is a fallback.
    private func make(
        _ wanted: Rendition, of input: Input, _ texts: [(key: String, value: String)],
        to place: OutputTarget, _ sinks: OutputSinks, isAlone: Bool, for original: Input? = nil
    ) async throws(CommandFailure) -> JobReport {
        let (opened, source) = try await open(input, wanted, texts)
        var made = try await Interruption.withCleanup {
            () throws(CommandFailure) -> Rendition.Report in
            let report: Rendition.Report
            do throws(MediaError) {
                report = try await wanted.make(of: source, into: sinks, encoders: .pictures)
            } catch {
                throw sinks.failure ?? failure(error, wanted, input)
            }
            try sinks.keep(overwrite)
            return report
        }
        made.rendition = rendition
        made.rendition.output.type = wanted.output.type
        return report(made, original ?? input, place.label, isAlone: isAlone, opened)
    }

    /// Opens as much of an input as a rendition needs.
    func open(
        _ input: Input, _ wanted: Rendition, _ texts: [(key: String, value: String)] = []
    ) async throws(CommandFailure) -> (OpenedInput, Rendition.Source) {
        var reading = reading.wanting(
            wanted.wanted.size, poster: wanted.wanted.poster ?? choice)
        reading.track = wanted.wanted.track
        let opened = try await input.open(
            reading, part: wanted.wanted.poster == nil ? .all : .glance)
        var source = Rendition.Source(
            opened.sequence, name: input.address.name, byteCount: opened.byteCount,
            isLocal: input.isFile)
        source.texts = texts
        return (opened, source)
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

    func report(
        _ made: Rendition.Report, _ input: Input, _ output: String, isAlone: Bool,
        _ opened: OpenedInput
    ) -> JobReport {
        guard case .poster(let poster) = made.details else {
            preconditionFailure("a poster was made")
        }
        return JobReport(
            outputs: [output], byteCount: made.byteCount, frameCount: 1,
            json: made.value(
                input: input.label, files: [.main: output],
                transfer: opened.transfer.map(Reports.transfer), isExplained: isExplained),
            text: text(poster, made, output), warnings: made.warnings,
            answer: isExplained
                ? (isAlone ? "" : input.label + "\n") + Reports.explanation(poster) : "")
    }

    /// The message about the written file.
    private func text(_ poster: Poster, _ made: Rendition.Report, _ output: String) -> String {
        guard OutputStream.standardError.isTerminal else { return "" }
        let name = output == "-" ? "standard output" : output
        let frame =
            poster.timing.map { timing in
                "frame \(timing.index) at \(Duration.microseconds(timing.presentation.microseconds).inSeconds)"
            } ?? "the embedded image"
        return "\(name): \(made.size), \(frame), \(ByteSize.text(made.byteCount))"
    }

    private func place(for input: Input, isAlone: Bool) throws(CommandFailure) -> OutputTarget {
        let place = try OutputTarget(
            output, for: input, format: format, Self.rules, isAlone: isAlone)
        try place.refuse(rendition.output.encoding)
        return place
    }

    /// The failure for an error of making it.
    func failure(
        _ error: MediaError, _ wanted: Rendition, _ input: Input
    ) -> CommandFailure {
        guard error.code == .notFound, wanted.kind == .poster(.embedded) else {
            return input.failure(error)
        }
        return CommandFailure(
            .badData, error.code.rawValue, error.message,
            hint: "Omit '--at embedded' to use the best of its frames."
        ).about(input.label)
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

internal import LazyBase
internal import LazyEditing
internal import LazyKit
internal import LazyMedia
internal import LazyPipeline
internal import LazyRenditions

/// `poster`: one image of an input.
struct PosterJob: RenditionJob {
    static let name = "poster"
    static let encoders = EncoderRegistry.pictures
    private static let rules = OutputTarget.Rules(
        thing: "poster", formats: OutputFormat.still, usual: .png)

    var output: String?
    let format: OutputFormat?
    let rendition: Rendition
    var edit: ClipEdit
    /// The image for inputs that cannot be read.
    let fallback: Input?
    /// The sizes of desktop thumbnails, if they are requested.
    let thumbnails: [ThumbnailSize]
    let isExplained: Bool
    var overwrite: OverwritePolicy
    let reading: Reading

    var threads: Int { 1 }

    var moreKey: [String] {
        let sizes = thumbnails.map(\.rawValue).joined(separator: "+")
        return (sizes.isEmpty ? [] : ["thumbnail=\(sizes)"])
            + (fallback.map { ["fallback=\($0.label)"] } ?? [])
    }

    var earlierKeys: [String] {
        guard case .poster(let choice) = rendition.kind else { return [] }
        return EarlierKeys.forms(of: edit).map {
            EarlierKeys.poster(
                format: format, choice, $0, rendition.output.encoding, thumbnails, fallback,
                reading)
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
        return [try names(for: input, isAlone: isAlone).target.label]
    }

    func run(
        _ input: Input, isAlone: Bool, progress: @escaping @Sendable (Double) -> Void
    ) async throws(CommandFailure) -> JobReport {
        if !thumbnails.isEmpty { return try await makeThumbnails(of: input, isAlone: isAlone) }
        let names = try names(for: input, isAlone: isAlone)
        try names.target.refuseExisting(overwrite)
        let texts = try texts(of: input)
        let sinks = OutputSinks(names, overwrite)
        do throws(CommandFailure) {
            return try await make(
                wanted(as: names.target), of: input, texts, to: names, sinks, isAlone: isAlone,
                progress: progress)
        } catch {
            guard let fallback, error.isOfInput, !sinks.isOpened else { throw error }
            var wanted = wanted(as: names.target)
            wanted.kind = .poster(.auto)
            wanted.reading.track = .main
            wanted.edit.overlays.removeAll(where: \.isOfTrack)
            var report = try await make(
                wanted, of: fallback, texts, to: names, sinks, isAlone: isAlone,
                progress: progress, for: input)
            report.tell(error, fallback, isAlone: isAlone)
            return report
        }
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

    func answer(_ made: Rendition.Report) -> String {
        guard case .poster(let poster) = made.details else { return "" }
        return Reports.explanation(poster)
    }

    /// The message about the written file.
    func text(_ made: Rendition.Report, _ input: Input, _ target: OutputTarget) -> String {
        guard OutputStream.standardError.isTerminal, case .poster(let poster) = made.details
        else { return "" }
        let name = target.isStandardOutput ? "standard output" : target.label
        let frame =
            poster.timing.map { timing in
                "frame \(timing.index) at \(Duration.microseconds(timing.presentation.microseconds).inSeconds)"
            } ?? "the embedded image"
        return "\(name): \(made.size), \(frame), \(ByteSize.text(made.byteCount))"
    }

    func names(for input: Input, isAlone: Bool) throws(CommandFailure) -> PartNames {
        let target = try OutputTarget(
            output, for: input, format: format, Self.rules, isAlone: isAlone)
        try target.refuse(rendition.output.encoding)
        return PartNames(target)
    }

    func failure(
        _ error: MediaError, _ input: Input, _ opened: OpenedInput, _ target: OutputTarget
    ) -> CommandFailure {
        guard error.code == .notFound, rendition.kind == .poster(.embedded) else {
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

internal import LazyMedia
internal import LazyPreviews

/// `poster`: one picture of an input.
struct PosterJob: MediaJob {
    static let name = "poster"
    private static let rules = MediaOutput.Rules(thing: "poster", formats: OutputFormat.still)

    var output: String?
    let format: OutputFormat?
    let choice: PosterChoice
    let target: TargetSize?
    let gravity: Gravity
    let encoding: EncodingOptions
    /// The size of a desktop's thumbnail, where one is asked for.
    let thumbnail: ThumbnailSize?
    let isExplained: Bool
    let overwrite: OverwritePolicy
    let reading: Reading

    var fingerprint: String {
        let words = [
            ("format", format?.rawValue ?? "by-name"), ("at", "\(choice)"),
            ("size", Fingerprint.of(target)), ("gravity", gravity.text),
            ("encoding", Fingerprint.encoding(encoding)), ("thumbnail", thumbnail?.rawValue ?? "-"),
        ]
        return "poster " + words.map { "\($0.0)=\($0.1)" }.joined(separator: " ")
    }

    func outputs(for input: Input, isAlone: Bool) throws(CommandFailure) -> [String] {
        if let thumbnail {
            let cache = ThumbnailCache.standard
            return [cache.path(of: try ThumbnailSource(input, cache).address, thumbnail)]
        }
        return [try place(for: input, isAlone: isAlone).label]
    }

    func run(
        _ input: Input, isAlone: Bool, progress: @escaping @Sendable (Double) -> Void
    ) async throws(CommandFailure) -> JobReport {
        if let thumbnail { return try await makeThumbnail(of: input, thumbnail, isAlone: isAlone) }
        let place = try place(for: input, isAlone: isAlone)
        try place.refuseExisting(overwrite)
        let opened = try await input.open(reading, part: .glance)
        let (poster, bitmap) = try await poster(of: opened.sequence, input)
        let byteCount = try await Interruption.tidily { () throws(CommandFailure) in
            try await place.write(overwrite, of: input) { (sink) throws(MediaError) in
                try await PosterEncoding(format: place.format, options: encoding).write(bitmap) {
                    (bytes) throws(MediaError) in try sink.write(bytes)
                }
                return sink.count
            }
        }
        return report(poster, bitmap, input, place.label, byteCount, isAlone: isAlone, opened)
    }

    func report(
        _ poster: Poster, _ bitmap: Bitmap, _ input: Input, _ output: String, _ byteCount: Int,
        isAlone: Bool, _ opened: OpenedInput
    ) -> JobReport {
        let label = isAlone ? nil : input.label
        return JobReport(
            outputs: [output], byteCount: byteCount, frameCount: 1,
            json: Reports.poster(
                poster, bitmap.size, output, isExplained: isExplained, input: label,
                opened.transfer),
            text: "", warnings: opened.sequence.info.warnings,
            answer: isExplained
                ? (label.map { $0 + "\n" } ?? "") + Reports.explanation(poster) : "")
    }

    private func place(for input: Input, isAlone: Bool) throws(CommandFailure) -> MediaOutput {
        let place = try MediaOutput(
            output, for: input, format: format, Self.rules, isAlone: isAlone)
        if encoding.quality != nil, ![.jpg, .webp, .avif].contains(place.format) {
            throw .usage(
                "--quality is for JPEG, WebP and AVIF, and a \(place.format.rawValue) is to be written."
            )
        }
        return place
    }

    func poster(
        of sequence: FrameSequence, _ input: Input
    ) async throws(CommandFailure) -> (Poster, Bitmap) {
        do throws(MediaError) {
            if let target { try sequence.limits.check(canvas: sequence.decodedSize(target)) }
            let poster = try await sequence.poster(choice, size: target)
            guard gravity != .centre, let target else {
                return (poster, try poster.bitmap.cropped(toFit: target))
            }
            return (poster, try poster.bitmap.cropped(toCover: target, gravity))
        } catch {
            throw input.failure(error)
        }
    }
}

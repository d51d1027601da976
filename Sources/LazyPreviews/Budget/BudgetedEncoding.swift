internal import LazyEditing
internal import LazyMedia

/// Encodes a thumbnail of at most a number of bytes.
///
/// A model estimates the size. It is fitted on a few frames, encoded as asked for and at the lowest
/// quality. The whole is then encoded once, or twice with what the first encoding showed;
/// `BudgetSearch` decides.
struct BudgetedEncoding {
    private let encoder: ThumbnailEncoding
    private let full: ThumbnailSettings
    private let maxBytes: Int

    init(_ encoder: ThumbnailEncoding, _ full: ThumbnailSettings, maxBytes: Int) {
        self.encoder = encoder
        self.full = full
        self.maxBytes = maxBytes
    }

    /// Writes what fits; throws `.limitExceeded` where nothing does.
    func run(
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void,
        progress: @escaping @Sendable (Double) -> Void
    ) async throws(MediaError) -> EncodedThumbnail {
        let edited = try await encoder.source.edited(full.edit)
        let ladder = try await ladder(edited)
        let sampling = try await SizeSampling(encoder, edited, ladder)
        let sections = max(1, full.edit.segments.count)
        var search = BudgetSearch(
            maxBytes: maxBytes, ladder: ladder,
            model: try await sampling.model(sections: sections, for: Double(maxBytes)))
        var best: (thumbnail: EncodedThumbnail, output: BufferedOutput)?
        var encodes = 0
        steps: while true {
            switch search.next() {
            case .sample(let level):
                let bytes = try await sampling.estimate(level, sections)
                search.didSample(level, bytes: bytes)
            case .smallest:
                let made = try await encode(ladder.settings(ladder.lowest)) { _ in }
                search.didEncodeSmallest(byteCount: made.thumbnail.counts.byteCount)
                if best == nil, made.thumbnail.counts.byteCount <= maxBytes { best = made }
            case .encode(let level):
                let share = (from: 0.1 + 0.3 * Double(encodes), length: encodes == 0 ? 0.6 : 0.3)
                encodes += 1
                let made = try await encode(ladder.settings(level)) {
                    progress(min(0.99, share.from + share.length * $0))
                }
                let byteCount = made.thumbnail.counts.byteCount
                search.didEncode(level, byteCount: byteCount)
                if byteCount <= maxBytes, search.isBest(byteCount) { best = made }
            case .end: break steps
            }
        }
        guard var best else { throw tooSmall(search) }
        try best.output.flush(write)
        best.thumbnail.encodes = max(1, encodes)
        progress(1)
        return best.thumbnail
    }

    private func encode(
        _ settings: ThumbnailSettings, _ progress: @escaping @Sendable (Double) -> Void
    ) async throws(MediaError) -> (thumbnail: EncodedThumbnail, output: BufferedOutput) {
        let output = BufferedOutput()
        let thumbnail = try await encoder.encode(
            settings, to: { (bytes) throws(MediaError) in try output.append(bytes) },
            progress: progress)
        return (thumbnail, output)
    }

    private func ladder(_ edited: FrameSequence) async throws(MediaError) -> BudgetLadder {
        let index = try await edited.frameIndex()
        let microseconds = index.duration.nanoseconds / 1000
        let usual = Rational(Int64(index.count) * 1_000_000, max(1, microseconds)).reduced
        return BudgetLadder(
            full: full, defaultQuality: encoder.target.traits.defaultQuality,
            size: edited.info.size,
            rate: full.edit.frameRate ?? usual)
    }

    private func tooSmall(_ search: BudgetSearch) -> MediaError {
        let least = Int64(search.smallest ?? maxBytes + 1)
        return MediaError(
            .limitExceeded,
            "No thumbnail fits into \(maxBytes) bytes; the smallest that is made has \(least).",
            excess: .init(limit: "maxBytes", allowed: Int64(maxBytes), actual: least))
    }
}

/// Output that is kept until it is known to be the best.
///
/// Unchecked: an encoder appends its pieces one after the other, and they are read after it has ended.
private final class BufferedOutput: @unchecked Sendable {
    private var spool = Spool()

    func append(_ bytes: [UInt8]) throws(MediaError) {
        let outcome = bytes.withUnsafeBytes { bytes in
            Result { () throws(MediaError) in try spool.append(bytes) }
        }
        try outcome.get()
    }

    func flush(_ write: ([UInt8]) throws(MediaError) -> Void) throws(MediaError) {
        try spool.readAll(write)
    }
}

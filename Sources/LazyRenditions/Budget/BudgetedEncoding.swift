internal import LazyEditing
internal import LazyMedia

/// Encodes a thumbnail of at most a number of bytes.
///
/// A model estimates the size. It is fitted on a few frames, encoded as asked for and at the lowest
/// quality. The whole is then encoded once, or again with what the last encoding showed;
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
        let asked = try await ladder(edited)
        let sampling = try await SizeSampling(encoder, edited, asked)
        let sections = max(1, full.edit.segments.count)
        var model = try await sampling.model(sections: sections)
        let ladder = model.gainsByQuality ? asked : asked.withoutQuality
        if ladder.level(for: maxBytes, model).scale < 1 {
            try await sampling.learnSides(&model)
        }
        var search = BudgetSearch(maxBytes: maxBytes, ladder: ladder, model: model)
        var best: (thumbnail: EncodedThumbnail, output: SpooledBytes)?
        var encodes = 0
        steps: while true {
            switch search.next() {
            case .sample(let position):
                let bytes = try await sampling.estimate(ladder.settings(at: position), sections)
                search.didSample(position, bytes: bytes)
            case .encode(let position):
                let (start, length) = Self.share(of: encodes)
                encodes += 1
                let made = try await encode(ladder.settings(at: position)) {
                    progress(min(0.99, start + length * $0))
                }
                let byteCount = made.thumbnail.counts.byteCount
                search.didEncode(position, byteCount: byteCount)
                if byteCount <= maxBytes, search.isBest(byteCount) { best = made }
            case .end: break steps
            }
        }
        guard var best else { throw tooSmall(search, edited.info.size) }
        try best.output.readAll(write)
        best.thumbnail.encodes = encodes
        best.thumbnail.reduction =
            BudgetReduction(
                from: edited.info.size, ladder, to: best.thumbnail, maxBytes: maxBytes
            )?.warning
        progress(1)
        return best.thumbnail
    }

    /// The part of the progress that an encoding has; later ones are rare.
    private static func share(of encoding: Int) -> (start: Double, length: Double) {
        encoding == 0 ? (0.1, 0.6) : (1 - 0.3 / Double(encoding), 0.3 / Double(encoding + 1))
    }

    private func encode(
        _ settings: ThumbnailSettings, _ progress: @escaping @Sendable (Double) -> Void
    ) async throws(MediaError) -> (thumbnail: EncodedThumbnail, output: SpooledBytes) {
        let output = SpooledBytes()
        let thumbnail = try await encoder.encode(
            settings, to: { (bytes) throws(MediaError) in try output.append(bytes) },
            progress: progress)
        return (thumbnail, output)
    }

    private func ladder(_ edited: FrameSequence) async throws(MediaError) -> BudgetLadder {
        let index = try await edited.frameIndex()
        let microseconds = index.duration.nanoseconds / 1000
        let usual = Rational(Int64(index.count) * 1_000_000, max(1, microseconds)).reduced
        var size = edited.info.size
        if full.edit.padding != nil {
            var edit = full.edit
            edit.padding = nil
            size = try await encoder.source.edited(edit).info.size
        }
        return BudgetLadder(
            full: full, traits: encoder.target.traits, size: size,
            keepsSize: full.keepsSize || full.edit.hasExactSize(size, on: edited.info.size),
            rate: full.edit.frameRate ?? usual, frames: index.count)
    }

    private func tooSmall(_ search: BudgetSearch, _ size: PixelSize) -> MediaError {
        let least = Int64(search.smallest ?? maxBytes + 1)
        let exactly = search.ladder.keepsSize ? " of exactly \(size)" : ""
        return MediaError(
            .limitExceeded,
            "No thumbnail\(exactly) fits into \(maxBytes) bytes; the smallest that is made has \(least).",
            excess: .init(limit: "maxBytes", allowed: Int64(maxBytes), actual: least))
    }
}

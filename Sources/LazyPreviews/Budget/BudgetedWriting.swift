internal import LazyEditing
internal import LazyMedia

/// Writes a thumbnail of no more than a number of bytes.
///
/// The size is reckoned by a model that is fitted on a few frames, encoded as asked for and at the
/// floor of quality. The whole is then encoded once, or a second time by what the first one taught;
/// `BudgetCourse` decides.
struct BudgetedWriting {
    private let draft: Draft
    private let full: Settings
    private let maxBytes: Int

    init(_ draft: Draft, _ edit: ClipEdit, maxBytes: Int) {
        self.draft = draft
        full = Settings(edit: edit, encoding: draft.thumbnail.encoding)
        self.maxBytes = maxBytes
    }

    /// Writes what fits; throws `.limitExceeded` where nothing does.
    func run(
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void,
        progress: @escaping @Sendable (Double) -> Void
    ) async throws(MediaError) -> Attempt {
        let edited = try await draft.source.edited(full.edit)
        let ladder = try await ladder(edited)
        let sampling = try await SizeSampling(draft, edited, ladder)
        let sections = max(1, full.edit.segments.count)
        var course = BudgetCourse(
            maxBytes: maxBytes, ladder: ladder,
            model: try await sampling.model(sections: sections, for: Double(maxBytes)))
        var best: (attempt: Attempt, bytes: HeldBytes)?
        var encodes = 0
        steps: while true {
            switch course.next() {
            case .sample(let level):
                let bytes = try await sampling.reckoned(level, sections)
                course.didSample(level, bytes: bytes)
            case .least:
                let made = try await encode(ladder.settings(ladder.lowest)) { _ in }
                course.didMakeLeast(byteCount: made.attempt.byteCount)
                if best == nil, made.attempt.byteCount <= maxBytes { best = made }
            case .encode(let level):
                let share = (from: 0.1 + 0.3 * Double(encodes), length: encodes == 0 ? 0.6 : 0.3)
                encodes += 1
                let made = try await encode(ladder.settings(level)) {
                    progress(min(0.99, share.from + share.length * $0))
                }
                let byteCount = made.attempt.byteCount
                course.didEncode(level, byteCount: byteCount)
                if byteCount <= maxBytes, course.isBest(byteCount) { best = made }
            case .end: break steps
            }
        }
        guard var best else { throw tooSmall(course) }
        try best.bytes.handOut(write)
        best.attempt.encodes = max(1, encodes)
        progress(1)
        return best.attempt
    }

    private func encode(
        _ settings: Settings, _ progress: @escaping @Sendable (Double) -> Void
    ) async throws(MediaError) -> (attempt: Attempt, bytes: HeldBytes) {
        let held = HeldBytes()
        let attempt = try await draft.encode(
            settings, to: { (bytes) throws(MediaError) in try held.put(bytes) }, progress: progress)
        return (attempt, held)
    }

    private func ladder(_ edited: FrameSequence) async throws(MediaError) -> BudgetLadder {
        let index = try await edited.frameIndex()
        let microseconds = index.duration.nanoseconds / 1000
        let usual = Rational(Int64(index.count) * 1_000_000, max(1, microseconds)).reduced
        return BudgetLadder(
            full: full, type: draft.thumbnail.type, size: edited.info.size,
            rate: full.edit.frameRate ?? usual)
    }

    private func tooSmall(_ course: BudgetCourse) -> MediaError {
        let least = Int64(course.least ?? maxBytes + 1)
        return MediaError(
            .limitExceeded,
            "No thumbnail fits into \(maxBytes) bytes; the smallest that is made has \(least).",
            excess: .init(limit: "maxBytes", allowed: Int64(maxBytes), actual: least))
    }
}

/// Bytes that are held back until it is sure that they are wanted.
///
/// Unchecked: an encoder puts its pieces one after the other, and who reads them does so when it
/// has ended.
private final class HeldBytes: @unchecked Sendable {
    private var spool = Spool()

    func put(_ bytes: [UInt8]) throws(MediaError) {
        let outcome = bytes.withUnsafeBytes { bytes in
            Result { () throws(MediaError) in try spool.append(bytes) }
        }
        try outcome.get()
    }

    func handOut(_ write: ([UInt8]) throws(MediaError) -> Void) throws(MediaError) {
        try spool.readAll(write)
    }
}

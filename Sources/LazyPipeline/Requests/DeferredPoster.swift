internal import LazyBase
internal import LazyMedia

/// A poster that is decoded at the first access, if it is not decoded already.
final class DeferredPoster: Sendable {
    private let frames: FrameSequence?
    private let state: Locked<Bitmap?>

    init(_ bitmap: Bitmap) {
        frames = nil
        state = Locked(bitmap)
    }

    init(of frames: FrameSequence) {
        self.frames = frames
        state = Locked(nil)
    }

    /// The poster, if it is decoded.
    var decoded: Bitmap? { state.withLock { $0 } }

    /// The poster; a transparent pixel if it cannot be decoded.
    var bitmap: Bitmap {
        if let decoded { return decoded }
        // Two threads may both decode; the first result stays.
        let bitmap = decode() ?? Self.nothing
        return state.withLock { kept in
            if let kept { return kept }
            kept = bitmap
            return bitmap
        }
    }

    private func decode() -> Bitmap? {
        guard let frames else { return nil }
        let options = ReaderOptions(
            limits: frames.limits, delayRule: frames.delayRule, isSingleFrame: true)
        guard let frame = try? frames.makeReader(options).nextFrame() else { return nil }
        return frame.bitmap
    }

    private static let nothing: Bitmap = {
        do {
            return try Bitmap(size: PixelSize(width: 1, height: 1), isOpaque: false) { rows in
                for index in rows.indices { rows[index] = 0 }
            }
        } catch {
            preconditionFailure("there is no memory for a single pixel")
        }
    }()
}

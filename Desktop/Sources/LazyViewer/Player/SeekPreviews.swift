internal import LazyBase
internal import LazyKit

/// Small pictures of a clip for its seek bar, decoded when they are asked for and kept.
@MainActor final class SeekPreviews {
    /// The width of a picture.
    static let width = 192
    /// The pictures of one clip.
    static let count = 100

    var onPicture: (@MainActor (Bitmap, Duration) -> Void)?
    private let frames: FrameSequence
    private var pictures: [Int: Bitmap] = [:]
    private var wanted: Int?
    private var work: Task<Void, Never>?

    init(_ frames: FrameSequence) { self.frames = frames }

    deinit { work?.cancel() }

    /// The picture nearest to a time, at once or as soon as it is decoded.
    func want(_ time: Duration, of duration: Duration) {
        guard duration > .zero else { return }
        let cell = min(Int(time / duration * Double(Self.count)), Self.count - 1)
        wanted = cell
        if let picture = pictures[cell] { onPicture?(picture, time) }
        if work == nil { decode(duration) }
    }

    // One at a time, and always the one that was asked for last.
    private func decode(_ duration: Duration) {
        guard let cell = wanted, pictures[cell] == nil else { return }
        let frames = frames
        let time = duration * (Double(cell) + 0.5) / Double(Self.count)
        work = Task { [weak self] in
            let frame = try? await frames.frame(
                at: time, size: TargetSize(width: Self.width, height: Self.width, fit: .scaleDown))
            await BlockingPool.shared.run { frame?.bitmap.withBytes { _ in } }
            guard let self, !Task.isCancelled else { return }
            self.work = nil
            guard let bitmap = frame?.bitmap else { return }
            self.pictures[cell] = bitmap
            if self.wanted == cell { self.onPicture?(bitmap, time) }
            self.decode(duration)
        }
    }
}

public import LazyMedia

/// Finds the part of a picture that matters most, for cutting to another shape.
///
/// Looks at small copies; deterministic. For a clip the parts of a few frames are weighed
/// together, so that the cut stands still.
public struct SmartCrop: Hashable, Sendable {
    /// What makes a part matter.
    public enum Measure: String, CaseIterable, Hashable, Sendable {
        /// Detail: the entropy of the luma.
        case entropy
        /// What draws the eye: edges, saturated colours, colours of skin.
        case attention
    }

    /// What makes a part matter.
    public let measure: Measure

    /// Makes a search.
    public init(_ measure: Measure = .attention) { self.measure = measure }

    /// The part of a picture to keep, for a shape of that many pixels or less.
    ///
    /// O(pixels), once for a small copy.
    public func part(of bitmap: Bitmap, keeping size: PixelSize) throws(MediaError) -> PixelRect {
        let kept = PixelSize(
            width: min(size.width, bitmap.size.width), height: min(size.height, bitmap.size.height))
        let small = try bitmap.scaled(to: Self.smallSize(of: bitmap.size))
        let share = (
            Double(kept.width) / Double(bitmap.size.width),
            Double(kept.height) / Double(bitmap.size.height)
        )
        let focus = focus(in: [small], keeping: share)
        return PixelRect(
            x: Self.start(focus.x, bitmap.size.width, kept.width),
            y: Self.start(focus.y, bitmap.size.height, kept.height),
            width: kept.width, height: kept.height)
    }

    private static func start(_ centre: Double, _ whole: Int, _ part: Int) -> Int {
        let start = Int((centre * Double(whole) - Double(part) / 2).rounded())
        return max(0, min(start, whole - part))
    }

    /// The size at which pictures are looked at.
    static func smallSize(of size: PixelSize) -> PixelSize {
        TargetSize(width: 96, height: 96, fit: .scaleDown).scaledSize(of: size)
    }

    /// The middle of the best part of small pictures of one size, in shares from the upper left.
    func focus(
        in pictures: [Bitmap], keeping share: (across: Double, down: Double)
    ) -> (x: Double, y: Double) {
        guard let size = pictures.first?.size else { return (0.5, 0.5) }
        let width = max(1, min(size.width, Int((share.across * Double(size.width)).rounded())))
        let height = max(1, min(size.height, Int((share.down * Double(size.height)).rounded())))
        let map = SaliencyMap(pictures, measure)
        let x = map.bestStart(of: width, along: .columns)
        let y = map.bestStart(of: height, along: .rows)
        return (
            (x + Double(width) / 2) / Double(size.width),
            (y + Double(height) / 2) / Double(size.height)
        )
    }
}

extension SmartCrop {
    init(for gravity: Gravity) { self.init(gravity == .entropy ? .entropy : .attention) }

    /// The point of a whole clip that stays; decodes a few small frames.
    func focus(
        of sequence: FrameSequence, _ target: TargetSize
    ) async throws(MediaError) -> (x: Double, y: Double) {
        let (scaled, final) = (
            target.scaledSize(of: sequence.info.size), target.finalSize(of: sequence.info.size)
        )
        let share = (
            Double(final.width) / Double(scaled.width), Double(final.height) / Double(scaled.height)
        )
        let pictures = try await FrameSampler(
            sequence, size: Self.smallSize(of: sequence.info.size)
        ).spread(5)
        return focus(in: pictures.map(\.bitmap), keeping: share)
    }
}

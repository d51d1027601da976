public import LazyMedia

/// Finds the most salient part of a picture, for cropping to another aspect ratio.
///
/// Works on small copies; deterministic. For a clip a few frames are weighed together, so that the
/// crop does not move.
public struct SmartCrop: Hashable, Sendable {
    /// A measure of saliency.
    public enum Measure: String, CaseIterable, Hashable, Sendable {
        /// Detail: the entropy of the luma.
        case entropy
        /// Attention: edges, saturated colors, skin tones.
        case attention
    }

    /// The measure of saliency.
    public let measure: Measure

    /// Makes a search.
    public init(_ measure: Measure = .attention) { self.measure = measure }

    /// The part of a picture to keep, of at most this size.
    ///
    /// O(pixels), for making one small copy.
    public func part(of bitmap: Bitmap, keeping size: PixelSize) throws(MediaError) -> PixelRect {
        let kept = PixelSize(
            width: min(size.width, bitmap.size.width), height: min(size.height, bitmap.size.height))
        let focus = try focus(
            of: bitmap,
            keeping: (
                Double(kept.width) / Double(bitmap.size.width),
                Double(kept.height) / Double(bitmap.size.height)
            ))
        return Framing.crop(kept, of: bitmap.size, .point(focus.x, focus.y))
    }

    /// The focus of a picture for a share of width and height.
    func focus(
        of bitmap: Bitmap, keeping share: (across: Double, down: Double)
    ) throws(MediaError) -> (x: Double, y: Double) {
        focus(in: [try bitmap.scaled(to: Self.smallSize(of: bitmap.size))], keeping: share)
    }

    /// The size of the copies that are analyzed.
    static func smallSize(of size: PixelSize) -> PixelSize {
        TargetSize(width: 96, height: 96, fit: .scaleDown).scaledSize(of: size)
    }

    /// The center of the best part of small pictures of one size, in shares from the upper left.
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

    /// The focus of a whole clip for a share of width and height; decodes a few small frames.
    func focus(
        of sequence: FrameSequence, keeping share: (across: Double, down: Double)
    ) async throws(MediaError) -> (x: Double, y: Double) {
        let pictures = try await FrameSampler(
            sequence, size: Self.smallSize(of: sequence.info.size)
        ).spread(5)
        return focus(in: pictures.map(\.bitmap), keeping: share)
    }
}

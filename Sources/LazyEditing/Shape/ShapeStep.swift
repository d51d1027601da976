internal import LazyMedia

/// A shape of which the part that is kept is known; pure.
struct ShapeStep: Hashable, Sendable {
    /// The size before.
    let source: PixelSize
    /// The part that is kept.
    let part: PixelRect
    /// The quarter turns and mirrors, after another rotation.
    let orientation: Orientation
    /// A rotation that is not of quarter turns.
    let rotation: Rotation?

    init(_ shape: PictureShape, of source: PixelSize, part: PixelRect) {
        self.source = source
        self.part = part
        let rotation = Rotation(degrees: shape.rotation)
        let turns = rotation.quarterTurns ?? 0
        self.rotation = rotation.quarterTurns == nil ? rotation : nil
        // A mirror after a rotation is the same mirror before the opposite rotation.
        orientation =
            switch (shape.isMirrored, shape.isFlipped) {
            case (false, false): Orientation(quarterTurns: turns)
            case (true, false): Orientation(quarterTurns: (4 - turns) % 4, isMirrored: true)
            case (false, true): Orientation(quarterTurns: (6 - turns) % 4, isMirrored: true)
            case (true, true): Orientation(quarterTurns: (turns + 2) % 4)
            }
    }

    /// Whether every pixel is kept.
    var keepsAll: Bool { part == PixelRect(source) }

    /// The size after.
    var size: PixelSize {
        let kept = PixelSize(width: part.width, height: part.height)
        return orientation.turned(rotation?.size(of: kept) ?? kept)
    }

    /// The size in which a decoder should give pictures for a size of the result.
    ///
    /// Nil for that of the source: a crop is exact, and scaled afterwards.
    func decoded(for size: PixelSize?) -> PixelSize? {
        guard keepsAll, rotation == nil else { return nil }
        return size.map(orientation.turned)
    }

    /// The frame in this shape, at a size.
    func applied(to frame: Frame, size: PixelSize) throws(MediaError) -> Frame {
        var frame = frame
        if !keepsAll { frame = try frame.cropped(to: part) }
        if let deep = frame.deep, rotation == nil {
            frame = try frame.replacing(deep: deep.turned(orientation).scaled(to: size))
        } else if orientation != .upright || rotation != nil || frame.bitmap.size != size {
            frame = frame.replacing(try turned(frame.bitmap).scaled(to: size))
        }
        return frame
    }

    /// The picture in this shape.
    func applied(to bitmap: Bitmap) throws(MediaError) -> Bitmap {
        try turned(keepsAll ? bitmap : bitmap.cropped(to: part))
    }

    private func turned(_ bitmap: Bitmap) throws(MediaError) -> Bitmap {
        guard let rotation else { return try bitmap.oriented(orientation) }
        return try bitmap.rotated(by: rotation).oriented(orientation)
    }
}

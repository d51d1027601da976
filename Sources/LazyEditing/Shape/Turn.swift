package import LazyMedia

/// A rotation and the mirrors after it; pure.
package struct Turn: Hashable, Sendable {
    /// The quarter turns and mirrors, after another rotation.
    let orientation: Orientation
    /// A rotation that is not of quarter turns.
    let rotation: Rotation?
    /// The color of the corners of such a rotation; nil is transparent.
    let corners: PixelColor?

    /// Makes a turn: degrees clockwise, then left to right, then upside down.
    package init(
        degrees: Double = 0, isMirrored: Bool = false, isFlipped: Bool = false,
        corners: PixelColor? = nil
    ) {
        self.corners = corners
        let rotation = Rotation(degrees: degrees)
        let turns = rotation.quarterTurns ?? 0
        self.rotation = rotation.quarterTurns == nil ? rotation : nil
        // A mirror after a rotation is the same mirror before the opposite rotation.
        orientation =
            switch (isMirrored, isFlipped) {
            case (false, false): Orientation(quarterTurns: turns)
            case (true, false): Orientation(quarterTurns: (4 - turns) % 4, isMirrored: true)
            case (false, true): Orientation(quarterTurns: (6 - turns) % 4, isMirrored: true)
            case (true, true): Orientation(quarterTurns: (turns + 2) % 4)
            }
    }

    /// Makes the turn back to how the file of a still stores it.
    init(storing info: MediaInfo) {
        (rotation, corners) = (nil, nil)
        let shown = Orientation(
            quarterTurns: info.rotation / 90 % 4, isMirrored: info.isMirrored)
        // A mirror and a turn behind it undo themselves.
        orientation =
            info.type.family == .video
            ? .upright
            : shown.isMirrored ? shown : Orientation(quarterTurns: (4 - shown.quarterTurns) % 4)
    }

    /// Whether pictures stay as they are.
    var isIdentity: Bool { orientation == .upright && rotation == nil }

    /// The size of a turned picture.
    func size(of size: PixelSize) -> PixelSize {
        orientation.turned(rotation?.size(of: size) ?? size)
    }

    /// The size in which a decoder should give pictures for a size of the result.
    ///
    /// Nil for that of the source: rotated pictures are scaled afterwards.
    func decoded(for size: PixelSize?) -> PixelSize? {
        rotation == nil ? size.map(orientation.turned) : nil
    }

    /// Whether turned pictures have transparent corners.
    var addsTransparency: Bool { rotation != nil && (corners?.alpha ?? 0) < 255 }

    /// The turned picture.
    func applied(to bitmap: Bitmap) throws(MediaError) -> Bitmap {
        guard let rotation else { return try bitmap.oriented(orientation) }
        return try bitmap.rotated(by: rotation, corners).oriented(orientation)
    }

    /// The turned frame, at a size.
    func applied(to frame: Frame, size: PixelSize) throws(MediaError) -> Frame {
        if let deep = frame.deep, rotation == nil {
            return try frame.replacing(deep: deep.turned(orientation).scaled(to: size))
        }
        return frame.replacing(try applied(to: frame.bitmap).scaled(to: size))
    }
}

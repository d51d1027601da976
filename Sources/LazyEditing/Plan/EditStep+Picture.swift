public import LazyMedia

extension EditStep {
    /// One picture after the step; times are not looked at, and a smart gravity looks at this picture.
    ///
    /// Overlays are drawn by `paint`. Throws for an impossible crop, and for sizes over the limits.
    package func applied(
        to bitmap: Bitmap, limits: DecodingLimits,
        painting paint: ([Overlay], Bitmap) throws(MediaError) -> Bitmap = { _, bitmap in bitmap }
    ) throws(MediaError) -> Bitmap {
        if case .overlay(let overlays) = self { return try paint(overlays, bitmap) }
        switch try settled(for: bitmap.size, { bitmap }) {
        case .trim(let inside): return try inside.map(bitmap.cropped) ?? bitmap
        case .crop(let region, let gravity):
            return try bitmap.cropped(to: region.part(of: bitmap.size, gravity))
        case .turn(let turn):
            try limits.check(canvas: turn.size(of: bitmap.size))
            return try turn.applied(to: bitmap)
        case .fit(let target, let gravity):
            let framing = Framing(of: bitmap.size, target, gravity)
            try limits.check(canvas: framing.scaled)
            return try bitmap.scaled(to: framing.scaled).cropped(to: framing.crop)
        case .place(let placement):
            var placed = bitmap
            for step in placement.steps(for: bitmap.size) {
                placed = try step.applied(to: placed, limits: limits)
            }
            return placed
        case .filter(let filter): return try filter.applied(to: bitmap)
        case .canvas(let canvas):
            try limits.check(canvas: canvas.size)
            return try bitmap.placed(on: canvas)
        case .pad(let padding):
            try limits.check(canvas: padding.canvas(of: bitmap.size))
            return try bitmap.padded(padding)
        case .trimEdges, .lieAsStored, .overlay, .cut: return bitmap
        case .matte(let color): return try bitmap.matted(color)
        }
    }
}

extension Bitmap {
    /// The picture with what an edit does to pictures; its times are not looked at.
    ///
    /// A smart gravity and black bars are judged by this picture alone. Text shows what it shows at
    /// the beginning. Throws for a crop outside of the picture, and for sizes over the limits.
    public func edited(_ edit: ClipEdit) throws(MediaError) -> Bitmap {
        var sequence = FrameSequence(still: self)
        // As media, so that pictures are scaled before they are turned, as those of a sequence are.
        for step in edit.steps where !step.isCut {
            let before = sequence
            for step in step.expanded(for: before.info.size) {
                let before = sequence
                let settled = try step.settled(for: before.info.size) { () throws(MediaError) in
                    try before.picture()
                }
                sequence = try before.applying(settled)
            }
        }
        return try sequence.picture()
    }
}

extension FrameSequence {
    /// The first picture.
    func picture(
        _ cancellation: CancellationFlag = CancellationFlag()
    ) throws(MediaError) -> Bitmap {
        let options = ReaderOptions(limits: limits, cancellation: cancellation)
        guard let frame = try makeReader(options).nextFrame() else {
            throw MediaError(.notFound, "The sequence has no frame.")
        }
        return frame.bitmap
    }
}

package import LazyMedia

extension FrameSequence {
    /// The sequence in a shape; finding bars, and a smart gravity, decode some frames.
    package func shaped(
        _ shape: PictureShape, _ gravity: Gravity = .center
    ) async throws(MediaError) -> FrameSequence {
        guard shape != PictureShape() else { return self }
        var part = PixelRect(info.size)
        if shape.trimsBars, let inner = try await pictureInsideBars() { part = inner }
        var focus = gravity.focus
        if let crop = shape.crop {
            let whole = PixelSize(width: part.width, height: part.height)
            if focus == nil, crop.needsFocus {
                focus = try await smartFocus(crop.size(in: whole), of: part, gravity)
            }
            part = try crop.part(of: part, focus: focus ?? (0.5, 0.5))
        }
        let (kept, point) = (part, focus ?? (0.5, 0.5))
        return try wrapped { (media) throws(MediaError) in
            try ShapedMedia(media, shape, part: kept, focus: point, limits: limits)
        }
    }

    /// The sequence with a border around its pictures.
    package func padded(_ padding: Padding) throws(MediaError) -> FrameSequence {
        guard try padding.canvas(of: info.size) != info.size else { return self }
        return try wrapped { (media) throws(MediaError) in
            try PaddedMedia(media, padding, limits: limits)
        }
    }

    /// The sequence with partly transparent pixels blended over a color.
    package func matted(_ color: PixelColor) -> FrameSequence {
        guard info.hasAlpha else { return self }
        return wrapped { MattedMedia(base: $0, color: color) }
    }

    /// The most salient point for a crop of a part of the pictures.
    private func smartFocus(
        _ size: PixelSize, of part: PixelRect, _ gravity: Gravity
    ) async throws(MediaError) -> (x: Double, y: Double) {
        let inner = try wrapped { (media) throws(MediaError) in
            try ShapedMedia(
                media, PictureShape(), part: part, focus: (0.5, 0.5), limits: limits)
        }
        return try await SmartCrop(for: gravity).focus(
            of: inner,
            keeping: (
                Double(size.width) / Double(part.width), Double(size.height) / Double(part.height)
            ))
    }

    /// The frames that are looked at for bars.
    private static let barFrames = 24

    /// The picture inside of black bars, or nil without such bars.
    private func pictureInsideBars() async throws(MediaError) -> PixelRect? {
        let length: Duration
        if let known = info.duration {
            length = known
        } else {
            length = try await frameIndex().duration
        }
        let count = Self.barFrames
        let times = (0..<count).map { length * (Double(2 * $0 + 1) / Double(2 * count)) }
        return try await cancellable { (flag) throws(MediaError) in
            let keyframes = try peaks(at: times, keyframesOnly: true, flag)
            // Keyframes are cheap; where there are too few of them, other frames are decoded too.
            let peaks =
                keyframes.count * 2 > count
                ? keyframes : try peaks(at: times, keyframesOnly: false, flag)
            return peaks.inner
        }
    }

    private func peaks(
        at times: [Duration], keyframesOnly: Bool, _ cancellation: CancellationFlag
    ) throws(MediaError) -> PeakLuma {
        let reader = try makeReader(
            ReaderOptions(
                limits: limits, delayRule: delayRule, keyframesOnly: keyframesOnly,
                cancellation: cancellation))
        var peaks = PeakLuma(info.size)
        var last: MediaTime?
        for time in times {
            try reader.seek(toTime: time)
            guard let frame = try reader.nextFrame() else { continue }
            if frame.timing.presentation == last { continue }
            last = frame.timing.presentation
            peaks.add(frame.bitmap)
        }
        return peaks
    }
}

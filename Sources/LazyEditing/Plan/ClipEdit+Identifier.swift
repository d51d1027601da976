package import LazyMedia

extension ClipEdit {
    /// The edit in one line; equal lines are equal edits, in caches and in journals.
    public var identifier: String {
        let pieces =
            segments.map { "\($0.lowerBound.nanoseconds)-\($0.upperBound.nanoseconds)" }
            + sections.map(\.identifier)
        let rate = frameRate.map { "\($0.reduced)" } ?? "source"
        let most = maxFrames.map { ["frames=\($0)"] } ?? []
        let pictures =
            [
                shape.identifier.map { "shape=\($0)" }, placement.map { "place=\($0)" },
                padding.map { "pad=\($0.identifier)" },
                matte.map { "matte=\($0)" },
            ].compactMap(\.self) + overlays.map(\.identifier)
        return
            ([
                "segments=\(pieces.joined(separator: "+"))", "rate=\(rate)", "speed=\(speed)",
            ] + most + [
                "reverse=\(isReversed)", "bounce=\(isBouncing)",
                "crossfade=\(crossfade.nanoseconds)",
                "size=\(size?.identifier ?? "source")", "gravity=\(gravity)",
            ] + pictures).joined(separator: ",")
    }
}

extension TargetSize {
    /// The size in one word, such as `320x/cover`; equal words are equal sizes.
    package var identifier: String {
        let sides = [width, height].map { $0.map(String.init) ?? "" }
        return "\(sides.joined(separator: "x"))/\(fit.rawValue)"
    }
}

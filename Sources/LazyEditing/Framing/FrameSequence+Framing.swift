package import LazyMedia

extension FrameSequence {
    /// The sequence with its pictures scaled and cropped to a target, all of them alike.
    func framed(
        _ target: TargetSize, _ gravity: Gravity
    ) async throws(MediaError) -> FrameSequence {
        var focus = gravity.focus
        if focus == nil, needsFraming(target),
            target.scaledSize(of: info.size) != target.finalSize(of: info.size)
        {
            focus = try await SmartCrop(for: gravity).focus(of: self, target)
        }
        return try framed(target, focus: focus ?? (0.5, 0.5), alignment: .chroma)
    }

    /// The sequence with its pictures scaled and cropped to a target, around a point.
    package func framed(
        _ target: TargetSize, focus: (x: Double, y: Double) = (0.5, 0.5),
        alignment: Framing.Alignment = .pixel
    ) throws(MediaError) -> FrameSequence {
        guard needsFraming(target) else { return self }
        return try wrapped { (media) throws(MediaError) in
            try FramedMedia(media, target, focus: focus, alignment: alignment, limits: limits)
        }
    }

    private func needsFraming(_ target: TargetSize) -> Bool {
        target.finalSize(of: info.size) != info.size
            || target.scaledSize(of: info.size) != info.size
    }
}

internal import LazyMedia

extension FrameSequence {
    /// The sequence with its pictures scaled and cut to a target, all of them alike.
    func framed(
        _ target: TargetSize, _ gravity: Gravity
    ) async throws(MediaError) -> FrameSequence {
        let (source, size) = (info.size, target.finalSize(of: info.size))
        guard size != source || target.scaledSize(of: source) != source else { return self }
        var focus = (x: 0.5, y: 0.5)
        if target.scaledSize(of: source) != size {
            if let fixed = gravity.focus {
                focus = fixed
            } else {
                focus = try await SmartCrop(for: gravity).focus(of: self, target)
            }
        }
        let framing = Framing(of: source, target, focus: focus)
        try limits.check(canvas: framing.scaled)
        return wrapped { FramedMedia(base: $0, framing: framing) }
    }
}

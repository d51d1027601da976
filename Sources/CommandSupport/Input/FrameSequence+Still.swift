package import LazyMedia

extension FrameSequence {
    /// Whether there is one picture only, as far as the header tells.
    package var isStill: Bool { info.frameCount == 1 || info.type.family == .still }
}

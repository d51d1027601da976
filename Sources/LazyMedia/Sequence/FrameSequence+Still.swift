extension FrameSequence {
    /// Whether it is a single picture, as far as the header tells.
    package var isStill: Bool { info.frameCount == 1 || info.type.family == .still }
}

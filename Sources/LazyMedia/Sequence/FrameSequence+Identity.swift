extension FrameSequence {
    /// The identity that all copies of a sequence share; valid while one of them exists.
    package var identity: ObjectIdentifier { ObjectIdentifier(readers) }
}

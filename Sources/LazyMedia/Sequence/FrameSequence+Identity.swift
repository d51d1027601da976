extension FrameSequence {
    /// What copies of one sequence have in common; good for as long as one of them lives.
    package var identity: ObjectIdentifier { ObjectIdentifier(readers) }
}

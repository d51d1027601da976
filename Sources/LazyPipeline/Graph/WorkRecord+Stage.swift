extension WorkRecord {
    /// Adds the time spent in a stage.
    mutating func add(_ duration: Duration, in stage: Stage) {
        switch stage {
        case .loading: fetching += duration
        case .decoding: decoding += duration
        case .processing: processing += duration
        case .encoding, .rendering: break
        }
    }
}

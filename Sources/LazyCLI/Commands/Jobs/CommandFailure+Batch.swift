internal import LazyBase
internal import LazyBatch
internal import LazyMedia
internal import LazyPipeline

extension CommandFailure {
    /// The failure of a command for a failure of a batch.
    init(_ failure: BatchFailure, about input: String?) {
        if let own = failure.underlying as? CommandFailure {
            self = own
        } else if let error = failure.underlying as? FileError {
            self.init(error)
        } else if let error = failure.underlying as? MediaError, let input {
            self.init(error, about: input)
        } else {
            self.init(
                Self.status(failure.effect), failure.code, failure.message, hint: failure.hint)
            if failure.effect != .cancelled { self.input = input }
        }
    }

    init(_ error: FileError) { self.init(writing: error.path, error.error) }

    private static func status(_ effect: BatchFailure.Effect) -> ExitStatus {
        switch effect {
        case .failsItem: .noInput
        case .hasNothing: .badData
        case .mayRecover, .disturbed: .temporary
        case .outputExists: .cannotCreate
        case .endsRun: .unavailable
        case .cancelled: .interrupted(by: Interruption.signal)
        }
    }

    /// What the failure means for a batch.
    var asBatchFailure: BatchFailure {
        let effect: BatchFailure.Effect =
            if status.isInterruption {
                .cancelled
            } else if code == "exists" {
                .outputExists
            } else if code == MediaError.Code.decoderKilled.rawValue {
                .disturbed
            } else if status == .temporary {
                .mayRecover
            } else {
                .failsItem
            }
        return BatchFailure(effect, code, message, hint: hint, underlying: self)
    }

    /// The same for an input: a file that was found in a folder may be a song without a cover.
    func asBatchFailure(of input: Input) -> BatchFailure {
        var failure = asBatchFailure
        let isSong = MediaError.Code.ofSongs.contains { $0.rawValue == code }
        if input.subfolder != nil, isSong { failure.effect = .hasNothing }
        return failure
    }
}

extension JobReport: BatchProduct {}

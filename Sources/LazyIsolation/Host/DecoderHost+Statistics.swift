internal import LazyBase
internal import LazyMedia

extension DecoderHost {
    /// What became of decoders, for the metrics of services.
    public struct Statistics: Hashable, Sendable {
        /// Those that were started for media.
        public var started = 0
        /// Those that crashed, were ended by the filter of system calls, or broke the rules.
        public var crashed = 0
        /// Those that ran out of their time.
        public var timedOut = 0
        /// Those that ran out of memory: of their own limit, or of the system's.
        public var outOfMemory = 0
        /// Those that somebody else killed.
        public var killed = 0
        /// Those that are alive.
        public var live = 0
        /// Those of them that are in use.
        public var used = 0
    }
}

/// Counts starts and ends of decoders, for all hosts that share their programs.
final class DecoderCounts: Sendable {
    private let state = Locked(DecoderHost.Statistics())

    /// The end of a decoder that nobody wanted.
    enum End {
        case crash, timeout, memory, kill

        /// Nil for an error of media, after which the decoder goes on.
        init?(_ error: MediaError, hasEnded: Bool) {
            switch error.code {
            case .decoderCrashed: self = .crash
            case .timedOut: self = .timeout
            case .decoderKilled: self = .kill
            case .limitExceeded where hasEnded: self = .memory
            default: return nil
            }
        }
    }

    /// The counts of starts and ends.
    var ended: DecoderHost.Statistics { state.withLock { $0 } }

    func didStart() { state.withLock { $0.started += 1 } }

    func didEnd(_ end: End) {
        state.withLock { state in
            switch end {
            case .crash: state.crashed += 1
            case .timeout: state.timedOut += 1
            case .memory: state.outOfMemory += 1
            case .kill: state.killed += 1
            }
        }
    }
}

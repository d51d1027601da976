internal import LazyMedia

/// When a preview is made of a growing download; a pure machine.
///
/// One preview at a time, of the newest bytes, no sooner than an interval after the one before; what
/// arrives meanwhile is passed over. While the policy is `.disabled` it is asked again each time the
/// bytes have doubled, six times at the most.
struct PreviewGate {
    /// What is to be done with the bytes so far.
    enum Answer: Equatable {
        /// Nothing.
        case pass
        /// The policy is to be asked, and `didDecide` told.
        case ask
        /// A preview is to be made, and `didFinish` told.
        case make(PreviewPolicy)
    }

    private static let mostAsks = 6

    private let interval: Duration
    private var policy: PreviewPolicy?
    private var asks = 0
    private var askedAt = 0
    private var isBusy = false
    private var isOver = false
    private var last: Duration?
    private var seen = 0

    init(interval: Duration) { self.interval = interval }

    /// Bytes have arrived: so many in all.
    mutating func didReceive(_ count: Int, at now: Duration) -> Answer {
        guard !isOver, !isBusy, count > seen else { return .pass }
        if policy == nil || policy == .disabled {
            guard asks <= Self.mostAsks, asks == 0 || count >= 2 * askedAt else { return .pass }
            asks += 1
            askedAt = count
            return .ask
        }
        if let last, now - last < interval { return .pass }
        guard let policy else { return .pass }
        isBusy = true
        last = now
        seen = count
        return .make(policy)
    }

    /// The policy was asked.
    mutating func didDecide(_ policy: PreviewPolicy) { self.policy = policy }

    /// A preview was made, or could not be.
    ///
    /// The small picture that a file carries is made once.
    mutating func didFinish(hasPreview: Bool) {
        isBusy = false
        if hasPreview, policy == .thumbnail { isOver = true }
    }
}

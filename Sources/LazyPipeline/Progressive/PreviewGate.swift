/// Decides when a preview of a download is decoded; a pure machine.
///
/// One preview at a time, of the newest bytes, at least an interval after the previous one; bytes that
/// arrive before that cause none. While the policy is `.disabled`, it is queried again each time the
/// bytes have doubled, up to six times.
struct PreviewGate {
    /// What the caller is to do with the bytes so far.
    enum Answer: Equatable {
        /// Nothing.
        case pass
        /// Query the policy, then call `didDecide`.
        case ask
        /// Decode a preview, then call `didFinish`.
        case make(PreviewPolicy)
    }

    private static let maxAsks = 6

    private let interval: Duration
    private var policy: PreviewPolicy?
    private var asks = 0
    private var askedAt = 0
    private var isBusy = false
    private var isOver = false
    private var last: Duration?
    private var seen = 0

    init(interval: Duration) { self.interval = interval }

    /// Bytes have arrived; takes their total.
    mutating func didReceive(_ count: Int, at now: Duration) -> Answer {
        guard !isOver, !isBusy, count > seen else { return .pass }
        if policy == nil || policy == .disabled {
            guard asks <= Self.maxAsks, asks == 0 || count >= 2 * askedAt else { return .pass }
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

    /// The policy was queried.
    mutating func didDecide(_ policy: PreviewPolicy) { self.policy = policy }

    /// A preview was decoded, or failed.
    ///
    /// An embedded thumbnail is decoded once.
    mutating func didFinish(hasPreview: Bool) {
        isBusy = false
        if hasPreview, policy == .thumbnail { isOver = true }
    }
}

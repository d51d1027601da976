/// Why an item of a batch was not made, and what that means for the others.
public struct BatchFailure: Error, Sendable, CustomStringConvertible {
    /// What a failure means for the run.
    public enum Effect: Sendable {
        /// The item fails; the others go on.
        case failsItem
        /// The item fails, but may succeed when it is tried again.
        case mayRecover
        /// Something else ended the work, such as the end of a process that it shared with other items; it is tried
        /// once more where there are no retries.
        case disturbed
        /// The input has nothing to make an output of, which is no fault: the outcome is `BatchOutcome.nothing`, and
        /// the journal remembers it.
        case hasNothing
        /// An output exists already.
        case outputExists
        /// The whole run ends, as on a full disk.
        case endsRun
        /// The work was cancelled.
        case cancelled
    }

    /// What it means for the run.
    public var effect: Effect
    /// A stable word for programs, such as `timeout`.
    public var code: String
    /// One sentence for people.
    public var message: String
    /// What can be done about it, or nil.
    public var hint: String?
    /// The underlying error.
    public var underlying: (any Error)?

    /// Makes a failure.
    public init(
        _ effect: Effect, _ code: String, _ message: String, hint: String? = nil,
        underlying: (any Error)? = nil
    ) {
        self.effect = effect
        self.code = code
        self.message = message
        self.hint = hint
        self.underlying = underlying
    }

    /// The message.
    public var description: String { message }

    static let cancelled = BatchFailure(.cancelled, "cancelled", "The work was cancelled.")
}

package import LazyBase

/// How a batch runs.
public struct BatchRules: Sendable {
    /// The most items to work on at once.
    public var jobs: Int
    /// Whether everything is made again, and existing files are replaced.
    public var isForced: Bool
    /// Whether existing outputs are accepted even if the journal does not know them.
    public var acceptsExisting: Bool
    /// How often an item that may recover is tried again.
    public var retries: Int
    /// How long an item may take; nil for any time.
    public var timeout: Duration?
    /// Which inputs are gone, so that others may have their outputs.
    package var gone = GoneInputs([])
    package var clock: any SteadyClock = SystemSteadyClock()

    /// Makes rules.
    public init(
        jobs: Int = 1, isForced: Bool = false, acceptsExisting: Bool = false, retries: Int = 0,
        timeout: Duration? = nil
    ) {
        self.jobs = jobs
        self.isForced = isForced
        self.acceptsExisting = acceptsExisting
        self.retries = retries
        self.timeout = timeout
    }
}

/// How the turn of an item ends.
public enum BatchOutcome<Product: BatchProduct>: Sendable {
    /// It was made.
    case made(Product)
    /// It existed; the text says how that was determined: `made`, `existing`, `foreign` for an output that was not made of
    /// a file found in a folder, or `made by another process`.
    case skipped(String)
    /// Its input has nothing to make an output of, such as a song without a cover.
    case nothing
    /// It failed.
    case failed(BatchFailure)
}

/// How it was determined that an output exists, where more than one place asks.
package enum SkipReason {
    /// There is an output that was not made of this input.
    package static let foreign = "foreign"
}

/// How the turn of an item ends.
public enum BatchOutcome<Product: BatchProduct>: Sendable {
    /// It was made.
    case made(Product)
    /// It existed; the text says how that was determined.
    case skipped(String)
    /// Its input has nothing to make an output of, such as a song without a cover.
    case nothing
    /// It failed.
    case failed(BatchFailure)
}

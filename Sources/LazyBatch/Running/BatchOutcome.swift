/// How the turn of an item ends.
public enum BatchOutcome<Product: BatchProduct>: Sendable {
    /// It was made.
    case made(Product)
    /// It existed; the text says how that was determined.
    case skipped(String)
    /// It failed.
    case failed(BatchFailure)
}

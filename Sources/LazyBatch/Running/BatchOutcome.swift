/// How the turn of an item ends.
public enum BatchOutcome<Product: BatchProduct>: Sendable {
    /// It was made.
    case made(Product)
    /// It exists already; the word says why that is certain.
    case skipped(String)
    /// It failed.
    case failed(BatchFailure)
}

/// A decision of a conversion and its reason.
public struct ConversionChoice: Hashable, Sendable {
    /// The stable name of what was decided, such as `lossless`.
    public let subject: String
    /// The decision.
    public let decision: String
    /// The reason, as a clause.
    public let reason: String
}

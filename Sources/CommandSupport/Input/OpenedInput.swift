package import LazyMedia

/// What of an input will be used: the less, the fewer bytes have to be loaded.
package enum InputPart: Sendable {
    /// All frames.
    case all
    /// One picture, or the facts: what lies in a part of the bytes.
    case glance
    /// Frames one after the other as they are shown, and those that are sought.
    case playing
}

/// Media that is open, and what it took.
package struct OpenedInput: Sendable {
    package let sequence: FrameSequence
    /// Where the bytes came from, of what is not local.
    package let transfer: Transfer?
    /// The size of what is local.
    package var localByteCount: Int?

    /// The size of the whole input, where it is known.
    package var byteCount: Int? { localByteCount ?? transfer?.total }
}

/// What went over the network for one input.
package struct Transfer: Sendable {
    /// `network`, `store`, `revalidated`, `stale`, `resumed` or `ranges`.
    package let origin: String
    /// The size of the whole, where it is known.
    package let total: Int?
    /// The bytes that were loaded until now.
    package let bytesRead: @Sendable () -> Int
}

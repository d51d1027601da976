/// Changes how often a file plays, and how fast, without encoding a pixel again.
public protocol MediaRewriting: Sendable {
    /// What it rewrites.
    var type: MediaType { get }

    /// Copies a file with the change made; every byte that is not about it stays.
    ///
    /// Blocks. Throws `.notWritable` for what the format cannot carry, `.malformed` and
    /// `.truncated` for a file that cannot be understood, and what `write` throws.
    func rewrite(
        _ bytes: any ByteSource, _ change: TimingChange, limits: DecodingLimits,
        to write: ([UInt8]) throws(MediaError) -> Void
    ) throws(MediaError)

    /// The same; throws `.cancelled` once a flag is set.
    func rewrite(
        _ bytes: any ByteSource, _ change: TimingChange, limits: DecodingLimits,
        cancellation: CancellationFlag, to write: ([UInt8]) throws(MediaError) -> Void
    ) throws(MediaError)
}

extension MediaRewriting {
    /// The same without a flag, which is looked at before each part that is written.
    public func rewrite(
        _ bytes: any ByteSource, _ change: TimingChange, limits: DecodingLimits,
        cancellation: CancellationFlag, to write: ([UInt8]) throws(MediaError) -> Void
    ) throws(MediaError) {
        try cancellation.check()
        try rewrite(bytes, change, limits: limits) { (part) throws(MediaError) in
            try cancellation.check()
            try write(part)
        }
    }
}

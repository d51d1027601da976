internal import LazyBytes
public import LazyMedia

extension Conversion {
    /// The converted sequence as bytes; otherwise as `run`.
    public func data(
        of sequence: FrameSequence, sourceByteCount: Int? = nil,
        progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(MediaError) -> (bytes: [UInt8], report: ConversionReport) {
        let bytes = Locked<[UInt8]>([])
        let collect = { @Sendable (piece: [UInt8]) throws(MediaError) in
            bytes.withLock { $0 += piece }
        }
        let report = try await run(
            sequence, sourceByteCount: sourceByteCount, progress: progress, to: collect)
        return (bytes.withLock { $0 }, report)
    }
}

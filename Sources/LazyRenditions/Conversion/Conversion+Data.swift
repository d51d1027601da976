public import LazyMedia

extension Conversion {
    /// The converted sequence as bytes; otherwise as `run`.
    public func data(
        of sequence: FrameSequence, encoders: EncoderRegistry, threads: Int = 0,
        sourceByteCount: Int? = nil,
        progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(MediaError) -> (bytes: [UInt8], report: ConversionReport) {
        let bytes = CollectedBytes()
        let report = try await run(
            sequence, encoders: encoders, threads: threads, sourceByteCount: sourceByteCount,
            progress: progress, to: { bytes.append($0) })
        return (bytes.all, report)
    }
}

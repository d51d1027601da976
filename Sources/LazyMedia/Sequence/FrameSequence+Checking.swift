/// Frames that are counted by decoding them: in damaged media they are fewer than the container says.
extension FrameSequence {
    /// The times of the frames of an animation that can be decoded, and what decoding says of them.
    ///
    /// The index itself where all can, and for films and stills, whose packets or one picture it has counted. Decodes all
    /// frames, as far as the limits allow.
    package func decodable(
        of index: FrameIndex
    ) async throws(MediaError) -> (index: FrameIndex, warnings: [MediaWarning]) {
        guard info.type.family == .animation, index.count > 1 else { return (index, []) }
        return try await cancellable { (flag) throws(MediaError) in
            do throws(MediaError) {
                return try decoded(index, flag)
            } catch {
                guard [.malformed, .truncated].contains(error.code) else {
                    if error.code == .limitExceeded { return (index, []) }
                    throw error
                }
                return (FrameIndex([]), [error.warning])
            }
        }
    }

    private func decoded(
        _ index: FrameIndex, _ flag: CancellationFlag
    ) throws(MediaError) -> (index: FrameIndex, warnings: [MediaWarning]) {
        let reader = try makeReader(ReaderOptions(limits: limits, cancellation: flag))
        var timings: [FrameTiming] = []
        while let next = try reader.nextFrame(where: { _ in false }) { timings.append(next.timing) }
        return (timings.count == index.count ? index : FrameIndex(timings), reader.warnings)
    }
}

internal import CFFmpeg
internal import LazyMedia

/// Keyframes decoded in isolation: a decoder that reorders would otherwise need the packets of several following
/// pictures.
extension PictureSource {
    /// Decodes a keyframe in isolation; the source is exhausted afterwards, until the next start.
    func decodeIsolated(_ entry: PacketIndex.Entry) throws(MediaError) -> Picture? {
        try start(at: entry)
        return try decodeNextIsolated()
    }

    /// The same; nil where it differs from the picture of a sequential read.
    func verifiedKeyframe(_ entry: PacketIndex.Entry) throws(MediaError) -> Picture? {
        try verified(at: entry.pts) { () throws(MediaError) in try decodeIsolated(entry) }
    }

    /// The picture of the first packet, in isolation; nil where it differs from that of a sequential read.
    func verifiedFirst(at ticks: Int64) throws(MediaError) -> Picture? {
        try verified(at: ticks) { () throws(MediaError) in try decodeNextIsolated() }
    }

    private func verified(
        at ticks: Int64?, _ decode: () throws(MediaError) -> Picture?
    ) throws(MediaError) -> Picture? {
        guard let picture = try decode(), picture.ticks == ticks, !run.isDamaged,
            !picture.isInterlaced
        else { return nil }
        return picture
    }
}

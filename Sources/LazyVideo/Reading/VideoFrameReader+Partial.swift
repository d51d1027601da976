internal import CFFmpeg
internal import LazyMedia

/// Decides which pictures of a file that is still arriving may be shown.
extension VideoFrameReader {
    /// Whether missing bytes cannot change this picture.
    func isSettled(_ picture: Picture) throws(MediaError) -> Bool {
        guard media.isPartial else { return true }
        guard pictures.damage.count == 0, !picture.isDamaged else { return false }
        // A drained decoder returns pictures that others may precede.
        if !pictures.isDraining { return true }
        return try isFirst(picture)
    }

    private func isFirst(_ picture: Picture) throws(MediaError) -> Bool {
        guard position.number == 0 else { return false }
        if media.stream.isListed, media.stream.hasReliableTables {
            return try packetIndex().frames.first?.ticks == picture.ticks
        }
        return [AV_CODEC_ID_VP8, AV_CODEC_ID_VP9, AV_CODEC_ID_AV1].contains(media.stream.codec)
    }
}

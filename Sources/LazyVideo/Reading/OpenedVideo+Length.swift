internal import CFFmpeg
internal import LazyMedia

extension OpenedVideo {
    /// A header that agrees with the last keyframe by this much is believed.
    private static let trustedRest = Duration.seconds(10)

    /// Measures the length of a remote file whose header cannot be right, by its last packets; keeps it.
    ///
    /// The list of keyframes leads there. FFmpeg writes the time of the end as the length, and a download that broke off
    /// has the header of the whole.
    func measureLength(_ cancellation: CancellationFlag) throws(MediaError) {
        guard state.withLock({ $0.length == nil && $0.estimate == nil }),
            let demuxer = try makeSource(cancellation) as? Demuxer
        else { return }
        let packet = try Packet()
        guard try demuxer.read(into: packet), let first = packet.pts else { return }
        let origin = PacketIndex.origin(stream.zero, first: first)
        guard demuxer.seek(to: .max / 2) else { return }
        if !header.isTruncated, let told = header.duration, let key = demuxer.keyTicks.last,
            time(first) <= .milliseconds(50), key > first,
            time(key) <= told, told - time(key) < Self.trustedRest
        {
            return
        }
        guard let end = try demuxer.lastEnd(packet) else { return }
        state.withLock { $0.length = time(end.since(origin)) }
    }

    private func time(_ ticks: Int64) -> Duration {
        MediaTime(ticks: ticks, base: stream.timeBase).duration
    }
}

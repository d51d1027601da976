internal import CFFmpeg
internal import LazyMedia

extension VideoOpening {
    /// Opens a file without pictures but a cover.
    func openSong(_ demuxer: Demuxer, _ coverArt: CoverArt?) throws(MediaError) -> OpenedSong {
        var streams = StreamChoice(demuxer).report(chosen: -1)
        guard let sound = streams.first(where: { $0.kind == .audio }) else {
            throw OpenedSong.noVideo
        }
        let cover = try coverArt?.size(within: limits)
        if let picture = coverArt?.stream(streams.count, cover) { streams.append(picture) }
        var info = MediaInfo(
            type: Container.type(type, hasVideo: false), codec: sound.codec,
            size: cover ?? PixelSize(width: 1, height: 1), frameCount: 0,
            duration: demuxer.duration.map { .microseconds($0) }, streams: streams)
        info.tags = StreamChoice.tags(of: demuxer)
        info.bitRate = bitRate(demuxer, info.duration)
        return OpenedSong(coverArt, info)
    }

    /// Whether the video of a file with sound is a track without a picture, as some recorders of sound leave behind.
    ///
    /// Reads at most up to the first picture, and only where the header lists none.
    func isEmpty(
        _ video: UnsafeMutablePointer<AVStream>, _ demuxer: Demuxer
    ) throws(MediaError) -> Bool {
        guard lz_index_count(video) == 0, !bytes.isPartial, let sound = demuxer.sound else {
            return false
        }
        let packet = try Packet()
        if try demuxer.read(into: packet) {
            try demuxer.putBack(packet)
            return false
        }
        return try hasSound(sound)
    }

    /// The streams of video without packets, where the chosen one is one of them and another is not; else nil.
    ///
    /// The header of ASF lists the film in several bit rates, of which a server sends one.
    func streamsInPlace(
        of video: UnsafeMutablePointer<AVStream>, _ demuxer: Demuxer, _ name: String
    ) throws(MediaError) -> Set<Int>? {
        let others = demuxer.streams.filter { StreamInfo.Kind($0) == .video && $0 != video }
        guard !others.isEmpty, lz_index_count(video) == 0, !bytes.isPartial else { return nil }
        let packet = try Packet()
        if try demuxer.read(into: packet) {
            try demuxer.putBack(packet)
            return nil
        }
        let whole = try Demuxer(
            bytes, format: name, limits: limits, cancellation: CancellationFlag())
        var present: Set<Int> = []
        for _ in 0..<Self.maxPacketsOfStreams {
            packet.clear()
            guard lz_read(whole.format, packet.pointer) >= 0 else { break }
            present.insert(Int(packet.pointer.pointee.stream_index))
        }
        let absent = ([video] + others).map { Int($0.pointee.index) }
            .filter { !present.contains($0) }
        return absent.count <= others.count ? Set(absent) : nil
    }

    /// As many are read to find streams that have no header.
    private static let maxPacketsOfStreams = 1024

    /// Whether there is a packet of sound; a film that ends behind its header has none, and is damaged.
    private func hasSound(_ stream: UnsafeMutablePointer<AVStream>) throws(MediaError) -> Bool {
        guard case .demuxer(let name) = container.kind else { return false }
        let demuxer = try Demuxer(
            bytes, format: name, limits: limits, cancellation: CancellationFlag())
        demuxer.choose(Int(stream.pointee.index))
        return try demuxer.read(into: try Packet())
    }
}

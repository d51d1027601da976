internal import CFFmpeg
internal import LazyMedia

extension OpenedVideo {
    /// A sound of the file; without a choice the stream that is played by default, else the first one.
    func soundTrack(
        _ choice: TrackChoice, _ cancellation: CancellationFlag
    ) throws(MediaError) -> (any SoundTrack)? {
        guard case .demuxer(let name) = stream.container.kind,
            header.streams.contains(where: { $0.kind == .audio })
        else { return nil }
        let track = try choice.chooseSound(among: header.streams.filter { $0.kind == .audio })
        let demuxer = try Demuxer(
            bytes, format: name, limits: limits, cancellation: cancellation)
        if stream.needsExamining { try demuxer.examine() }
        let named = track.flatMap { track in
            demuxer.streams.first { Int($0.pointee.index) == track.index }
        }
        guard let chosen = named ?? demuxer.sound else { return nil }
        if StreamChoice.isEncrypted(chosen) {
            throw MediaError(.encrypted, "The sound is encrypted and there is no key.")
        }
        let index = try packetIndex(cancellation, acceptsEstimate: true)
        let origin = (index.origin ?? 0).subtracting(stream.lead)
        return VideoSound(
            bytes: bytes, container: name, stream: Int(chosen.pointee.index),
            isExamined: stream.needsExamining, limits: limits,
            origin: Double(origin) * stream.timeBase.doubleValue,
            format: try Self.format(of: chosen, demuxer))
    }

    private static func format(
        of stream: UnsafeMutablePointer<AVStream>, _ demuxer: Demuxer
    ) throws(MediaError) -> SoundFormat {
        let parameters = stream.pointee.codecpar.pointee
        let name = CodecName.of(parameters.codec_id, tag: parameters.codec_tag)
        guard let codec = SoundFormat.Codec(rawValue: name) else {
            throw MediaError(
                .unsupported,
                "The sound is \(name), which is not copied; it is for aac, mp3, ac3, alac, flac, opus and vorbis."
            )
        }
        var header: [UInt8] = []
        if let start = parameters.extradata, parameters.extradata_size > 0 {
            header = Array(
                UnsafeBufferPointer(start: start, count: Int(parameters.extradata_size)))
        }
        var (rate, channels) = (
            Int(parameters.sample_rate), Int(parameters.ch_layout.nb_channels)
        )
        if codec == .opus { rate = 48_000 }
        if codec == .aac, header.isEmpty {
            // In MPEG-TS the header is in each packet.
            let packet = try Packet()
            demuxer.choose(Int(stream.pointee.index))
            guard try demuxer.read(into: packet), let first = ADTSHeader(packet.bytes) else {
                throw MediaError(.malformed, "The sound has no header.")
            }
            (header, rate, channels) = (first.configuration, first.sampleRate, first.channels)
        }
        guard (1000...768_000).contains(rate), (1...64).contains(channels), header.count < 1 << 20
        else { throw MediaError(.malformed, "The header of the sound is damaged.") }
        var format = SoundFormat(
            codec: codec, header: header, sampleRate: rate, channels: channels)
        format.language = StreamChoice.language(of: stream)
        return format
    }
}

/// The sound of a file that FFmpeg demultiplexes.
private struct VideoSound: SoundTrack {
    let bytes: any ByteSource
    let container: String
    let stream: Int
    let isExamined: Bool
    let limits: DecodingLimits
    /// The zero of the film, in seconds.
    let origin: Double
    let format: SoundFormat

    func makeReader(_ cancellation: CancellationFlag) throws(MediaError) -> any SoundReader {
        let demuxer = try Demuxer(
            bytes, format: container, limits: limits, cancellation: cancellation)
        if isExamined { try demuxer.examine() }
        guard demuxer.streams.indices.contains(stream) else {
            throw MediaError(.malformed, "The sound is not in the file any more.")
        }
        demuxer.choose(stream)
        let base = demuxer.streams[stream].pointee.time_base
        let tick = base.num > 0 && base.den > 0 ? Double(base.num) / Double(base.den) : 1
        return try DemuxedSound(
            demuxer, format, limits, most: maxBytes, tick: tick, origin: origin)
    }

    /// Packets may be compressed in the file, a little.
    private var maxBytes: Int {
        let (most, isTooLarge) = bytes.count.multipliedReportingOverflow(by: 2)
        return isTooLarge ? .max : max(most, 1 << 20)
    }
}

private final class DemuxedSound: SoundReader {
    private let demuxer: Demuxer
    private let format: SoundFormat
    private let limits: DecodingLimits
    private let tick: Double
    private let origin: Double
    private let packet: Packet
    private var count = 0
    private var left: Int
    private var end: Int64 = 0

    init(
        _ demuxer: Demuxer, _ format: SoundFormat, _ limits: DecodingLimits, most: Int,
        tick: Double, origin: Double
    ) throws(MediaError) {
        self.demuxer = demuxer
        self.format = format
        self.limits = limits
        self.tick = tick
        self.origin = origin
        left = most
        packet = try Packet()
    }

    func next() throws(MediaError) -> SoundPacket? {
        while try demuxer.read(into: packet) {
            if packet.isEncrypted {
                throw MediaError(.encrypted, "The sound is encrypted and there is no key.")
            }
            var bytes = packet.bytes[...]
            if format.codec == .aac, let header = ADTSHeader(packet.bytes) {
                bytes = bytes.dropFirst(header.length)
            }
            guard !bytes.isEmpty else { continue }
            count += 1
            left -= bytes.count
            // A table may list the same bytes again and again.
            guard left >= 0 else {
                throw MediaError(.malformed, "The sound has more bytes than the file.")
            }
            try limits.check(entries: count)
            let length = format.length(of: bytes) ?? samples(packet.duration)
            let start = packet.pts.map { sample(at: $0) } ?? end
            end = start + length
            return SoundPacket(bytes: Array(bytes), start: start, length: length)
        }
        return nil
    }

    /// A time in samples after the zero of the film; exact up to billions, and clamped beyond.
    private func sample(at pts: Int64) -> Int64 {
        let seconds = Double(pts) * tick - origin
        return Int64((min(max(seconds, -1e9), 1e9) * Double(format.sampleRate)).rounded())
    }

    private func samples(_ ticks: Int64) -> Int64 {
        Int64((min(Double(ticks) * tick, 1e6) * Double(format.sampleRate)).rounded())
    }
}

internal import CFFmpeg
internal import LazyMedia

/// Where the presentation of a film begins: with its first picture or its first sound, whichever is earlier.
///
/// That is the zero of all times, as in players and, but for sound that nobody hears, in ffmpeg (`start_time`). The first
/// packets of the streams tell it; nothing is decoded.
struct FilmStart {
    /// How far is read: as far as ffmpeg looks for streams; bytes and microseconds.
    private static let maxBytes = 5_000_000
    private static let maxTime: Int64 = 5_000_000

    /// The zero in ticks of the chosen stream.
    let zero: Int64
    /// When the first packet of the chosen stream is shown, in ticks; nil where none was seen.
    let first: Int64?
    /// How much later than its sound the pictures of a file without presentation times come from FFmpeg, in ticks.
    let lead: Int64

    /// Reads the first packets of an open file again; nil where the first frame alone tells.
    init?(_ demuxer: Demuxer, _ chosen: UnsafeMutablePointer<AVStream>) throws(MediaError) {
        guard demuxer.played.count > 1 else {
            // Pictures alone begin with the first of them, but where the container or a cut says otherwise.
            guard let start = Self.start(of: chosen) else { return nil }
            lead = Self.lead(of: demuxer, chosen)
            (zero, first) = (start.ticks.adding(lead), nil)
            return
        }
        if let movie = demuxer.bytes as? MovieBytes,
            let sounds = try movie.starts(demuxer.cancellation, of: { $0.isAudio }),
            let pictures = try movie.starts(
                demuxer.cancellation, of: { $0.id == Int(chosen.pointee.id) }
            ).flatMap(\.first),
            let earliest = sounds.min()
        {
            let base = Rational(of: chosen)
            (zero, first, lead) = (earliest.ticks(of: base), pictures.ticks(of: base), 0)
            return
        }
        let reader = try Demuxer(
            demuxer.bytes, format: demuxer.formatName, limits: demuxer.limits,
            cancellation: demuxer.cancellation)
        try Self.readStarts(reader, of: demuxer.played.count)
        let earliest = reader.played.compactMap { stream -> Int64? in
            let start = Self.start(of: stream)?.microseconds
            return Self.isPrimed(stream, in: demuxer) ? start.map { max(0, $0) } : start
        }.min()
        guard let earliest else { return nil }
        let base = Rational(of: chosen)
        lead = Self.lead(of: demuxer, chosen)
        zero = MediaTime(microseconds: earliest).ticks(of: base).adding(lead)
        let index = chosen.pointee.index
        first =
            reader.played.first { $0.pointee.index == index }.flatMap { Self.start(of: $0) }?
            .ticks.adding(lead)
    }

    /// An AVI counts chunks, and has no times: where pictures are reordered, FFmpeg shows each when the decoder gives it.
    private static func lead(
        of demuxer: Demuxer, _ stream: UnsafeMutablePointer<AVStream>
    ) -> Int64 {
        guard demuxer.formatName == "avi", demuxer.reorderingDepth > 0 else { return 0 }
        let length = MediaTime(microseconds: PacketClock.packetLength(stream))
        let (lead, isTooLong) = length.ticks(of: Rational(of: stream))
            .multipliedReportingOverflow(by: Int64(demuxer.reorderingDepth))
        return isTooLong ? 0 : lead
    }

    /// Reads packets until FFmpeg knows when each stream begins.
    private static func readStarts(_ reader: Demuxer, of count: Int) throws(MediaError) {
        reader.input.opening = reader.limits.opening
        defer { reader.input.opening = nil }
        let packet = try Packet()
        var (size, number) = (0, 0)
        while size < maxBytes, number < 10_000 {
            packet.clear()
            let status = lz_read(reader.format, packet.pointer)
            number += 1
            if status == LZ_ERROR_AGAIN { continue }
            guard status >= 0 else { break }
            size += packet.size
            let starts = reader.played.map { start(of: $0)?.microseconds }
            guard starts.count < count || starts.contains(nil) else { break }
            let index = Int(packet.pointer.pointee.stream_index)
            if let dts = packet.dts, reader.streams.indices.contains(index),
                let first = starts.compactMap(\.self).min()
            {
                let base = Rational(of: reader.streams[index])
                let time = MediaTime(ticks: dts, base: base).microseconds
                if time.subtracting(first) > maxTime { break }
            }
        }
        try reader.input.throwParkedError()
    }

    /// Whether sound before the zero of the file is what its decoder needs and nobody hears: `CodecDelay` of Matroska
    /// (RFC 9559, 5.1.4.1.25), pre-skip of Opus (RFC 7845, 4.2).
    private static func isPrimed(
        _ stream: UnsafeMutablePointer<AVStream>, in demuxer: Demuxer
    ) -> Bool {
        ["matroska", "ogg"].contains(demuxer.formatName)
            && stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO
    }

    private static func start(of stream: UnsafeMutablePointer<AVStream>) -> MediaTime? {
        let start = stream.pointee.start_time
        return start == LZ_NOPTS ? nil : MediaTime(ticks: start, base: Rational(of: stream))
    }
}

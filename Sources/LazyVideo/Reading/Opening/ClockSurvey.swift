internal import CFFmpeg
internal import LazyMedia

/// What all packets of a container say whose clock may restart: neither its header nor FFmpeg's look at its end tells how
/// long it is.
struct ClockSurvey {
    /// Larger files are read whole only where samples of their times do not ascend evenly: 8 MB take 10 ms.
    static let quickBytes = 8 << 20
    private static let sampleCount = 64

    /// The packets.
    let indexer: PacketIndexer
    /// Whether the clock restarts or jumps.
    let hasJumped: Bool

    /// Reads the packets of an open file again; nil where its header is right, or reading is expensive.
    init?(
        _ demuxer: Demuxer, _ stream: VideoStream, quickBytes: Int = Self.quickBytes
    ) throws(MediaError) {
        let bytes = demuxer.bytes
        guard demuxer.hasClock, !bytes.isRemote, !bytes.isPartial else { return nil }
        switch demuxer.joining {
        case .certain: break
        // FLV is counted later; nothing depends on its header.
        case .possible where bytes.count > quickBytes || demuxer.formatName == "flv": return nil
        case .possible: break
        case .no:
            if bytes.count > quickBytes, try Self.isEven(try Self.reopen(demuxer, stream)) {
                return nil
            }
        }
        let reader = try Self.reopen(demuxer, stream)
        indexer = try PacketIndexer.walk(reader, stream, demuxer.limits)
        hasJumped = reader.hasJumpingClock
    }

    private static func reopen(
        _ demuxer: Demuxer, _ stream: VideoStream
    ) throws(MediaError) -> Demuxer {
        let reader = try Demuxer(
            demuxer.bytes, format: demuxer.formatName, limits: demuxer.limits,
            cancellation: demuxer.cancellation)
        if stream.needsExamining { try reader.examine() }
        guard reader.streams.indices.contains(stream.index) else {
            throw MediaError(.malformed, "The video stream is no longer in the file.")
        }
        reader.choose(stream.index)
        return reader
    }

    /// Whether times ascend through the file, about as fast everywhere.
    private static func isEven(_ reader: Demuxer) throws(MediaError) -> Bool {
        let size = reader.bytes.count
        let starts = (0..<sampleCount).map { $0 * (size / sampleCount) }
        // The last packets may be those of a short part; nothing may follow behind this.
        let end = max(starts.last ?? 0, size - (256 << 10))
        var times: [Int64] = []
        for start in starts + [end] {
            if let time = try reader.decodingTime(from: start) { times.append(time) }
        }
        let steps = zip(times.dropFirst(), times).map { $0.subtracting($1) }
        guard let usual = steps.sorted().dropFirst(steps.count / 2).first else { return false }
        let most = usual.multipliedReportingOverflow(by: 8).partialValue.adding(10_000_000)
        return steps.allSatisfy { (0...max(0, most)).contains($0) }
    }
}

extension Demuxer {
    /// The decoding time of the first packet of the chosen stream behind an offset, as in the file; in microseconds.
    fileprivate func decodingTime(from offset: Int) throws(MediaError) -> Int64? {
        guard lz_seek_byte(format, Int64(offset)) >= 0 else { return nil }
        let packet = try Packet()
        for _ in 0..<2000 {
            packet.clear()
            let status = lz_read(format, packet.pointer)
            try input.throwParkedError()
            if status == LZ_ERROR_AGAIN { continue }
            guard status >= 0 else { return nil }
            let index = Int(packet.pointer.pointee.stream_index)
            if index == streamIndex, let dts = packet.dts {
                return MediaTime(ticks: dts, base: Rational(of: streams[index])).microseconds
            }
        }
        return nil
    }
}

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

    static func reopen(
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
    ///
    /// Where they ascend faster, places between are looked at: a jump stays one, however near they are. Over a network few
    /// places are (`SteadyTimes`), and none between them.
    static func isEven(_ reader: Demuxer) throws(MediaError) -> Bool {
        let size = reader.bytes.count
        let isRemote = reader.bytes.isRemote
        let starts =
            isRemote
            ? [0] + SteadyTimes.places(of: size)
            : (0..<sampleCount).map { $0 * (size / sampleCount) }
        for start in starts {
            reader.bytes.willRead(start..<min(size, start + SteadyTimes.sampleSize))
        }
        // The last packets may be those of a short part; nothing may follow behind this.
        let end = max(starts.last ?? 0, size - (256 << 10))
        var samples: [SteadyTimes.Sample] = []
        for start in starts + [end] {
            guard let time = try reader.decodingTime(from: start) else { continue }
            samples.append((start, time))
        }
        if isRemote { return samples.count == starts.count + 1 && SteadyTimes.areSteady(samples) }
        let steps = zip(samples.dropFirst(), samples).map { $0.time.subtracting($1.time) }
        guard let usual = steps.sorted().dropFirst(steps.count / 2).first else { return false }
        var even = EvenTimes(
            reader: reader, pace: Double(usual) / Double(max(1, size / sampleCount)))
        for (one, next) in zip(samples, samples.dropFirst()) {
            guard try even.ascend(from: one, to: next) else { return false }
        }
        return true
    }
}

/// Whether times between places of a file ascend about as fast as is usual in it.
private struct EvenTimes {
    let reader: Demuxer
    /// The usual microseconds a byte.
    let pace: Double
    /// The most places that are looked at between others.
    private var looks = 192

    init(reader: Demuxer, pace: Double) { (self.reader, self.pace) = (reader, pace) }

    /// Parts of this size may have few pictures, and are not divided.
    private static let smallest = 256 << 10

    mutating func ascend(
        from one: SteadyTimes.Sample, to next: SteadyTimes.Sample
    ) throws(MediaError) -> Bool {
        let step = Double(next.time.subtracting(one.time))
        let usual = pace * Double(next.place - one.place)
        guard step >= 0 else { return false }
        if step <= 1.5 * usual + Self.gap { return true }
        let middle = one.place + (next.place - one.place) / 2
        let isLast = next.place - one.place <= Self.smallest || looks == 0
        looks -= isLast ? 0 : 1
        guard !isLast, let time = try reader.decodingTime(from: middle) else {
            return step <= 8 * usual + Self.gap
        }
        guard try ascend(from: one, to: (middle, time)) else { return false }
        return try ascend(from: (middle, time), to: next)
    }

    /// What is more is another clock (`PacketClock`).
    private static let gap = 10_000_000.0
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

internal import LazyMedia

/// What a container stores about the packets of copied sound; a few bytes per packet.
struct SoundTable {
    /// The codec and its header.
    let format: SoundFormat
    /// Whether it is over with the last frame, even if its last packet is longer.
    let endsWithFrames: Bool
    /// Whether players begin with it, where there are several.
    let isDefault: Bool
    /// The sizes of the packets in bytes.
    private(set) var sizes: [Int] = []
    /// The first sample of each packet, counted from the first frame; then the end of the last one.
    private(set) var starts: [Int64] = []

    /// The end of the last packet in samples.
    private(set) var end: Int64 = 0
    private var length: Int64 = 0

    init(_ format: SoundFormat, endsWithFrames: Bool, isDefault: Bool = true) {
        self.format = format
        self.endsWithFrames = endsWithFrames
        self.isDefault = isDefault
    }

    /// Adds a packet; returns false where it is wholly before or after what is kept.
    ///
    /// Times in a container may be rounded to milliseconds: a packet that begins within two of where
    /// the one before it ends follows without a gap.
    mutating func add(_ packet: SoundPacket, from start: Int64, upTo limit: Int64) -> Bool {
        var first = packet.start.subtractingSaturated(start)
        let length = packet.length > 0 ? packet.length : length
        // Decoders need the packet before the one that is heard first.
        guard first < limit, first > -2 * max(length, 1) else { return false }
        if !starts.isEmpty {
            let tolerance = Int64(format.sampleRate / 500)
            if abs(first - end) <= tolerance { first = end }
            guard first > starts[starts.count - 1] else { return false }
        }
        starts.append(first)
        sizes.append(packet.bytes.count)
        self.length = length
        end = first + max(length, 1)
        return true
    }

    /// The durations of all packets: up to the next one, and within the 32 bits of MP4.
    var lengths: [Int64] {
        zip(starts.dropFirst() + [end], starts).map { min(max(1, $0 - $1), Int64(UInt32.max)) }
    }

    /// The number of samples of all packets, gaps included.
    var duration: Int64 { end - (starts.first ?? end) }

    /// When a packet begins, in seconds.
    func seconds(_ packet: Int) -> Double {
        Double(starts[packet]) / Double(format.sampleRate)
    }
}

extension Int64 {
    fileprivate func subtractingSaturated(_ other: Int64) -> Int64 {
        let (difference, isTooLarge) = subtractingReportingOverflow(other)
        return isTooLarge ? (self < 0 ? .min : .max) : difference
    }
}

/// Copied sound that waits for the frames beside it.
final class CopiedSound {
    let table: SoundTable
    let spool: Spool
    /// The bytes of the first packet.
    let first: [UInt8]

    /// Reads the packets that are heard while frames of a length in seconds are shown, or all that follow; blocks.
    init(
        _ part: SoundPart, over seconds: Double, _ cancellation: CancellationFlag
    ) throws(MediaError) {
        let format = part.track.format
        var table = SoundTable(
            format, endsWithFrames: part.endsWithFrames, isDefault: part.isDefault)
        var spool = Spool(maxInMemory: 1 << 20)
        var first: [UInt8] = []
        let reader = try part.track.makeReader(cancellation)
        let rate = Double(format.sampleRate)
        let began = Double(MediaTime(part.start).microseconds) / 1e6
        let start = Int64((min(max(began, 0), 1e9) * rate).rounded())
        let length = part.endsWithFrames ? seconds : .infinity
        let limit = Int64((min(max(length, 0), 1e9) * rate).rounded(.up))
        while let packet = try reader.next() {
            try cancellation.check()
            guard table.add(packet, from: start, upTo: limit) else {
                if packet.start > start + limit + Int64(rate) { break }
                continue
            }
            if first.isEmpty { first = packet.bytes }
            try packet.bytes.withBytes { (bytes) throws(MediaError) in try spool.append(bytes) }
        }
        self.table = table
        self.spool = spool
        self.first = first
    }
}

internal import CFFmpeg
import Glibc
internal import LazyMedia

/// The packets of a movie's track as its tables list them.
///
/// FFmpeg lists and reads the same, but takes longer to list a film of hours than its poster takes.
struct PacketListing: Sendable {
    /// The samples.
    let table: SampleTable
    /// What is added to their times: FFmpeg subtracts what an edit leaves out.
    let shift: Int64
    /// How much earlier than in the tables packets are decoded, where some are shown before.
    let delay: Int64
    /// The most pictures that are decoded before one that is shown earlier.
    let reorderingDepth: Int
    /// Whether FFmpeg tells durations of packets: not where it neither parses them nor knows their order.
    let hasDurations: Bool
    /// Which fragments the table has, where it does not have all.
    var parts: FragmentParts?

    /// A sample at which decoding can begin, by its number.
    func entry(of sample: SampleTable.Sample, _ number: Int) -> PacketIndex.Entry {
        .init(
            number: number, pts: sample.pts &+ shift, dts: sample.dts &+ shift &- delay,
            size: sample.size, position: sample.position, isClean: true)
    }

    /// What an index has to know about a sample.
    func facts(of sample: SampleTable.Sample) -> PacketFacts {
        PacketFacts(
            pts: sample.pts &+ shift, dts: sample.dts &+ shift &- delay, size: sample.size,
            position: sample.position, isKey: sample.isKey, isDiscarded: false)
    }
}

extension Demuxer {
    /// A listing and the place in it.
    struct Listing {
        let packets: PacketListing
        var cursor: SampleTable.Cursor
    }

    /// Compares a movie's tables with what FFmpeg made of them; nil where they may differ.
    ///
    /// Needs a demuxer from which nothing has been read. Reads one packet, and puts it back.
    func list(_ movie: MovieBytes) throws(MediaError) -> PacketListing? {
        guard let streamIndex, streams.indices.contains(streamIndex) else { return nil }
        let stream = streams[streamIndex]
        let listed = Int(lz_index_count(stream))
        guard listed > 0, let (table, parts) = try table(of: stream, movie), listed <= table.count,
            stream.pointee.time_base.num == 1,
            Int(stream.pointee.time_base.den) == table.timescale
        else { return nil }
        try limits.check(entries: table.count)
        let facts = table.facts()
        guard facts.end <= bytes.count, facts.smallest > 0, facts.largest < 1 << 30,
            table.isFragmented || table.isShownWhole(facts, movie: movie.timescale),
            let first = try peek(), let pts = first.pts, let dts = first.dts
        else { return nil }
        var cursor = SampleTable.Cursor(table)
        guard let sample = cursor.next() else { return nil }
        let shift = pts &- sample.pts
        let packets = PacketListing(
            table: table, shift: shift, delay: sample.dts &+ shift &- dts,
            reorderingDepth: facts.reorderingDepth, hasDurations: first.duration > 0,
            parts: parts)
        var expected = packets.facts(of: sample)
        expected.duration = first.duration
        guard expected == first, agrees(packets, stream, listed, shown: facts.firstPTS) else {
            return nil
        }
        return packets
    }

    /// The samples of a stream: in the tables of the movie, or in those of its fragments.
    private func table(
        of stream: UnsafeMutablePointer<AVStream>, _ movie: MovieBytes
    ) throws(MediaError) -> (table: SampleTable, parts: FragmentParts?)? {
        let id = Int(stream.pointee.id)
        guard stream.pointee.nb_frames == 0 else {
            let table = try movie.samples(ofTrack: id, cancellation)
            return table?.count == Int(stream.pointee.nb_frames) ? table.map { ($0, nil) } : nil
        }
        guard movie.isRemote else {
            return try movie.fragmentedSamples(ofTrack: id, limits, cancellation)
                .map { ($0, nil) }
        }
        guard movie.end != nil,
            let index = try movie.fragmentIndex(ofTrack: id, limits, cancellation)
        else { return nil }
        let last = index.places.count - 1
        let parts = FragmentParts(index: index, numbers: last..<last + 1)
        return try movie.samples(ofTrack: id, in: parts, limits, cancellation)
            .map { ($0, parts) }
    }

    /// Reads the packets of a listing from now on, from the first one.
    func adopt(_ packets: PacketListing) {
        headerIndexCount = packets.table.count
        listing = Listing(packets: packets, cursor: SampleTable.Cursor(packets.table))
        // FFmpeg estimates this from its list, which may be shortened, and only for H.264.
        guard let streamIndex, streams.indices.contains(streamIndex),
            let parameters = streams[streamIndex].pointee.codecpar,
            parameters.pointee.codec_id == AV_CODEC_ID_H264
        else { return }
        let depth = CInt(clamping: packets.reorderingDepth)
        parameters.pointee.video_delay = max(parameters.pointee.video_delay, depth)
    }

    /// Whether FFmpeg's list begins as the tables do, and the first picture shown is in it.
    private func agrees(
        _ packets: PacketListing, _ stream: UnsafeMutablePointer<AVStream>, _ count: Int,
        shown firstPTS: Int64
    ) -> Bool {
        var cursor = SampleTable.Cursor(packets.table)
        var isFirstSeen = false
        for number in 0..<CInt(count) {
            guard let sample = cursor.next(), let entry = lz_index_entry(stream, number) else {
                return false
            }
            let facts = packets.facts(of: sample)
            isFirstSeen = isFirstSeen || sample.pts == firstPTS
            guard entry.pointee.timestamp == facts.dts, Int(lz_index_size(entry)) == facts.size,
                Int(entry.pointee.pos) == facts.position,
                lz_index_flags(entry) == (facts.isKey ? AVINDEX_KEYFRAME : 0)
            else { return false }
        }
        return isFirstSeen
    }

    private func peek() throws(MediaError) -> PacketFacts? {
        let packet = try Packet()
        guard try readContained(into: packet) else { return nil }
        let facts = PacketFacts(packet)
        try putBack(packet)
        return facts
    }
}

/// Reading by a listing.
extension Demuxer {
    /// Continues before a packet; false where FFmpeg reads them.
    func goToListed(_ number: Int) -> Bool {
        guard let packets = listing?.packets else { return false }
        listing?.cursor = SampleTable.Cursor(packets.table, at: number)
        return true
    }

    func putBackListed() {
        guard let number = listing?.cursor.number, number > 0 else { return }
        _ = goToListed(number - 1)
    }

    func readListed(into packet: Packet) throws(MediaError) -> Bool {
        try input.cancellation.check()
        packet.clear()
        guard let packets = listing?.packets, let sample = listing?.cursor.next() else {
            return false
        }
        guard let size = CInt(exactly: sample.size) else {
            throw MediaError(.malformed, "A sample has \(sample.size) bytes.")
        }
        try check(lz_packet_new(packet.pointer, size), "hold the packet's bytes")
        let target = UnsafeMutableRawBufferPointer(
            start: packet.pointer.pointee.data, count: sample.size)
        var filled = 0
        while filled < target.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: target[filled...])
            let place = sample.position + filled
            let part =
                if let movie = bytes as? MovieBytes {
                    try movie.readSample(at: place, into: rest, cancellation)
                } else {
                    try bytes.read(at: place, into: rest, cancellation: cancellation)
                }
            guard part > 0 else { break }
            filled += part
        }
        let facts = packets.facts(of: sample)
        packet.pointer.pointee.pts = facts.pts ?? LZ_NOPTS
        packet.pointer.pointee.dts = facts.dts ?? LZ_NOPTS
        packet.pointer.pointee.pos = Int64(sample.position)
        packet.pointer.pointee.stream_index = CInt(streamIndex ?? 0)
        if facts.isKey { packet.pointer.pointee.flags |= AV_PKT_FLAG_KEY }
        if packets.hasDurations { packet.pointer.pointee.duration = sample.duration }
        if filled < target.count {
            // The file has become shorter since its tables were read.
            target[filled...].initializeMemory(as: UInt8.self, repeating: 0)
            packet.pointer.pointee.size = CInt(filled)
            packet.markCorrupt()
        }
        return filled > 0
    }
}

internal import CFFmpeg
internal import LazyMedia

extension Demuxer {
    /// The packets of the chosen stream as the tables of the movie list them; nil where they may differ
    /// from what is read.
    ///
    /// Reading a packet takes memory for its bytes, which for a film of hours takes longer than its
    /// poster. Needs a demuxer from which nothing has been read, and reads one packet from it.
    func listedPackets(of movie: MovieBytes) throws(MediaError) -> [PacketFacts]? {
        guard let streamIndex, streams.indices.contains(streamIndex), headerIndexCount > 0 else {
            return nil
        }
        let stream = streams[streamIndex]
        let count = Int(lz_index_count(stream))
        // Edits that leave samples out, or repeat them, change the number of entries.
        guard count == headerIndexCount,
            let offsets = try movie.compositionOffsets(
                ofTrack: Int(stream.pointee.id), sampleCount: count, cancellation),
            let first = try peek(), let firstPTS = first.pts
        else { return nil }
        try limits.check(entries: count)
        var packets: [PacketFacts] = []
        packets.reserveCapacity(count)
        var shift: Int64 = 0
        for number in 0..<count {
            guard let entry = lz_index_entry(stream, CInt(number)) else { return nil }
            let (time, flags) = (entry.pointee.timestamp, lz_index_flags(entry))
            if number == 0 { shift = firstPTS &- time &- offsets[0] }
            packets.append(
                PacketFacts(
                    pts: time &+ offsets[number] &+ shift, dts: time,
                    size: Int(lz_index_size(entry)), position: Int(entry.pointee.pos),
                    isKey: flags & AVINDEX_KEYFRAME != 0,
                    isDiscarded: flags & AVINDEX_DISCARD_FRAME != 0))
        }
        packets[0].duration = first.duration
        return packets[0] == first ? packets : nil
    }

    private func peek() throws(MediaError) -> PacketFacts? {
        let packet = try Packet()
        guard try read(into: packet) else { return nil }
        let facts = PacketFacts(packet)
        try putBack(packet)
        return facts
    }
}

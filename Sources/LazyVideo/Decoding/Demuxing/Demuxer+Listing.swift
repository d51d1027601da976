internal import CFFmpeg
internal import LazyMedia

extension Demuxer {
    /// Calls a closure with each packet of the chosen stream, as the tables of the movie list them; false,
    /// and no call, where they may differ from what is read.
    ///
    /// Reading a packet takes memory for its bytes, which for a film of hours takes longer than its
    /// poster. Needs a demuxer from which nothing has been read, and reads one packet from it.
    func listPackets(
        of movie: MovieBytes, _ body: (_ count: Int, PacketFacts) -> Void
    ) throws(MediaError) -> Bool {
        guard let streamIndex, streams.indices.contains(streamIndex), headerIndexCount > 0 else {
            return false
        }
        let stream = streams[streamIndex]
        let count = Int(lz_index_count(stream))
        // Edits that leave samples out, or repeat them, change the number of entries, or mark some.
        guard count == headerIndexCount, !hasDiscardedEntries(stream, count),
            let offsets = try movie.compositionOffsets(
                ofTrack: Int(stream.pointee.id), sampleCount: count, cancellation),
            let entry = lz_index_entry(stream, 0), let first = try peek(), let pts = first.pts
        else { return false }
        try limits.check(entries: count)
        let shift = pts &- entry.pointee.timestamp &- offsets[0]
        var listed = PacketFacts(entry, offset: offsets[0] &+ shift)
        listed.duration = first.duration
        guard listed == first else { return false }
        body(count, listed)
        for number in 1..<count {
            guard let entry = lz_index_entry(stream, CInt(number)) else { break }
            body(count, PacketFacts(entry, offset: offsets[number] &+ shift))
        }
        return true
    }

    private func hasDiscardedEntries(_ stream: UnsafeMutablePointer<AVStream>, _ count: Int) -> Bool
    {
        (0..<CInt(count)).contains { number in
            guard let entry = lz_index_entry(stream, number) else { return true }
            return lz_index_flags(entry) & AVINDEX_DISCARD_FRAME != 0
        }
    }

    private func peek() throws(MediaError) -> PacketFacts? {
        let packet = try Packet()
        guard try read(into: packet) else { return nil }
        let facts = PacketFacts(packet)
        try putBack(packet)
        return facts
    }
}

extension PacketFacts {
    /// The packet of an entry that is shown `offset` ticks after it is decoded.
    fileprivate init(_ entry: UnsafePointer<AVIndexEntry>, offset: Int64) {
        let flags = lz_index_flags(entry)
        self.init(
            pts: entry.pointee.timestamp &+ offset, dts: entry.pointee.timestamp,
            size: Int(lz_index_size(entry)), position: Int(entry.pointee.pos),
            isKey: flags & AVINDEX_KEYFRAME != 0, isDiscarded: false)
    }
}

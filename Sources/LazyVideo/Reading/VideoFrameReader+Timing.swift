internal import LazyMedia

/// The number of a frame, and how long it is shown.
extension VideoFrameReader {
    /// The timing of the next frame, from the picture after it or its length in an index.
    func timing(
        _ picture: Picture, _ next: Picture?, _ indexed: Int64?
    ) throws(MediaError) -> FrameTiming {
        let length: Int64
        var number = position.number
        if options.keyframesOnly, !times.isEstimated, let found = try keyframeNumber(picture) {
            // The next picture here is the next keyframe, which does not end this one.
            number = found
            length = try packetIndex().duration(found)
        } else if let indexed {
            length = indexed
        } else if let next {
            length = next.ticks.since(picture.ticks)
        } else {
            length = try lastLength(picture)
        }
        return times.timing(of: picture, number, length: length, base: media.stream.timeBase)
    }

    /// The number of a keyframe among all frames, or nil.
    private func keyframeNumber(_ picture: Picture) throws(MediaError) -> Int? {
        let packets = try packetIndex()
        let least = times.lastNumber.map { $0 + 1 } ?? 0
        if let found = packets.number(at: picture.ticks), found >= least { return found }
        // Damaged times are not in order: then one after the other is looked at.
        return packets.frames.indices.dropFirst(least).first {
            packets.frames[$0].ticks == picture.ticks
        }
    }

    /// The last frame's duration: its packet's, else that of the frame before.
    private func lastLength(_ picture: Picture) throws(MediaError) -> Int64 {
        if media.stream.isStill || options.isSingleFrame { return picture.duration }
        if picture.duration > 0 {
            return max(picture.duration, media.stream.end?.since(picture.ticks) ?? 0)
        }
        let number = position.number
        if let declared = media.stream.declared, declared.count == number + 1,
            let first = times.first
        {
            let rest = declared.ticks.since(picture.ticks.since(first))
            if rest > 0 { return rest }
        }
        if let length = times.lastLength { return length }
        let packets = try packetIndex()
        return packets.frames.indices.contains(number) ? packets.duration(number) : 0
    }
}

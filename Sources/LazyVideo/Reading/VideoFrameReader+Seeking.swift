internal import LazyMedia

/// Seeking: by reading on, from the start, or from a keyframe.
extension VideoFrameReader {
    /// Positions the reader before the frame of a number, whatever its neighbors.
    func position(at wanted: Int) throws(MediaError) {
        if !isAnnounced(wanted) || !canSkip { stopSkipping() }
        // Numbers of keyframes are not those of frames.
        let isKnownPlace =
            failedSeek == nil && !isAtEnd && !options.keyframesOnly && !isEstimated && !hasGaps
            && (!pictures.isExhausted || held != nil)
        if wanted == nextNumber, isKnownPlace { return }
        (times, isEstimated) = (nil, false)
        if options.keyframesOnly { return try seekToKeyframe(wanted) }
        if wanted == 0 {
            if options.isSingleFrame, let entry = media.firstEntry, try move(to: entry, number: 0) {
                origin = entry.pts
                return
            }
            return try restart()
        }
        // For a short distance, reading on is cheaper than an index and a seek.
        if isKnownPlace, !pictures.isExhausted, wanted > nextNumber, wanted - nextNumber <= 8 {
            if let packets = media.skippingIndex, canSkip, wanted < packets.frames.count {
                return try seek(to: wanted, packets)
            }
            return try decodeForward(to: wanted)
        }
        let packets = try packetIndex()
        guard wanted < packets.frames.count else { return finish(at: packets.frames.count) }
        try seek(to: wanted, packets)
    }

    /// Decodes the first picture in isolation where nothing can be shown before it.
    ///
    /// A decoder that reorders would otherwise decode the pictures of several packets more, for one frame. All that
    /// follows an IDR picture is shown after it (H.264, 7.4.1.2.4).
    func startInIsolation() throws(MediaError) {
        guard options.isSingleFrame, !options.keyframesOnly, nextNumber == 0, held == nil, !isAtEnd,
            !hasFields, !media.isPartial, media.stream.isReordering, let units = media.stream.units,
            let ticks = try pictures.firstTicks(units)
        else { return }
        let damaged = pictures.damagedCount
        if let picture = try pictures.decodeNextIsolated(), picture.ticks == ticks,
            pictures.damagedCount == damaged, !picture.isInterlaced
        {
            try note(picture)
            held = picture
        } else {
            try restart()
        }
    }

    private func restart() throws(MediaError) {
        try pictures.restart()
        previous = nil
        (held, nextNumber, isAtEnd, lastLength, hasGaps) = (nil, 0, false, nil, false)
    }

    private func finish(at count: Int) {
        (held, previous, nextNumber, isAtEnd) = (nil, nil, count, true)
    }

    /// Positions the reader before a picture that was found without an index.
    func move(before picture: Picture, number: Int) {
        (times, failedSeek, isEstimated, previous) = (nil, nil, true, nil)
        (held, nextNumber, isAtEnd, lastLength) = (picture, number, false, nil)
    }

    /// Whether pictures that nothing refers to may be skipped on the way.
    ///
    /// Not after damage, nor for interlaced pictures, where verifying that is expensive.
    private var canSkip: Bool {
        guard pictures.canSkipUnreferenced, pictures.damagedCount == 0 else { return false }
        if let held { return !held.isInterlaced }
        return announced != nil && !hasFields
    }

    func decodeForward(to wanted: Int) throws(MediaError) {
        while nextNumber < wanted {
            guard let picture = try heldPicture() else { return finish(at: nextNumber) }
            previous = hasFields ? picture : nil
            held = nil
            (nextNumber, lastLength) = (nextNumber + 1, nil)
        }
    }

    private func seekToKeyframe(_ wanted: Int) throws(MediaError) {
        let packets = try packetIndex()
        guard wanted < packets.frames.count else { return finish(at: packets.frames.count) }
        if options.isSingleFrame, try takeKeyframe(from: packets.frames[wanted].ticks, packets) {
            return
        }
        try restart()
        while let picture = try takePicture() {
            held = picture
            if picture.ticks >= packets.frames[wanted].ticks { return }
        }
        finish(at: packets.frames.count)
    }

    /// Seeks to the first keyframe from a time on and reads nothing else; false where it cannot.
    private func takeKeyframe(
        from ticks: Int64, _ packets: PacketIndex
    ) throws(MediaError) -> Bool {
        guard packets.isSeekable, media.stream.container.isSeekable,
            let entry = packets.keys.first(where: { $0.pts ?? .min >= ticks })
        else { return false }
        guard let picture = try pictures.decodeIsolated(entry), picture.ticks == entry.pts else {
            return false
        }
        origin = packets.frames.first?.ticks
        (held, previous, isAtEnd, lastLength) = (picture, nil, false, nil)
        return true
    }

    private func seek(to wanted: Int, _ packets: PacketIndex) throws(MediaError) {
        origin = packets.frames.first?.ticks
        if packets.isSeekable, try seekAndVerify(to: wanted, packets) { return }
        stopSkipping()
        if packets.isFromTables {
            media.didFindTablesWrong()
            let packets = try packetIndex()
            guard wanted < packets.frames.count else { return finish(at: packets.frames.count) }
            return try seek(to: wanted, packets)
        }
        if packets.isExact || !packets.isSeekable {
            try restart()
            return try decodeForward(to: wanted)
        }
        // The packets list other frames than the decoder returns: index by decoding.
        let exact = try media.exactIndex(keys: packets.keys, options.cancellation)
        guard wanted < exact.frames.count else { return finish(at: exact.frames.count) }
        try seek(to: wanted, exact)
    }

    /// Decodes from a keyframe to the requested picture; false where that is not found.
    private func seekAndVerify(to wanted: Int, _ packets: PacketIndex) throws(MediaError) -> Bool {
        let ticks = packets.frames[wanted].ticks
        guard let entry = try media.entry(for: ticks, packets) else { return false }
        previous = nil
        let isAhead =
            failedSeek == nil && !isAtEnd && !pictures.isExhausted && !hasGaps
            && wanted > nextNumber
            && pictures.packetNumber > entry.number
        if !isAhead {
            hasGaps = false
            // For one frame at the start, threads only add latency; for a long distance they pay off.
            let distance = packets.number(at: entry.pts ?? ticks).map { wanted - $0 } ?? 0
            if options.isSingleFrame, distance > 16 {
                try pictures.renewDecoder(threads: options.threads)
            }
            if entry.pts == ticks, try move(to: entry, number: wanted) { return true }
            try pictures.start(at: entry, canSeek: media.stream.container.isSeekable)
        }
        let damaged = pictures.damagedCount
        var candidate = isAhead ? held : nil
        held = nil
        while true {
            if candidate == nil { candidate = try pictures.next(skippingBefore: ticks) }
            guard let picture = candidate else { return false }
            guard picture.ticks < ticks else {
                guard picture.ticks == ticks, pictures.damagedCount == damaged,
                    packets.isExact || !picture.isInterlaced
                else { return false }
                held = picture
                (nextNumber, isAtEnd, lastLength) = (wanted, false, nil)
                return true
            }
            candidate = nil
        }
    }

    /// Decodes a keyframe in isolation; false where it differs from that of a sequential read.
    ///
    /// A decoder that reorders would otherwise need the packets of several following pictures.
    private func move(
        to entry: PacketIndex.Entry, number: Int
    ) throws(MediaError) -> Bool {
        guard options.isSingleFrame, media.stream.isReordering else { return false }
        let damaged = pictures.damagedCount
        held = nil
        guard let picture = try pictures.decodeIsolated(entry), picture.ticks == entry.pts,
            pictures.damagedCount == damaged, !picture.isInterlaced
        else { return false }
        (held, previous) = (picture, nil)
        (nextNumber, isAtEnd, lastLength) = (number, false, nil)
        return true
    }
}

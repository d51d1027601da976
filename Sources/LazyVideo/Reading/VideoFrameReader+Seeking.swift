internal import LazyMedia

/// Seeking: by reading on, from the start, or from a keyframe.
extension VideoFrameReader {
    /// Positions the reader before the frame of a number, whatever its neighbors.
    func move(to wanted: Int) throws(MediaError) {
        if !announced.contains(wanted) || !canSkip { stopSkipping() }
        // Numbers of keyframes are not those of frames.
        let isKnownPosition =
            failedSeek == nil && !position.isAtEnd && !options.keyframesOnly && !times.isEstimated
            && !announced.hasGaps && (!pictures.isExhausted || position.held != nil)
        if wanted == position.number, isKnownPosition { return }
        times.leaveOut()
        times.setEstimated(false)
        if options.keyframesOnly { return try seekToKeyframe(wanted) }
        if wanted == 0 {
            if options.isSingleFrame, let entry = media.firstEntry, try take(entry, number: 0) {
                return times.begin(at: entry.pts)
            }
            return try restart()
        }
        // For a short distance, reading on is cheaper than an index and a seek.
        if isKnownPosition, !pictures.isExhausted, wanted > position.number,
            wanted - position.number <= 8
        {
            if let packets = media.skippingIndex, canSkip, wanted < packets.frames.count {
                return try seek(to: wanted, packets)
            }
            return try decodeForward(to: wanted)
        }
        let packets = try packetIndex()
        guard wanted < packets.frames.count else {
            return position.finish(at: packets.frames.count)
        }
        try seek(to: wanted, packets)
    }

    /// Positions the reader before a picture that was found without an index.
    func move(before picture: Picture, number: Int) {
        times.leaveOut()
        times.setEstimated(true)
        didMove(to: number, picture)
    }

    /// Decodes the first picture in isolation where nothing can be shown before it.
    ///
    /// A decoder that reorders would otherwise decode the pictures of several packets more, for one frame. All that
    /// follows an IDR picture is shown after it (H.264, 7.4.1.2.4).
    func startInIsolation() throws(MediaError) {
        guard options.isSingleFrame, !options.keyframesOnly, position.number == 0,
            position.held == nil, !position.isAtEnd,
            !fields.hasFields, !media.isPartial, media.stream.isReordering,
            let units = media.stream.units, let ticks = try pictures.firstTicks(units)
        else { return }
        if let picture = try pictures.verifiedFirst(at: ticks) {
            try note(picture)
            position.hold(picture)
        } else {
            try restart()
        }
    }

    func decodeForward(to wanted: Int) throws(MediaError) {
        while position.number < wanted {
            guard let picture = try heldPicture() else {
                return position.finish(at: position.number)
            }
            position.advance(keeping: fields.hasFields ? picture : nil)
            times.didMove()
        }
    }

    private func restart() throws(MediaError) {
        try pictures.restart()
        announced.closeGaps()
        didMove(to: 0, nil)
    }

    private func didMove(to number: Int, _ picture: Picture?) {
        position.move(to: number, picture)
        times.didMove()
    }

    /// Whether pictures that nothing refers to may be skipped on the way.
    ///
    /// Not after damage, nor for interlaced pictures, where verifying that is expensive.
    private var canSkip: Bool {
        guard pictures.canSkipUnreferenced, pictures.damage.count == 0 else { return false }
        if let held = position.held { return !held.isInterlaced }
        return announced.isActive && !fields.hasFields
    }

    // MARK: - Keyframes

    private func seekToKeyframe(_ wanted: Int) throws(MediaError) {
        let packets = try packetIndex()
        guard wanted < packets.frames.count else {
            return position.finish(at: packets.frames.count)
        }
        if options.isSingleFrame, try takeKeyframe(from: packets.frames[wanted].ticks, packets) {
            return
        }
        try restart()
        while let picture = try takePicture() {
            position.hold(picture)
            if picture.ticks >= packets.frames[wanted].ticks { return }
        }
        position.finish(at: packets.frames.count)
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
        times.begin(at: packets.frames.first?.ticks)
        didMove(to: position.number, picture)
        return true
    }

    /// Decodes a keyframe in isolation; false where it differs from that of a sequential read.
    private func take(_ entry: PacketIndex.Entry, number: Int) throws(MediaError) -> Bool {
        guard options.isSingleFrame, media.stream.isReordering else { return false }
        position.releaseHeld()
        guard let picture = try pictures.verifiedKeyframe(entry) else { return false }
        didMove(to: number, picture)
        return true
    }

    // MARK: - Frames by an index

    private func seek(to wanted: Int, _ packets: PacketIndex) throws(MediaError) {
        times.begin(at: packets.frames.first?.ticks)
        if packets.isSeekable, try seekAndVerify(to: wanted, packets) { return }
        stopSkipping()
        if packets.isFromTables {
            media.didFindTablesWrong()
            let packets = try packetIndex()
            guard wanted < packets.frames.count else {
                return position.finish(at: packets.frames.count)
            }
            return try seek(to: wanted, packets)
        }
        if packets.isExact || !packets.isSeekable {
            try restart()
            return try decodeForward(to: wanted)
        }
        // The packets list other frames than the decoder returns: index by decoding.
        let exact = try media.exactIndex(keys: packets.keys, options.cancellation)
        guard wanted < exact.frames.count else { return position.finish(at: exact.frames.count) }
        try seek(to: wanted, exact)
    }

    /// Decodes from a keyframe to the requested picture; false where that is not found.
    private func seekAndVerify(to wanted: Int, _ packets: PacketIndex) throws(MediaError) -> Bool {
        let ticks = packets.frames[wanted].ticks
        guard let entry = try media.entry(for: ticks, packets) else { return false }
        let isAhead =
            failedSeek == nil && !position.isAtEnd && !pictures.isExhausted && !announced.hasGaps
            && wanted > position.number
            && pictures.packetNumber > entry.number
        var candidate = isAhead ? position.held : nil
        position.release()
        if !isAhead {
            announced.closeGaps()
            // For one frame at the start, threads only add latency; for a long distance they pay off.
            let distance = packets.number(at: entry.pts ?? ticks).map { wanted - $0 } ?? 0
            if options.isSingleFrame, distance > 16 {
                try pictures.renewDecoder(threads: options.threads)
            }
            if entry.pts == ticks, try take(entry, number: wanted) { return true }
            try pictures.start(at: entry)
        }
        let damaged = pictures.run.damages
        while true {
            if candidate == nil { candidate = try pictures.next(skippingBefore: ticks) }
            guard let picture = candidate else { return false }
            guard picture.ticks < ticks else {
                guard picture.ticks == ticks, pictures.run.damages == damaged,
                    packets.isExact || !picture.isInterlaced
                else { return false }
                didMove(to: wanted, picture)
                return true
            }
            candidate = nil
        }
    }
}

internal import LazyMedia

/// Frames that are going to be sought.
struct AnnouncedFrames {
    /// Their numbers, in ascending order.
    let numbers: [Int]
    /// The index of all frames, which the media may drop while they are read.
    let index: PacketIndex

    /// Whether a frame is one of them.
    func contains(_ number: Int) -> Bool {
        let place = numbers.partitionPoint { $0 < number }
        return place < numbers.count && numbers[place] == number
    }
}

/// Frames that are announced: pictures between them that nothing refers to are not decoded.
///
/// A decoder that reorders, or has threads, takes several packets before it returns a picture, so that skipping on
/// the way to a frame is too late for most of them.
extension VideoFrameReader {
    func willRead(_ indices: [Int]) {
        stopSkipping()
        guard let first = indices.first, let last = indices.last, !options.keyframesOnly,
            !hasFields, pictures.canSkipUnreferenced,
            pictures.damagedCount == 0, let packets = media.skippingIndex, first >= 0,
            last < packets.frames.count, zip(indices, indices.dropFirst()).allSatisfy({ $0 < $1 })
        else { return }
        announced = AnnouncedFrames(numbers: indices, index: packets)
        pictures.expected = indices.map { packets.frames[$0].ticks }
        // Not all frames are going to be read.
        times = nil
    }

    /// Ends the announcement before its last frame was returned.
    func stopSkipping() {
        guard announced != nil else { return }
        (announced, pictures.expected, hasGaps) = (nil, nil, true)
    }

    /// Whether a frame is not left out.
    func isAnnounced(_ number: Int) -> Bool {
        announced.map { $0.contains(number) } ?? true
    }

    /// The picture to show next: after a seek where pictures before it may have been left out, or are not as indexed.
    func announcedPicture() throws(MediaError) -> Picture? {
        if announced != nil, isAnnounced(nextNumber), let picture = try pictureToShow(),
            isAsIndexed(picture)
        {
            return picture
        }
        if announced != nil || hasGaps {
            stopSkipping()
            held = nil
            try go(to: nextNumber)
            if isAtEnd { return nil }
        }
        return try pictureToShow()
    }

    private func isAsIndexed(_ picture: Picture) -> Bool {
        guard let announced else { return true }
        return !hasFields && !picture.isInterlaced && pictures.damagedCount == 0
            && announced.index.frames[nextNumber].ticks == picture.ticks
    }

    /// The length of the next frame in ticks, so that the picture after it need not be decoded.
    ///
    /// Nil without an announcement, for the last frame, and for single frames, which have their packet's.
    var indexedLength: Int64? {
        guard !options.isSingleFrame, let index = announced?.index,
            nextNumber + 1 < index.frames.count
        else { return nil }
        return index.duration(nextNumber)
    }

    /// Ends the announcement with its last frame, behind which nothing was left out.
    func didReturnAnnounced() {
        guard let last = announced?.numbers.last, nextNumber > last else { return }
        (announced, pictures.expected) = (nil, nil)
    }
}

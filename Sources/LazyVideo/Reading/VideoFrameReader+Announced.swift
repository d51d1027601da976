internal import LazyMedia

/// Frames that are announced: pictures between them that nothing refers to are not decoded.
///
/// A decoder that reorders, or has threads, takes several packets before it returns a picture, so that skipping on
/// the way to a frame is too late for most of them.
extension VideoFrameReader {
    func willRead(_ indices: [Int]) {
        stopSkipping()
        guard let first = indices.first, let last = indices.last, !options.keyframesOnly,
            !fields.hasFields, pictures.canSkipUnreferenced,
            pictures.damage.count == 0, let packets = media.skippingIndex, first >= 0,
            last < packets.frames.count, zip(indices, indices.dropFirst()).allSatisfy({ $0 < $1 })
        else { return }
        announced.begin(indices, packets)
        pictures.selection.expected = indices.map { packets.frames[$0].ticks }
        times.leaveOut()
    }

    /// Ends the announcement before its last frame was returned.
    func stopSkipping() { if announced.stop() { pictures.selection.expected = nil } }

    /// Ends the announcement with its last frame.
    func didReturnAnnounced() {
        if announced.complete(before: position.number) { pictures.selection.expected = nil }
    }

    /// The picture to show next: after a seek where pictures before it may have been left out, or are not as indexed.
    func announcedPicture() throws(MediaError) -> Picture? {
        if announced.isActive, announced.contains(position.number),
            let picture = try pictureToShow(), isAsIndexed(picture)
        {
            return picture
        }
        if announced.isActive || announced.hasGaps {
            stopSkipping()
            position.releaseHeld()
            try go(to: position.number)
            if position.isAtEnd { return nil }
        }
        return try pictureToShow()
    }

    private func isAsIndexed(_ picture: Picture) -> Bool {
        guard let index = announced.index else { return true }
        return !fields.hasFields && !picture.isInterlaced && pictures.damage.count == 0
            && index.frames[position.number].ticks == picture.ticks
    }

    /// The length of the next frame in ticks, so that the picture after it need not be decoded.
    ///
    /// Nil without an announcement, for the last frame, and for single frames, which have their packet's.
    var indexedLength: Int64? {
        guard !options.isSingleFrame, let index = announced.index,
            position.number + 1 < index.frames.count
        else { return nil }
        return index.duration(position.number)
    }
}

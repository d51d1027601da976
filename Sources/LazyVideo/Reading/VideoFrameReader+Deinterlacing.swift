internal import LazyMedia

/// Deinterlacing: a picture of two fields needs the pictures before and after it.
extension VideoFrameReader {
    /// Whether pictures of two fields are deinterlaced with their neighbors.
    ///
    /// Between keyframes there are other pictures, and quick frames need not be exact.
    private var usesNeighbors: Bool {
        deinterlacer != nil && !options.keyframesOnly && !options.isQuick && !isEstimated
    }

    /// Positions the reader before the frame of a number, so that it comes out as in a sequential read.
    func go(to wanted: Int) throws(MediaError) {
        guard usesNeighbors, wanted > 0 else { return try position(at: wanted) }
        if hasFields {
            if wanted == nextNumber, previous != nil, failedSeek == nil, !isAtEnd { return }
            try position(at: wanted - 1)
            if !isAtEnd { try decodeForward(to: wanted) }
            return
        }
        try position(at: wanted)
        if previous == nil, held?.isInterlaced == true { try takeFields() }
    }

    /// The next picture, with the one before it where fields appear without being announced.
    func pictureToShow() throws(MediaError) -> Picture? {
        guard let picture = try heldPicture() else { return nil }
        guard usesNeighbors, !hasFields, picture.isInterlaced else { return picture }
        held = picture
        if nextNumber > 0 {
            try takeFields()
            return try heldPicture()
        }
        hasFields = true
        return picture
    }

    private func takeFields() throws(MediaError) {
        hasFields = true
        stopSkipping()
        try go(to: nextNumber)
    }

    /// The picture after that of a reader of single frames, where deinterlacing needs it.
    func pictureAfter(_ picture: Picture) throws(MediaError) -> Picture? {
        guard options.isSingleFrame, usesNeighbors, picture.isInterlaced, !pictures.isExhausted,
            !media.isPartial
        else { return nil }
        return try takePicture()
    }

    /// The picture, deinterlaced where its fields differ in time.
    func deinterlaced(
        _ picture: Picture, before next: Picture?
    ) throws(MediaError) -> Picture {
        guard let deinterlacer else { return picture }
        return try deinterlacer.picture(
            picture, previous: usesNeighbors ? previous : nil, next: usesNeighbors ? next : nil)
    }
}

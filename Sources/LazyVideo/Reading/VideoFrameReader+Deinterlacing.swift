internal import LazyMedia

/// Deinterlacing: a picture of two fields needs the pictures before and after it.
extension VideoFrameReader {
    /// Whether pictures of two fields are deinterlaced with their neighbors.
    private var usesNeighbors: Bool { fields.usesNeighbors && !times.isEstimated }

    /// Positions the reader before the frame of a number, so that it comes out as in a sequential read.
    func go(to wanted: Int) throws(MediaError) {
        guard usesNeighbors, wanted > 0 else { return try move(to: wanted) }
        if fields.hasFields {
            if wanted == position.number, position.previous != nil, failedSeek == nil,
                !position.isAtEnd
            {
                return
            }
            try move(to: wanted - 1)
            if !position.isAtEnd { try decodeForward(to: wanted) }
            return
        }
        try move(to: wanted)
        if position.previous == nil, position.held?.isInterlaced == true { try takeFields() }
    }

    /// The next picture, with the one before it where fields appear without being announced.
    func pictureToShow() throws(MediaError) -> Picture? {
        guard let picture = try heldPicture() else { return nil }
        guard usesNeighbors, !fields.hasFields, picture.isInterlaced else { return picture }
        position.hold(picture)
        if position.number > 0 {
            try takeFields()
            return try heldPicture()
        }
        fields.expectFields()
        return picture
    }

    private func takeFields() throws(MediaError) {
        fields.expectFields()
        stopSkipping()
        try go(to: position.number)
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
        try fields.picture(
            picture, previous: usesNeighbors ? position.previous : nil,
            next: usesNeighbors ? next : nil)
    }
}

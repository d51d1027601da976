public import LazyMedia

/// Media whose frames are those of several others, one after the other.
///
/// The canvas has the size of the first part. Pictures of other sizes are scaled to fit into it and
/// centered; the rest is transparent, or black between films. Between reads one part is open at most, beside the clips that
/// are kept open.
package struct JoinedMedia: OpenedMedia, MediaBeside {
    /// A part, and where its frames are.
    struct Piece: Sendable {
        let part: JoinedPart
        /// The number of its first frame.
        let start: Int
        /// A clip, which is costly to open.
        let kept: FrameSequence?

        func sequence() throws(MediaError) -> FrameSequence {
            if let kept { return kept }
            return try part.sequence()
        }
    }

    package private(set) var info: MediaInfo
    let pieces: [Piece]
    let timings: [FrameTiming]
    /// What is around smaller pictures; nil is transparent.
    private(set) var edges: PixelColor?
    /// Whether pictures of parts have transparent pixels.
    private let partsHaveAlpha: Bool
    /// Whether parts may have other numbers of frames.
    let isEstimated: Bool

    /// Opens the parts in sequence to read their sizes and times; decodes nothing.
    ///
    /// `loop` is the number of plays; without one it is that of video for films, and forever for
    /// others. Throws the error of the first part that cannot be opened, with its name.
    package init(
        _ parts: [JoinedPart], loop: LoopCount? = nil, warnings: [MediaWarning] = [],
        limits: DecodingLimits, cancellation: CancellationFlag = CancellationFlag()
    ) throws(MediaError) {
        var plan = JoinedPlan(warnings: warnings)
        let opening = limits.opening
        for part in parts {
            try cancellation.check()
            try opening.check()
            do throws(MediaError) {
                let sequence = try part.sequence()
                try plan.add(part, sequence, try sequence.media.frameIndex(cancellation), limits)
            } catch {
                throw part.named(error)
            }
        }
        info = try plan.info(loop: loop)
        (pieces, timings, edges) = (plan.pieces, plan.timings, plan.isVideo ? .black : nil)
        partsHaveAlpha = plan.hasAlpha
        isEstimated = false
    }

    /// Makes media of parts whose frames are estimated: their times, and how many there are, at even distances.
    ///
    /// Opens nothing. Of a part with more frames the last ones are left out, of one with fewer the last one stays.
    package init(
        estimating parts: [(part: JoinedPart, times: Range<MediaTime>, count: Int)],
        _ info: MediaInfo
    ) {
        var pieces: [Piece] = []
        var timings: [FrameTiming] = []
        for (part, times, count) in parts {
            pieces.append(Piece(part: part, start: timings.count, kept: nil))
            let (start, length) = (times.lowerBound, (times.upperBound - times.lowerBound).duration)
            let ends = (0...count).map { start + MediaTime(length * $0 / count) }
            for number in 0..<count {
                timings.append(
                    FrameTiming(
                        index: timings.count, presentation: ends[number],
                        duration: ends[number + 1] - ends[number], isKeyframe: number == 0))
            }
        }
        self.info = info
        (self.pieces, self.timings, edges) = (pieces, timings, .black)
        partsHaveAlpha = info.hasAlpha
        isEstimated = true
    }

    package func frameIndex(_ cancellation: CancellationFlag) -> FrameIndex { FrameIndex(timings) }

    package func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        try options.limits.check(canvas: options.size ?? info.size)
        return JoinedReader(self, options)
    }

    /// Opens bytes where the first part is decoded.
    package func openBeside(
        as type: MediaType, _ cancellation: CancellationFlag,
        _ bytes: () throws(MediaError) -> any ByteSource
    ) throws(MediaError) -> (any OpenedMedia)? {
        try pieces.first?.sequence().media.openedBeside(as: type, cancellation, bytes)
    }

    /// The same with another color around smaller pictures, where that is transparent.
    func surrounded(by color: PixelColor) -> JoinedMedia {
        guard edges == nil else { return self }
        var media = self
        media.edges = color
        media.info.hasAlpha = partsHaveAlpha || info.hasAlpha && color.alpha < 255
        return media
    }

    /// The piece that has a frame.
    func piece(of index: Int) -> Int { max(1, pieces.partitionPoint { $0.start <= index }) - 1 }
}

extension FrameSequence {
    /// The sequences one after the other, as one.
    ///
    /// It has the size of the first; others are scaled to fit into it and centered, with transparent
    /// edges, or black ones if all are video. Each single picture is shown for `pictureDuration`. Without `loop` films play as video does,
    /// and everything else forever. Throws `.notFound` for an empty list.
    public static func joined(
        _ sequences: [FrameSequence], pictureDuration: Duration = .milliseconds(100),
        loop: LoopCount? = nil
    ) async throws(MediaError) -> FrameSequence {
        guard let first = sequences.first else { throw .nothingToJoin }
        let parts = sequences.map { JoinedPart(duration: MediaTime(pictureDuration), $0) }
        let joined = try await first.cancellable { (flag) throws(MediaError) in
            try JoinedMedia(parts, loop: loop, limits: first.limits, cancellation: flag)
        }
        return FrameSequence(joined, limits: first.limits, delayRule: first.delayRule)
    }
}

extension MediaError {
    static let nothingToJoin = MediaError(.notFound, "There are no pictures to join.")
}

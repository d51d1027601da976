package import LazyMedia

/// A part of a clip: from a moment to another one, or to the end.
package struct ClipPart: Hashable, Sendable {
    /// The part begins with the frame that is on screen at this time.
    package var start: Duration
    /// Frames that begin at this time or later do not belong to it; nil for the end of the clip.
    package var end: Duration?

    /// Where a frame lies.
    package enum Relation { case before, inside, after }

    /// Makes a part; without arguments it is the whole.
    package init(start: Duration = .zero, end: Duration? = nil) {
        self.start = start
        self.end = end
    }

    /// Where a frame lies that is shown until another time than its own end, where one is given.
    package func relation(
        of timing: FrameTiming, until finish: Duration? = nil
    ) -> Relation {
        if let end, timing.presentation.duration >= end { return .after }
        // A frame without length is there for its moment alone.
        let hasEnded = (finish ?? timing.end.duration) <= start
        return hasEnded && timing.presentation.duration < start ? .before : .inside
    }
}

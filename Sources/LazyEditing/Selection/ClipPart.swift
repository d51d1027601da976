package import LazyMedia

/// A part of a clip: from one time to another, or to the end.
package struct ClipPart: Hashable, Sendable {
    /// The part begins with the frame that is on screen at this time.
    package var start: Duration
    /// Frames that start at this time or later are not part of it; nil for the end of the clip.
    package var end: Duration?

    /// The position of a frame relative to the part.
    package enum Relation { case before, inside, after }

    /// Makes a part; without arguments it is the whole clip.
    package init(start: Duration = .zero, end: Duration? = nil) {
        self.start = start
        self.end = end
    }

    /// The position of a frame; `finish`, if given, replaces the end of its duration.
    package func relation(
        of timing: FrameTiming, until finish: Duration? = nil
    ) -> Relation {
        if let end, timing.presentation.duration >= end { return .after }
        // A frame without duration counts at its own time only.
        let hasEnded = (finish ?? timing.end.duration) <= start
        return hasEnded && timing.presentation.duration < start ? .before : .inside
    }
}

/// Which picture represents a sequence.
public enum PosterChoice: Hashable, Sendable {
    /// The first frame that can be shown.
    case first
    /// The frame shown at a time; clamped to the sequence.
    case at(Duration)
    /// The frame shown at a percentage of the play length, 0 to 100.
    case percent(Double)
    /// The frame of a number from 0; negative numbers count from the end, -1 being the last.
    case index(Int)
    /// The frame with which a chapter begins, by its number from 1.
    case chapter(Int)
    /// The picture that the container carries beside its frames, such as cover art.
    case embedded
    /// The best of a few frames near a tenth of the play length; see `PosterScore`.
    ///
    /// Keyframes near there are tried first; one up to a quarter of a second before counts, and a clearly
    /// good one up to a second before. The search ends at a clearly good frame and at a good, sharp one that
    /// is no keyframe, else with the first round that has a good one: nearby keyframes, nearby exact frames,
    /// keyframes anywhere, exact frames anywhere.
    case auto
    /// The best of a few frames of a part of one play, searched as `.auto` does in the whole.
    case within(Range<Duration>)
}

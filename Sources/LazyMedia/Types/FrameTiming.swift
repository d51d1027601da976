/// When and for how long a frame is shown, and what the file says about it.
public struct FrameTiming: Hashable, Sendable {
    /// The frame's number in its sequence, from 0.
    public let index: Int
    /// When it is first shown (PTS), counted from the zero of the film.
    ///
    /// That is where its presentation begins, as players show it: at its first picture or its first sound, whichever
    /// is earlier. So the first frame of a film whose sound begins earlier has a time above 0; before it players show
    /// that frame already. Animations and silent results begin with their first frame.
    public let presentation: MediaTime
    /// How long it is shown, after `DelayRule` is applied.
    public let duration: MediaTime
    /// How long the file says it is shown.
    public let rawDuration: MediaTime
    /// Whether it can be decoded without the frames before it.
    public let isKeyframe: Bool

    /// The end of its time.
    package var end: MediaTime { presentation + duration }

    /// Makes a timing; `rawDuration` is `duration` unless a rule changed it.
    public init(
        index: Int, presentation: MediaTime, duration: MediaTime, rawDuration: MediaTime? = nil,
        isKeyframe: Bool
    ) {
        self.index = index
        self.presentation = presentation
        self.duration = duration
        self.rawDuration = rawDuration ?? duration
        self.isKeyframe = isKeyframe
    }
}

public import LazyMedia

extension Rendition {
    /// The same clip in another format: all frames, exact timing, and a warning for each loss.
    ///
    /// Delays are those that browsers use (`DelayRule.browsers`), so that the copy plays like its source: a
    /// GIF's delay of 0 is a tenth of a second in every format. Rounding errors are diffused.
    public struct Conversion: Hashable, Sendable {
        /// Whether dithering is filtered out before encoding.
        public enum Undithering: String, CaseIterable, Hashable, Sendable {
            /// If a dithered GIF is encoded lossily.
            case auto
            /// Never.
            case never
            /// Always.
            case always
        }

        /// What becomes of the sound of a source.
        public enum Sound: Hashable, Sendable {
            /// It is left out, which is wanted.
            case none
            /// The packets of all (`.standard`) or of one are copied with their languages, where the format takes their codecs;
            /// nothing is encoded.
            case copy(TrackChoice)
        }

        /// What is kept of the words that a film has, and its chapters, in formats that carry them.
        public enum Kept: String, CaseIterable, Hashable, Sendable {
            /// Nothing.
            case none
            /// Title, artist, album, date, copyright, comment and chapters.
            case safe
            /// These, and where and with what it was recorded.
            case all
        }

        /// How often it plays; nil as the source does.
        public var looping: Looping?
        /// Whether dithering is filtered out first.
        public var undithering: Undithering
        /// What becomes of the sound; nil leaves it out, and a warning says so.
        public var sound: Sound?
        /// What is kept of its words and chapters.
        public var kept = Kept.safe
        /// Whether only the first frame is written; otherwise converting an animation to a still throws.
        public var isStill: Bool

        /// Makes a conversion that keeps all frames.
        public init(
            looping: Looping? = nil, undithering: Undithering = .auto, sound: Sound? = nil,
            isStill: Bool = false
        ) {
            self.looping = looping
            self.undithering = undithering
            self.sound = sound
            self.isStill = isStill
        }
    }
}

public import LazyMedia

extension Rendition {
    /// Frames of a clip, each as a picture of its own, with a list of their times.
    ///
    /// The edit keeps times, so that they stay those of the clip; one segment of it says which part of the clip frames
    /// are taken from.
    public struct Frames: Hashable, Sendable {
        /// Every Nth frame of the part is taken, or the one on screen at each step of time.
        public var every = Step.frames(1)
        /// The frames that are taken, each once and in the order of the clip; none for those that the others choose.
        ///
        /// A time, a share, a number or a chapter; what is chosen by its looks is none of them.
        public var positions: [PosterChoice] = []
        /// Whether the first frame of each scene is taken, after a cut.
        public var scenesOnly = false
        /// Whether only keyframes are taken.
        public var keyframesOnly = false
        /// The most frames; nil for all.
        public var maximum: Int?
        /// The rate that times are divided by, in which a frame may be taken several times; nil for each frame once.
        public var rate: Rational?
        /// Whether they are only read: there are no pictures.
        public var isListing = false
        /// Whether the list has the SHA-256 of the pixels of each frame (RGBA8 rows, RGB 0 where alpha is 0).
        public var hashesPixels = false
        /// The files that list them: JSON, and `framehash`, which always has the hashes.
        public var indexes: [Index] = []

        /// Makes a selection of all frames.
        public init() {}

        /// How far apart frames are.
        public enum Step: Hashable, Sendable {
            /// By their number, at least 1.
            case frames(Int)
            /// By time, above 0; a frame that is on screen for several steps is taken once.
            case time(Duration)
        }
    }

    /// One of the frames that a rendition has.
    public struct Frame: Hashable, Sendable {
        /// Its place among them, from 0.
        public let position: Int
        /// Its number in the source.
        public let sourceIndex: Int
        /// When it is shown; where times are divided by a rate, that is the divided time.
        public let timing: FrameTiming
        /// The size of its picture in pixels.
        public let size: PixelSize

        package init(position: Int, sourceIndex: Int, timing: FrameTiming, size: PixelSize) {
            self.position = position
            self.sourceIndex = sourceIndex
            self.timing = timing
            self.size = size
        }
    }

    /// A file that describes the parts of a rendition.
    public enum Index: String, CaseIterable, Hashable, Sendable {
        /// WebVTT, which maps times to the tiles of a sheet.
        case vtt
        /// Tiles or frames and their times, in JSON.
        case json
        /// A line for each frame with its time and the hash of its pixels.
        case framehash
        /// The chapters of a film, in WebVTT.
        case chapters
    }
}

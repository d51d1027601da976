/// The film of a motion photo: a movie file within the file of a still.
///
/// The still is the main track; `FrameSequence.track(_:openedBy:)` and `MediaTrack.motion` open the film.
public struct MotionFilm: Hashable, Sendable {
    /// How a file tells that a film lies behind its picture.
    public enum Kind: String, Sendable {
        /// XMP with Google's directory of items (`MotionPhoto`).
        case motionPhoto
        /// Google's older XMP with an offset from the end (`MicroVideo`).
        case microVideo
        /// Samsung's trailer (`MotionPhoto_Data`).
        case samsung
        /// The box `mpvd` of HEIF.
        case mpvd
    }

    /// How the file tells of it.
    public let kind: Kind
    /// The bytes of the film in the file.
    public let range: Range<Int>
    /// The type of the film.
    public let type: MediaType
    /// Its length as its header has it, or nil where that does not say.
    public let duration: Duration?
    /// The time in the film at which the still was taken, or nil where the file does not say.
    public let stillTime: Duration?

    /// Makes a description.
    public init(
        kind: Kind, range: Range<Int>, type: MediaType, duration: Duration? = nil,
        stillTime: Duration? = nil
    ) {
        self.kind = kind
        self.range = range
        self.type = type
        self.duration = duration
        self.stillTime = stillTime
    }
}

extension MediaError.Code {
    /// The file has no track of the requested kind.
    public static let trackNotFound = Self(rawValue: "trackNotFound")
}

extension MediaError {
    /// The error where the motion track of a file without one is requested.
    package static let noFilm = MediaError(
        .trackNotFound, "The file is no motion photo: it has no film beside what it shows.")
}

/// Which track of a file is opened.
public enum MediaTrack: String, CaseIterable, Sendable {
    /// What the file shows: the film of a video, the still of a motion photo.
    case main
    /// The film of a motion photo.
    case motion
}

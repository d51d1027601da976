/// Which track of a file is opened.
public enum MediaTrack: Hashable, Sendable {
    /// What the file shows: the film of a video, the still of a motion photo.
    case main
    /// The film of a motion photo.
    case motion
    /// The video track of a number from 1, in the order of the file; attached pictures do not count.
    case number(Int)
}

extension MediaError {
    /// The error for a video track that is not there; the file has so many.
    package static func noTrack(_ number: Int, of count: Int) -> MediaError {
        let tracks = count == 1 ? "one video track" : "\(count) video tracks"
        return MediaError(
            .trackNotFound, "There is no video track \(number): the file has \(tracks).")
    }
}

/// A chapter of a film.
public struct MediaChapter: Hashable, Sendable {
    /// When it begins, counted as the times of frames are.
    public let start: Duration
    /// When it ends.
    public let end: Duration
    /// Its title, or nil where it has none.
    public let title: String?

    /// Makes a chapter; an end before the start is the start.
    public init(start: Duration, end: Duration, title: String? = nil) {
        (self.start, self.end, self.title) = (start, max(start, end), title)
    }
}

extension MediaInfo {
    /// The most chapters that are read of a file.
    package static let maxChapters = 4096

    /// The chapter of a number, from 1; throws `.notFound` where there is none.
    package func chapter(_ number: Int) throws(MediaError) -> MediaChapter {
        guard chapters.indices.contains(number - 1) else {
            throw MediaError(
                .notFound,
                chapters.isEmpty
                    ? "The input has no chapters."
                    : "The input has only \(chapters.count) chapters.")
        }
        return chapters[number - 1]
    }
}

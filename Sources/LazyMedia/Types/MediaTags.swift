/// What a file says of its work in words; empty where it says nothing.
public struct MediaTags: Hashable, Sendable {
    /// The name of the song or film.
    public var title: String?
    /// Who made it.
    public var artist: String?
    /// The album that it is of.
    public var album: String?

    /// When it was made, as the file says it: a year, a date, or a time in ISO 8601.
    public var date: String?
    /// Who has the rights.
    public var copyright: String?
    /// What else is said about it.
    public var comment: String?
    /// Where it was recorded, as ISO 6709 writes it.
    public var location: String?
    /// What it was recorded with.
    public var device: String?

    /// Makes tags.
    public init(title: String? = nil, artist: String? = nil, album: String? = nil) {
        (self.title, self.artist, self.album) = (title, artist, album)
    }

    /// The same without what tells where and with what somebody recorded it.
    package var safe: MediaTags {
        var tags = self
        (tags.location, tags.device) = (nil, nil)
        return tags
    }
}

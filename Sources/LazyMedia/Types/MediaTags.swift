/// What a file says of its work in words; empty where it says nothing.
public struct MediaTags: Hashable, Sendable {
    /// The name of the song or film.
    public var title: String?
    /// Who made it.
    public var artist: String?
    /// The album that it is of.
    public var album: String?

    /// Makes tags.
    public init(title: String? = nil, artist: String? = nil, album: String? = nil) {
        (self.title, self.artist, self.album) = (title, artist, album)
    }
}

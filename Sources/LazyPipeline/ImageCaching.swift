/// Keeps finished pictures in memory; the role of `ImageCache`. Used by any thread at any time.
public protocol ImageCaching: AnyObject, Sendable {
    /// The picture of a key; setting nil removes it.
    subscript(key: ImageCacheKey) -> ImageContainer? { get set }

    /// Removes all pictures.
    func removeAll()
}

/// What a picture in memory is known by: source, thumbnail, selection, scale and processors.
public struct ImageCacheKey: Hashable, Sendable {
    private let text: String

    /// Makes the key of a text of one's own.
    public init(key: String) { text = key }

    /// Makes the key of a request.
    public init(_ request: ImageRequest) {
        var text = request.imageID
        if let thumbnail = request.thumbnail { text += "|t\(thumbnail.size)" }
        if request.selection != .all { text += "|f\(request.selection)" }
        if request.scale != 1 { text += "|s\(request.scale)" }
        for processor in request.processors { text += "|" + processor.identifier }
        self.text = text
    }
}

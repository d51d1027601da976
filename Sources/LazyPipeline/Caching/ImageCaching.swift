/// Keeps finished pictures in memory; the role of `ImageCache`.
///
/// Used by any thread at any time.
public protocol ImageCaching: AnyObject, Sendable {
    /// The picture of a key; setting nil removes it.
    subscript(key: ImageCacheKey) -> ImageContainer? { get set }

    /// Removes all pictures.
    func removeAll()
}

/// Keeps finished pictures in memory; the role of `ImageCache`.
///
/// Used by any thread at any time.
public protocol ImageCaching: AnyObject, Sendable {
    /// The picture of a key; setting nil removes it.
    subscript(key: ImageCacheKey) -> ImageContainer? { get set }

    /// Removes the pictures known by an identifier, at any size and with any processors.
    ///
    /// They are those whose key `isVariant(of:)` it. Returns how many there were.
    func removeVariants(of identifier: String) -> Int

    /// Removes all pictures, and returns how many there were.
    @discardableResult func removeAll() -> Int
}

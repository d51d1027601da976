/// A memory cache of finished images.
///
/// Called on any thread.
public protocol ImageCaching: AnyObject, Sendable {
    /// The image of a key; setting nil removes it.
    subscript(key: ImageCacheKey) -> ImageContainer? { get set }

    /// Removes the images with an identifier, at any size and with any processors.
    ///
    /// Uses `ImageCacheKey.isVariant(of:)`. Returns the number of removed images.
    func removeVariants(of identifier: String) -> Int

    /// Removes all images and returns their number.
    @discardableResult func removeAll() -> Int
}

internal import LazyBase
internal import LazyMedia

/// The SHA-256 of images.
enum PixelDigest {
    /// The hash of the RGBA8 rows, with RGB 0 where alpha is 0, as hexadecimal digits.
    static func hex(_ bitmap: Bitmap) -> String {
        var digest = SHA256()
        bitmap.withBytes { bytes in
            if bitmap.isOpaque { digest.update(bytes) } else { digest.update(visiblePixels: bytes) }
        }
        return digest.finish().hexadecimal()
    }
}

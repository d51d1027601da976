internal import LazyBase
package import LazyMedia

/// The SHA-256 of images.
package enum PixelDigest {
    /// The hash of the RGBA8 rows, with RGB 0 where alpha is 0, as hexadecimal digits.
    package static func hex(_ bitmap: Bitmap) -> String {
        var digest = SHA256()
        bitmap.withBytes { bytes in
            if bitmap.isOpaque { digest.update(bytes) } else { digest.update(visiblePixels: bytes) }
        }
        return digest.finish().hexadecimal()
    }
}

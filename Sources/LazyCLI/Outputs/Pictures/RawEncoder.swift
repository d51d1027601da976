internal import LazyMedia

/// RGBA8 rows as they are.
final class RawEncoder: PictureEncoding {
    func encode(
        _ bitmap: Bitmap, _ color: ColorDescription,
        _ use: (UnsafeRawBufferPointer) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        try bitmap.withBytes(use)
    }
}

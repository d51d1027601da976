package import LazyMedia

/// RGBA8 rows as they are.
package final class RawEncoder: PictureEncoding {
    package func encode(
        _ bitmap: Bitmap, _ color: ColorDescription,
        _ use: (UnsafeRawBufferPointer) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        try bitmap.withBytes(use)
    }
}

internal import LazyMedia

final class PNGPictureEncoder: PictureEncoding {
    func encode(
        _ bitmap: Bitmap, _ use: (UnsafeRawBufferPointer) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        try PPMEncoder().encode(bitmap, use)
    }
}

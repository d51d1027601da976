internal import LazyMedia

/// Encodes one image as a file; each worker has its own encoder.
protocol PictureEncoding: AnyObject {
    /// Lends the bytes; the pointer is valid only inside the closure.
    func encode(
        _ bitmap: Bitmap, _ color: ColorDescription,
        _ use: (UnsafeRawBufferPointer) throws(CommandFailure) -> Void
    ) throws(CommandFailure)

    /// The same for a picture of 16 bits a sample.
    func encode(
        deep bitmap: DeepBitmap, _ color: ColorDescription,
        _ use: (UnsafeRawBufferPointer) throws(CommandFailure) -> Void
    ) throws(CommandFailure)
}

extension PictureEncoding {
    /// Encodes it rounded to 8 bits a sample, as formats of 8 bits do.
    func encode(
        deep bitmap: DeepBitmap, _ color: ColorDescription,
        _ use: (UnsafeRawBufferPointer) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        let rounded: Bitmap
        do throws(MediaError) {
            rounded = try bitmap.bitmap()
        } catch {
            throw CommandFailure(.inputOutput, error.code.rawValue, error.message)
        }
        try encode(rounded, color, use)
    }
}

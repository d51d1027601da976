package import CommandSupport
package import LazyMedia

/// Encodes one image as a file; each worker has its own encoder.
package protocol PictureEncoding: AnyObject {
    /// Lends the bytes; the pointer is valid only inside the closure.
    func encode(
        _ bitmap: Bitmap, _ color: ColorDescription,
        _ use: (UnsafeRawBufferPointer) throws(CommandFailure) -> Void
    ) throws(CommandFailure)
}

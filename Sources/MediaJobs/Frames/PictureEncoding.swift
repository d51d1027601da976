package import CommandSupport
package import LazyMedia

/// Writes one picture as the bytes of a file; each worker has its own.
package protocol PictureEncoding: AnyObject {
    /// Lends the bytes; the pointer is good only inside the closure.
    func encode(
        _ bitmap: Bitmap, _ use: (UnsafeRawBufferPointer) throws(CommandFailure) -> Void
    ) throws(CommandFailure)
}

package import CommandSupport
package import LazyMedia

/// A way to show pictures on a terminal: half blocks today, kitty's or sixel graphics tomorrow.
package protocol FrameDrawing {
    /// The size at which a picture is best decoded to be drawn.
    func pixelSize(of media: PixelSize) -> PixelSize

    /// The bytes that bring the terminal from the frame drawn before to this one.
    ///
    /// The pointer is good only inside the closure; one write of it is one frame.
    mutating func draw(
        _ bitmap: Bitmap, _ use: (UnsafeRawBufferPointer) throws(CommandFailure) -> Void
    ) throws(CommandFailure)

    /// Draws the next frame whole, as after something else has written to the terminal.
    mutating func forgetScreen()

    /// The bytes that put the cursor under the picture.
    var leaving: String { get }
}

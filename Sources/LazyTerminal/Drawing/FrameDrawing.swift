public import LazyBytes
public import LazyMedia

/// Turns pictures into the bytes that show them in a terminal.
public protocol FrameDrawing {
    /// The best size for decoding a frame that is drawn.
    func pixelSize(of media: PixelSize) -> PixelSize

    /// Lends the bytes that replace the frame drawn before by this one.
    ///
    /// The pointer is valid only inside the closure. One write of it is one frame.
    mutating func draw(
        _ bitmap: Bitmap, _ use: (UnsafeRawBufferPointer) throws(SystemError) -> Void
    ) throws(SystemError)

    /// Makes the next frame be drawn in full, as after other output to the terminal.
    mutating func invalidate()

    /// The bytes that move the cursor below the frame.
    var moveBelow: String { get }
}

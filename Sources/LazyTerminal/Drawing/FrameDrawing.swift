public import LazyBase
public import LazyMedia

/// Turns pictures into the bytes that show them in a terminal.
public protocol FrameDrawing {
    /// The best size for decoding a frame that is drawn.
    ///
    /// `hasPalette` says that the frames of the media have few colors each, as those of a GIF.
    func pixelSize(of media: PixelSize, hasPalette: Bool) -> PixelSize

    /// Whether the terminal has not yet read the frames before, so that a frame is better dropped.
    var isBehind: Bool { get }

    /// Lends the bytes that replace the frame drawn before by this one.
    ///
    /// Large frames come in parts, one call each. The pointers are valid only inside the closure.
    mutating func draw(
        _ bitmap: Bitmap, _ use: (UnsafeRawBufferPointer) throws(SystemError) -> Void
    ) throws(SystemError)

    /// Makes the next frame be drawn in full, as after other output to the terminal.
    mutating func invalidate()

    /// Whether the last frame has removed other text from the screen, by clearing or by covering it.
    var hasCoveredText: Bool { get }

    /// The bytes that move the cursor below the frame.
    var moveBelow: String { get }

    /// The bytes that remove what clearing the screen leaves; none for most protocols.
    var removal: String { get }
}

extension FrameDrawing {
    /// The best size for decoding a frame of any media.
    public func pixelSize(of media: PixelSize) -> PixelSize {
        pixelSize(of: media, hasPalette: false)
    }

    /// Never.
    public var isBehind: Bool { false }

    /// Always, as far as is known.
    public var hasCoveredText: Bool { true }

    /// Nothing.
    public var removal: String { "" }
}

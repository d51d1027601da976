extension PixelSize {
    /// Whether pictures have so many pixels that those held at a time determine the memory of a job.
    ///
    /// Encoders then look ahead little, and few frames are decoded ahead.
    package var isLarge: Bool { pixelCount > 1280 * 720 }
}

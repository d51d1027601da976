/// An encoder of pictures that takes their rows as they come.
package protocol RowEncoding: StillEncoding {
    /// Makes a writer of one picture; nil where it needs the whole.
    ///
    /// Throws `.notWritable` for what the format cannot store, and `.environment`.
    func makeRowWriter(
        of rows: StillRows, _ cancellation: CancellationFlag
    ) throws(MediaError) -> (any RowWriting)?
}

/// A picture whose rows are to come: what is known of it before.
package struct StillRows: Sendable {
    /// Its size.
    package let size: PixelSize
    /// Whether every pixel has alpha 255.
    package let isOpaque: Bool
    /// What the samples mean.
    package let color: ColorDescription
    /// Keywords and texts, as of a `StillPicture`.
    package let texts: [(key: String, value: String)]

    /// Describes a picture.
    package init(
        size: PixelSize, isOpaque: Bool, color: ColorDescription = .sRGB,
        texts: [(key: String, value: String)] = []
    ) {
        self.size = size
        self.isOpaque = isOpaque
        self.color = color
        self.texts = texts
    }
}

/// Encodes one picture row by row, as its encoder encodes the whole; used by one thread.
package protocol RowWriting: AnyObject {
    /// Takes the next rows: RGBA8 without padding.
    func add(_ rows: UnsafeRawBufferPointer) throws(MediaError)

    /// Ends the file, once all rows have come, and returns it.
    func finish() throws(MediaError) -> SpooledBytes
}

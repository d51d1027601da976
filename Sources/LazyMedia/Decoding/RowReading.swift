/// Media whose one picture can be read in rows, without memory for all of them.
package protocol RowReading: OpenedMedia {
    /// Makes a reader of the rows at the picture's own size; nil where they do not come from the top, or not as RGBA8.
    ///
    /// That is so of pictures that are turned or interlaced, and of samples that keep their 16 bits.
    func makeRowReader(_ options: ReaderOptions) throws(MediaError) -> (any RowReader)?
}

/// Reads the rows of one picture; used by one thread.
package protocol RowReader: AnyObject {
    /// What the samples mean.
    var color: ColorDescription { get }
    /// Damage and irregularities found so far.
    var warnings: [MediaWarning] { get }

    /// Passes on all rows from the top, some at a time: RGBA8 without padding, the pixels of the frame.
    ///
    /// Blocks. False where rows are missing, because the picture is damaged, whether some have been passed on or not; a
    /// frame shows what there is of it. Throws the taker's error, and what `nextFrame()` does.
    func readRows(_ taker: RowTaker) throws(MediaError) -> Bool
}

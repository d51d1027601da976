internal import LazyMedia

/// Finds the indices of some rows of the frames, one frame after the other.
protocol RowMapping: AnyObject, Sendable {
    /// The changed and the cleared rectangle of each frame so far.
    var changes: [(changed: PixelRect, cleared: PixelRect)] { get set }

    /// Writes the symbols of a frame's rows, and updates the shown colors and indices.
    func map(_ job: GIFFrameJob, shown: PixelMemory<UInt32>, indices: PixelMemory<UInt16>)
}

internal import LazyMedia

/// Finds the indices of some rows of the frames, one frame after the other.
protocol RowMapping: AnyObject, Sendable {
    /// For each frame so far, what changed in the rows, and what became transparent.
    var changes: [(changed: PixelRect, cleared: PixelRect)] { get set }

    /// Writes the symbols of a frame's rows, and the colors and indices that are shown then.
    func map(_ job: GIFFrameJob, shown: PixelMemory<UInt32>, indices: PixelMemory<UInt16>)
}

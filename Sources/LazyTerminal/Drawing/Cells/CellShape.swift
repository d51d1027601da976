internal import LazyMedia

/// The pixels of one cell.
struct CellShape: Hashable, Sendable {
    let columns: Int
    let rows: Int

    /// The cells of a row of pixels.
    func columns(of size: PixelSize) -> Int { (size.width + columns - 1) / columns }

    /// The lines of a picture.
    func lines(of size: PixelSize) -> Int { (size.height + rows - 1) / rows }
}

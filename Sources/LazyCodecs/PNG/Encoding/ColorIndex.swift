internal import CKernels
internal import LazyMedia

/// The colors of a file, at most 256, each with a number; owns a C table.
///
/// Unchecked: it grows while one thread reads frames, and is immutable once others read it.
final class ColorIndex: @unchecked Sendable {
    private let table: OpaquePointer

    /// Makes an empty one; throws where there is no memory.
    init() throws(MediaError) {
        guard let table = cscanline_palette_make() else {
            throw MediaError(.environment, "There is no memory for the palette of a PNG.")
        }
        self.table = table
        LiveHandles.didOpen()
    }

    deinit {
        cscanline_palette_free(table)
        LiveHandles.didClose()
    }

    /// Removes all colors.
    func removeAll() { cscanline_palette_clear(table) }

    /// The number of colors.
    var count: Int { Int(cscanline_palette_count(table)) }

    /// Whether all have alpha 255.
    var areOpaque: Bool { colors.allSatisfy { $0 >> 24 == 255 } }

    /// The colors in RGBA memory order, by number.
    var colors: [UInt32] {
        Array(UnsafeBufferPointer(start: cscanline_palette_colors(table), count: count))
    }

    /// Writes the number of each pixel's color; false where there are more than 256.
    ///
    /// Rows are contiguous; with `margin` each is preceded by filter type None.
    func index(
        _ rows: cscanline_rows, margin: Bool, into output: UnsafeMutablePointer<UInt8>
    ) -> Bool { cscanline_index(table, rows, margin ? 1 : 0, output) != 0 }

    /// Numbers the colors of some thousand pixels of a picture, while its rows come; false where there are more than few.
    func sample(_ rows: cscanline_rows, before: Int, of height: Int) -> Bool {
        cscanline_sample_colors(table, rows, before, height) != 0
    }

    /// Gives a color a number if it has none; false where none is left.
    func insert(_ color: UInt32) -> Bool {
        var number: UInt8 = 0
        return withUnsafeBytes(of: color) { bytes in
            guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return false }
            let one = cscanline_rows(rgba: start, width: 1, stride: 4, first_row: 0, row_count: 1)
            return index(one, margin: false, into: &number)
        }
    }

    /// Maps each pixel's number through a table of 256 entries.
    func lookUp(
        _ pixels: UnsafeBufferPointer<UInt32>, _ map: [UInt8],
        into output: UnsafeMutablePointer<UInt8>
    ) {
        precondition(map.count == 256)
        guard let start = pixels.baseAddress else { return }
        cscanline_look_up(table, start, pixels.count, map, output)
    }
}

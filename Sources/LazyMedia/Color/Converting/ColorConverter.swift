internal import CKernels

/// Converts decoded samples of one meaning to sRGB; see `ColorConversions.converter`.
///
/// Any number of threads may use one at the same time.
package struct ColorConverter: Sendable {
    enum Engine: Sendable {
        /// Tables for 8-bit codes, and for deeper ones.
        case tables(ConversionTables, deep: ConversionTables)
        case lookup(LookupProfile)
    }

    let engine: Engine

    /// Converts pixels of four 8-bit samples, straight alpha, in place or to another row.
    package func convert(
        _ source: UnsafePointer<UInt32>, into target: UnsafeMutablePointer<UInt32>, count: Int
    ) {
        switch engine {
        case .lookup(let profile): profile.convert(source, into: target, count: count)
        case .tables(let tables, _):
            CodeRows.using(count) { rows in
                ccolor_split8(source, rows.red, rows.green, rows.blue, rows.alpha, count)
                var conversion = tables.conversion
                ccolor_convert(
                    &conversion, rows.red, rows.green, rows.blue, rows.alpha, target, count)
            }
        }
    }

    /// Converts pixels of four 16-bit samples in the machine's byte order, straight alpha.
    package func convert(
        deep source: UnsafePointer<UInt16>, into target: UnsafeMutablePointer<UInt32>, count: Int
    ) {
        switch engine {
        case .lookup(let profile): profile.convert(deep: source, into: target, count: count)
        case .tables(_, let tables):
            CodeRows.using(count) { rows in
                ccolor_split16(
                    source, tables.conversion.steps, rows.red, rows.green, rows.blue, rows.alpha,
                    count)
                var conversion = tables.conversion
                ccolor_convert(
                    &conversion, rows.red, rows.green, rows.blue, rows.alpha, target, count)
            }
        }
    }

    /// Converts a bitmap, to another one; 3 to 8 ns per pixel by tables, about 30 by a lookup profile.
    package func convert(_ bitmap: Bitmap) throws(MediaError) -> Bitmap {
        let (width, height) = (bitmap.size.width, bitmap.size.height)
        return try Bitmap(size: bitmap.size, isOpaque: bitmap.isOpaque) { output in
            bitmap.withBytes { input in
                guard let from = input.baseAddress?.assumingMemoryBound(to: UInt32.self),
                    let to = output.baseAddress?.assumingMemoryBound(to: UInt32.self)
                else { return }
                for row in 0..<height {
                    convert(from + row * width, into: to + row * width, count: width)
                }
            }
        }
    }
}

/// Scratch rows of codes, on the stack where they are short.
struct CodeRows {
    let red: UnsafeMutablePointer<UInt16>
    let green: UnsafeMutablePointer<UInt16>
    let blue: UnsafeMutablePointer<UInt16>
    let alpha: UnsafeMutablePointer<UInt8>

    static func using(_ count: Int, _ body: (CodeRows) -> Void) {
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: max(1, count * 3)) { codes in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(1, count)) { alpha in
                guard let red = codes.baseAddress, let opacity = alpha.baseAddress else { return }
                body(
                    CodeRows(
                        red: red, green: red + count, blue: red + count * 2, alpha: opacity))
            }
        }
    }
}

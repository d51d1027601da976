internal import CKernels
internal import LazyMedia

/// How the pixels of a PNG of 8 bits a sample are said.
enum PNGForm: Equatable {
    /// As numbers of at most 256 colors, in 1, 2, 4 or 8 bits.
    case indexed(depth: Int)
    /// As RGB (3 channels) or RGBA (4).
    case colors(channels: Int, isDither: Bool)

    /// The indices of so many colors.
    static func indexed(colors count: Int) -> PNGForm {
        .indexed(depth: count > 16 ? 8 : count > 4 ? 4 : count > 2 ? 2 : 1)
    }

    /// About the bytes of the rows that are compressed at a time.
    ///
    /// Colors are filtered before, and stay in the cache. Indices are not; of pictures that compress to nearly nothing the
    /// 40 bytes that each part costs would be seen.
    var stripeBytes: Int {
        switch self {
        case .indexed: 1 << 21
        case .colors: 1 << 18
        }
    }

    /// The bytes of a pixel before they are packed, and whether filters do harm.
    var samples: (channels: Int, areDither: Bool) {
        switch self {
        case .indexed: (1, true)
        case .colors(let channels, let isDither): (channels, isDither)
        }
    }
}

extension PNGEncoder {
    /// The form of a picture; `indices` get its scanlines where they are indices of 8 bits.
    func form(
        of rows: cscanline_rows, isOpaque: Bool, into indices: UnsafeMutablePointer<UInt8>
    ) -> PNGForm {
        colors.removeAll()
        if colors.index(rows, margin: true, into: indices) { return .indexed(colors: colors.count) }
        let isRGB = isOpaque || cscanline_is_opaque(rows) != 0
        return .colors(channels: isRGB ? 3 : 4, isDither: cscanline_has_few_colors(rows) != 0)
    }

    /// Writes what is before the pixels of a picture in a form.
    func beginFile(_ form: PNGForm, size: PixelSize, _ text: Texts) throws(MediaError) {
        switch form {
        case .indexed(let depth):
            try file.begin(size: size, depth: UInt8(depth), color: .palette, meaning: color)
            try file.append(palette: Array(colors.colors.prefix(1 << depth)))
        case .colors(let channels, _):
            try file.begin(
                size: size, depth: 8, color: channels == 3 ? .rgb : .rgba, meaning: color)
        }
        try file.append(text)
    }
}

internal import CFFmpeg
internal import LazyMedia

/// Extracts the planes of 8-bit 4:2:0 pictures at one size.
///
/// Only for upright opaque pictures with a matrix that `PlanarPicture` supports, whose samples need no
/// conversion to sRGB; others have no planes.
final class PlaneConverter {
    private let target: PixelSize
    private let output: PictureOutput
    // The last colors, and whether their samples need no conversion.
    private var judged: (colors: PictureColors, isPlain: Bool)?
    private var made: (source: PixelSize, scaler: PictureScaler)?
    private var scratch = ScratchRows()

    /// Makes a converter to a size, or nil where pictures are rotated.
    init?(to size: PixelSize, _ orientation: Orientation, _ output: PictureOutput) {
        guard orientation == .upright else { return nil }
        target = size
        self.output = output
    }

    /// The planes of a picture, or nil where it has no such planes.
    func planes(_ picture: Picture) throws(MediaError) -> PlanarPicture? {
        let frame = picture.pointer
        let format = frame.pointee.format
        guard format == AV_PIX_FMT_YUV420P.rawValue || format == AV_PIX_FMT_YUVJ420P.rawValue,
            let size = picture.size
        else { return nil }
        let colors = PictureColors(frame.pointee, size, output.colors)
        guard let matrix = colors.matrix, isPlain(colors) else { return nil }
        let layout = PlanarPicture.Layout(target)
        return try PlanarPicture(
            size: target, matrix: matrix, isFullRange: colors.isFullRange
        ) { (bytes) throws(MediaError) in
            if size == target {
                copy(frame, into: bytes, layout)
            } else {
                try scale(frame, size, into: bytes, layout)
            }
        }
    }

    private func isPlain(_ colors: PictureColors) -> Bool {
        if let judged, judged.colors == colors { return judged.isPlain }
        let isPlain = output.converter(colors) == nil
        judged = (colors, isPlain)
        return isPlain
    }

    /// Whether the planes of a picture are unscaled.
    func isWhole(_ picture: Picture) -> Bool { picture.size == target }

    private func copy(
        _ frame: UnsafeMutablePointer<AVFrame>, into bytes: UnsafeMutableRawBufferPointer,
        _ layout: PlanarPicture.Layout
    ) {
        for plane in 0..<3 {
            guard let from = lz_plane(frame, CInt(plane)) else { continue }
            let stride = Int(lz_plane_stride(frame, CInt(plane)))
            Self.copyRows(from, stride: stride, into: bytes, layout.plane(plane, target))
        }
    }

    private func scale(
        _ frame: UnsafeMutablePointer<AVFrame>, _ size: PixelSize,
        into bytes: UnsafeMutableRawBufferPointer, _ layout: PlanarPicture.Layout
    ) throws(MediaError) {
        let scaler = try scaler(from: size)
        // Rows are written in groups of pixels: each is aligned and padded.
        let (strideY, strideC) = ((target.width + 95) & ~63, (layout.chromaWidth + 95) & ~63)
        let startU = strideY * target.height + 64
        let startV = startU + strideC * layout.chromaHeight + 64
        let room = try scratch.room(byteCount: startV + strideC * layout.chromaHeight + 64)
        let rows = room.assumingMemoryBound(to: UInt8.self)
        let places = [0, strideY, startU, strideC, startV, strideC].map(Int64.init)
        try check(
            lz_sws_scale_planes(scaler.context, frame, rows, places, 3), "scale a picture")
        for plane in 0..<3 {
            Self.copyRows(
                rows + Int(places[plane * 2]), stride: Int(places[plane * 2 + 1]), into: bytes,
                layout.plane(plane, target))
        }
    }

    private static func copyRows(
        _ from: UnsafePointer<UInt8>, stride: Int, into bytes: UnsafeMutableRawBufferPointer,
        _ place: (start: Int, width: Int, height: Int)
    ) {
        guard let target = bytes.baseAddress else { return }
        for row in 0..<place.height {
            (target + place.start + row * place.width).copyMemory(
                from: from + row * stride, byteCount: place.width)
        }
    }

    /// A scaler that preserves matrix and range: both sides are declared equal.
    private func scaler(from size: PixelSize) throws(MediaError) -> PictureScaler {
        if let made, made.source == size { return made.scaler }
        made = nil
        let settings = PictureScaler.settings(
            from: size, AV_PIX_FMT_YUV420P.rawValue, to: target, AV_PIX_FMT_YUV420P)
        let scaler = try PictureScaler(
            settings + [("src_v_chr_pos", 128), ("dst_v_chr_pos", 128)])
        made = (size, scaler)
        return scaler
    }
}

extension PlanarPicture.Layout {
    /// The offset, row size and number of rows of a plane.
    fileprivate func plane(
        _ number: Int, _ size: PixelSize
    ) -> (start: Int, width: Int, height: Int) {
        switch number {
        case 0: (0, size.width, size.height)
        case 1: (u, chromaWidth, chromaHeight)
        default: (v, chromaWidth, chromaHeight)
        }
    }
}

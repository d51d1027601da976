internal import CFFmpeg
internal import LazyMedia

/// Converts pictures from the decoder's planes without a picture between: to sRGB, or keeping the depth.
///
/// Scaling comes first, in the picture's own colors: it is most of the work where bitmaps are small.
final class CodedConverter {
    private let target: PixelSize
    private let form: CodedForm
    private let colors: PictureColors
    private let converter: ColorConverter?
    private let ignoresAlpha: Bool
    // Nil where pictures have the target's size and a form that is read directly.
    private let scaler: PictureScaler?
    private var scratch = ScratchRows()

    /// Makes a converter for pictures of a size, a format and colors; without one to sRGB, to RGBA16.
    init(
        from size: PixelSize, _ format: CInt, to target: PixelSize, _ colors: PictureColors,
        by converter: ColorConverter?, ignoresAlpha: Bool
    ) throws(MediaError) {
        let direct = size == target ? CodedForm(format) : nil
        guard let form = direct ?? CodedForm(near: format) else {
            throw MediaError(.unsupported, "A picture has an unknown pixel format.")
        }
        self.target = target
        self.form = form
        self.colors = colors
        self.converter = converter
        self.ignoresAlpha = ignoresAlpha
        scaler =
            direct == nil ? try Self.scaler(from: size, format, to: target, form, colors) : nil
    }

    /// Converts one picture to rows `stride` bytes apart.
    func write(
        _ frame: UnsafeMutablePointer<AVFrame>, into rows: UnsafeMutableRawPointer, stride: Int
    ) throws(MediaError) {
        var planes: [SamplePlanes.Plane] = []
        if let scaler {
            let (places, byteCount) = form.layout(target)
            let room = try scratch.room(byteCount: byteCount)
            try check(
                lz_sws_scale_planes(
                    scaler.context, frame, room.assumingMemoryBound(to: UInt8.self), places,
                    CInt(form.planeCount)), "scale a picture")
            for plane in 0..<form.planeCount {
                planes.append(
                    .init(room + Int(places[plane * 2]), stride: Int(places[plane * 2 + 1])))
            }
        } else {
            for plane in 0..<CInt(form.planeCount) {
                guard let start = lz_plane(frame, plane) else {
                    throw MediaError(.malformed, "A picture lacks a plane.")
                }
                planes.append(.init(start, stride: Int(lz_plane_stride(frame, plane))))
            }
        }
        let samples = coded(planes)
        guard let converter else {
            return samples.writeDeep(blendsChroma: true, into: rows, stride: stride)
        }
        // As browsers and our own conversion of SDR do in films.
        samples.convert(by: converter, blendsChroma: false, into: rows, stride: stride)
    }

    private func coded(_ planes: [SamplePlanes.Plane]) -> SamplePlanes {
        SamplePlanes(
            size: target, depth: form.bitDepth, luma: planes[0],
            chroma: planes.count > 2 ? (planes[1], planes[2]) : nil,
            alpha: planes.count == 4 && !ignoresAlpha ? planes[3] : nil,
            isHalfWidth: form.isHalfWidth, isHalfHeight: form.isHalfHeight,
            color: ColorDescription(
                matrix: form.isRGB
                    ? .identity : MatrixCoefficients(rawValue: UInt8(clamping: colors.colorspace)),
                isFullRange: form.isRGB || colors.isFullRange))
    }

    /// A scaler that preserves matrix and range: both sides are declared equal.
    private static func scaler(
        from size: PixelSize, _ format: CInt, to target: PixelSize, _ form: CodedForm,
        _ colors: PictureColors
    ) throws(MediaError) -> PictureScaler {
        let settings = PictureScaler.settings(
            from: size, format, to: target, AVPixelFormat(rawValue: form.format))
        // The chroma siting of MPEG-2 and its successors.
        let source = CodedForm(format)
        let isHalf = source?.isHalfWidth == true && source?.isHalfHeight == true
        let scaler = try PictureScaler(settings + (isHalf ? [("src_v_chr_pos", 128)] : []))
        if !form.isRGB { _ = lz_sws_keep_colors(scaler.context, colors.isFullRange ? 1 : 0) }
        return scaler
    }
}

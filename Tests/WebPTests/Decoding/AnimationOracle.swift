import CWebPDemux
import LazyMedia

/// What libwebp's own `WebPAnimDecoder` makes of a file.
struct AnimationOracle {
    /// The composed frames, transparent pixels alike.
    private(set) var frames: [[UInt32]] = []
    /// When each frame ends, in milliseconds.
    private(set) var ends: [Int] = []

    /// Decodes all frames; nil where the library refuses the file.
    init?(_ bytes: [UInt8]) {
        var options = WebPAnimDecoderOptions()
        guard WebPAnimDecoderOptionsInit(&options) != 0 else { return nil }
        options.color_mode = MODE_RGBA
        var isGood = false
        bytes.withUnsafeBufferPointer { buffer in
            var data = WebPData(bytes: buffer.baseAddress, size: buffer.count)
            guard let decoder = WebPAnimDecoderNew(&data, &options) else { return }
            defer { WebPAnimDecoderDelete(decoder) }
            var info = WebPAnimInfo()
            WebPAnimDecoderGetInfo(decoder, &info)
            let count = Int(info.canvas_width * info.canvas_height)
            var rows: UnsafeMutablePointer<UInt8>?
            var end: CInt = 0
            while WebPAnimDecoderGetNext(decoder, &rows, &end) != 0, let rows {
                frames.append(
                    rows.withMemoryRebound(to: UInt32.self, capacity: count) { pixels in
                        (0..<count).map { pixels[$0] >> 24 == 0 ? 0 : pixels[$0] }
                    })
                ends.append(Int(end))
            }
            isGood = true
        }
        guard isGood else { return nil }
    }
}

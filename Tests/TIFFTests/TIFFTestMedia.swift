import LazyMedia
import Support
import Testing

@testable import LazyCodecs

/// TIFFs made by ImageMagick and libtiff's tools, and what these make of them.
enum TIFFTool {
    /// A still of `media/` as TIFF: by options of ImageMagick, then by those of `tiffcp`, if any.
    static func encoded(
        _ name: String, _ options: String, copied: String? = nil, set: String? = nil
    ) throws -> [UInt8] {
        let scratch = Scratch()
        let (first, second) = (scratch.path("a.tif"), scratch.path("b.tif"))
        _ = Peer.output(of: "convert \(Media.path(name)) \(options) \(first) 2>&1")
        let copying = copied.map { "tiffcp \($0)" } ?? "cp"
        _ = Peer.output(of: "\(copying) \(first) \(second) 2>&1")
        if let set { _ = Peer.output(of: "tiffset -s \(set) \(second) 2>&1") }
        let bytes = scratch["b.tif"]
        try #require(!bytes.isEmpty, "\(name) \(options) \(copied ?? "")")
        return bytes
    }

    /// The first page, by libtiff's own conversion.
    static func picture(_ bytes: [UInt8]) throws -> Bitmap {
        let scratch = Scratch()
        let input = scratch.write(bytes, "a.tif")
        _ = Peer.output(of: "tiff2rgba -c none \(input) \(scratch.path("b.tif")) 2>&1")
        return try png(of: scratch.path("b.tif"), scratch)
    }

    /// A page as ImageMagick reads it.
    static func png(of path: String, _ scratch: Scratch, page: Int = 0) throws -> Bitmap {
        _ = Peer.output(
            of: "convert '\(path)[\(page)]' -depth 8 PNG32:\(scratch.path("b.png")) 2>&1")
        let media = try PNGDecoder().open(
            MemoryBytes(scratch["b.png"]), type: .png, limits: .web)
        // ImageMagick writes the gamma of sRGB and chromaticities, which together mean another curve.
        var options = ReaderOptions(delayRule: .raw)
        options.color = .source
        return try #require(try Decoded.frames(media, options).first?.bitmap)
    }
}

extension Decoded {
    static func media(
        _ bytes: [UInt8], limits: DecodingLimits = .web
    ) throws(MediaError) -> any OpenedMedia {
        try TIFFDecoder().open(MemoryBytes(bytes), type: .tiff, limits: limits)
    }

    /// The mean of squared differences of all channels, colors weighted by alpha.
    static func weightedDistance(_ a: Bitmap, _ b: Bitmap) -> Double {
        guard a.size == b.size else { return .infinity }
        var sum = 0.0
        for y in 0..<a.size.height {
            for x in 0..<a.size.width {
                let (one, other) = (a[x, y], b[x, y])
                let weight = Double(min(one.w, other.w)) / 255
                let rest = Double(one.w) - Double(other.w)
                sum += rest * rest
                for i in 0..<3 {
                    let difference = (Double(one[i]) - Double(other[i])) * weight
                    sum += difference * difference
                }
            }
        }
        return sum / Double(a.byteCount)
    }

    /// The squared error of 45 dB.
    static let small = 255 * 255 / 31_622.8
}

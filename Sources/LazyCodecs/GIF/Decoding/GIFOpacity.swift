internal import LazyMedia

/// Whether the composed frames of a GIF have transparent pixels.
///
/// Writers that leave out what stays give every image a transparent color, also those that do not use it. So the
/// pixels of the few images that cover the canvas are looked at, up to a bound; beyond it they may be transparent.
enum GIFOpacity {
    /// The most pixels that are decoded for it.
    private static let maxPixels = 4 << 20

    /// Whether they have, and the first image where it was decompressed for that.
    static func hasAlpha(
        _ scan: GIFScan, _ bytes: any ByteSource, _ limits: DecodingLimits
    ) -> (answer: Bool, first: GIFImageJob?) {
        guard let covering = scan.coveringImages else { return (true, nil) }
        guard !covering.isEmpty else { return (false, nil) }
        let pixels = covering.reduce(0) { $0 + scan.images[$1].rect.pixelCount }
        guard !bytes.isPartial, pixels <= maxPixels else { return (true, nil) }
        var first: GIFImageJob?
        // What cannot be decoded shows nothing, or what was there before.
        let answer = (try? isTransparent(covering, scan, bytes, limits, &first)) ?? true
        return (answer, first)
    }

    private static func isTransparent(
        _ covering: [Int], _ scan: GIFScan, _ bytes: any ByteSource, _ limits: DecodingLimits,
        _ first: inout GIFImageJob?
    ) throws(MediaError) -> Bool {
        var file = try GIFFile(bytes)
        var other: GIFImageJob?
        for index in covering {
            let image = scan.images[index]
            let job = if let other { other } else { try GIFImageJob() }
            try job.load(image, index: index, from: &file, limits: limits)
            job.run(CancellationFlag())
            if index == 0 { first = job } else { other = job }
            guard job.isWhole, let color = image.transparentIndex, !job.raster.contains(color)
            else { return true }
        }
        return false
    }
}

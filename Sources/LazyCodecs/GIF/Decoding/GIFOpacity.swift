internal import LazyMedia

/// Whether the composed frames of a GIF have transparent pixels.
///
/// Writers that leave out what stays give every image a transparent color, also those that do not use it. So the
/// pixels of the few images that cover the canvas are looked at, up to a bound; beyond it they may be transparent.
enum GIFOpacity {
    /// The most pixels that are decoded for it.
    private static let maxPixels = 4 << 20

    static func hasAlpha(
        _ scan: GIFScan, _ bytes: any ByteSource, _ limits: DecodingLimits
    ) -> Bool {
        guard let covering = scan.coveringImages else { return true }
        guard !covering.isEmpty else { return false }
        let pixels = covering.reduce(0) { $0 + scan.images[$1].rect.pixelCount }
        guard !bytes.isPartial, pixels <= maxPixels else { return true }
        // What cannot be decoded shows nothing, or what was there before.
        return (try? isTransparent(covering, scan, bytes, limits)) ?? true
    }

    private static func isTransparent(
        _ covering: [Int], _ scan: GIFScan, _ bytes: any ByteSource, _ limits: DecodingLimits
    ) throws(MediaError) -> Bool {
        var file = try GIFFile(bytes)
        let job = try GIFImageJob()
        for index in covering {
            let image = scan.images[index]
            try job.load(image, index: index, from: &file, limits: limits)
            job.run(CancellationFlag())
            guard job.isWhole, let color = image.transparentIndex, !job.raster.contains(color)
            else { return true }
        }
        return false
    }
}

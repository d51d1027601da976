internal import CGIF
package import LazyMedia

extension MediaFormat {
    /// GIF: read with giflib, written and rewritten by this module.
    package static let gif = MediaFormat(
        name: "gif", types: [.gif],
        signatures: [.text("GIF87a", .gif), .text("GIF89a", .gif)],
        decoders: [GIFDecoder()],
        encoders: [
            // Delays are hundredths of a second; browsers show one or none of them for ten (`DelayRule`).
            EncoderFactory(
                .gif,
                FormatTraits(
                    canAnimate: true, loop: true, mostPlays: GIFRewriter.mostPlays, alpha: .binary,
                    fidelity: .palette,
                    step: GIFDelays.step, shortest: Int64(GIFDelays.least) * GIFDelays.step,
                    omitsShort: true, side: 65_535,
                    // Without a quality the codes of pixels are exact.
                    defaultQuality: 100, hasEffort: false)
            ) { (options, threads) throws(MediaError) in
                guard (2...256).contains(options.colors) else {
                    throw MediaError(
                        .notWritable, "A GIF's palette has 2 to 256 colors, not \(options.colors).")
                }
                return GIFEncoder(options, threads: threads)
            }
        ],
        rewriter: GIFRewriter(), preview: .frames,
        libraries: {
            let version = "\(GIFLIB_MAJOR).\(GIFLIB_MINOR).\(GIFLIB_RELEASE)"
            return [
                InstalledLibrary(name: "giflib", version: version, license: "MIT", purpose: "GIF")
            ]
        })
}

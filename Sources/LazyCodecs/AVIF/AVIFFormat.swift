package import LazyMedia

extension MediaFormat {
    /// AVIF by libavif, of one picture or many.
    package static let avif = MediaFormat(
        name: "avif", types: [.avif, .avifSequence],
        signatures: [.brand("avif", .avif), .brand("avis", .avifSequence)],
        decoders: [AVIFDecoder()],
        encoders: [
            EncoderFactory(
                .avif,
                FormatTraits(
                    canAnimate: false, alpha: .full, fidelity: .optional,
                    side: AVIFEncoder.longestPicture,
                    defaultQuality: DefaultQuality.avif)
            ) { (options, threads) throws(MediaError) in
                _ = try AVIFLibrary.loadForWriting()
                return AVIFEncoder(options, threads: threads, isStill: true)
            },
            // Lossless pictures are coded in full range, and Chromium (seen in 156) shows every
            // sequence as if it were of limited range.
            EncoderFactory(
                .avifSequence,
                FormatTraits(
                    canAnimate: true, loop: true, mostPlays: AVIFRewriter.mostPlays, alpha: .full,
                    fidelity: .optional,
                    shortest: 11_000,
                    side: AVIFEncoder.longestSide, defaultQuality: DefaultQuality.avif,
                    containerBytes: 800,
                    misreadsLossless: true)
            ) { (options, threads) throws(MediaError) in
                _ = try AVIFLibrary.loadForWriting()
                return AVIFEncoder(options, threads: threads)
            },
        ],
        rewriter: AVIFRewriter(), printsMessages: true,
        libraries: {
            [
                InstalledLibrary(
                    name: "libavif", version: AVIFLibrary.loadedVersion, license: "BSD-2-Clause",
                    purpose: "AVIF", package: AVIFLibrary.package)
            ]
        })
}

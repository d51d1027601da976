internal import CWebP
package import LazyMedia

extension MediaFormat {
    /// WebP by libwebp, of one picture or many.
    package static let webp = MediaFormat(
        name: "webp", types: [.webp, .webpAnimation],
        signatures: [
            .riff("WEBP", .webp) { bytes in
                guard bytes.byteCount >= 21 else { return .needsBytes(21) }
                // Animation is bit 1 of the flags of `VP8X`.
                let isAnimated =
                    bytes.hasWord("VP8X", at: 12) && (bytes.byte(at: 20) ?? 0) & 0x02 != 0
                return .known(isAnimated ? .webpAnimation : .webp)
            }
        ],
        decoders: [WebPDecoder()],
        encoders: [
            EncoderFactory(
                .webp,
                FormatTraits(canAnimate: false, alpha: .full, fidelity: .optional, side: 16_383)
            ) { options, _ in WebPStillEncoder(options) },
            // Delays are milliseconds; browsers keep those of 11 and more (`DelayRule`).
            EncoderFactory(
                .webpAnimation,
                FormatTraits(
                    canAnimate: true, loop: true, mostPlays: WebPRewriter.mostPlays, alpha: .full,
                    fidelity: .optional, step: 1000,
                    shortest: 11_000, side: 16_383)
            ) { AnimatedWebPEncoder($0, threads: $1) },
        ],
        rewriter: WebPRewriter(),
        libraries: {
            let version = WebPGetDecoderVersion()
            return [
                InstalledLibrary(
                    name: "libwebp",
                    version: "\(version >> 16).\(version >> 8 & 255).\(version & 255)",
                    license: "BSD-3-Clause", purpose: "WebP")
            ]
        })
}

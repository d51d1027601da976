internal import CKernels
internal import CPNG
package import LazyMedia

extension MediaFormat {
    /// PNG of one picture: read by libpng, written by this module.
    package static let png = MediaFormat(
        name: "png", types: [.png],
        signatures: [.bytes([0x89, 0x50, 0x4E, 0x47], .png, sniffPNG)],
        decoders: [PNGDecoder()],
        encoders: [
            EncoderFactory(
                still: .png,
                FormatTraits(canAnimate: false, alpha: .full, fidelity: .exact, side: 1 << 30)
            ) { (options) throws(MediaError) in
                try PNGEncoder(level: options.effort.map { .init(effort: $0) } ?? .small)
            }
        ],
        libraries: pngLibraries)

    /// Animated PNG, whose signature is that of PNG.
    package static let apng = MediaFormat(
        name: "apng", types: [.apng], signatures: [], decoders: [APNGDecoder()],
        encoders: [
            // Delays are fractions of a second; browsers keep those of 11 ms and more (`DelayRule`).
            EncoderFactory(
                .apng,
                FormatTraits(
                    canAnimate: true, loop: true, mostPlays: APNGRewriter.mostPlays, alpha: .full,
                    fidelity: .exact, shortest: 11_000,
                    side: 1 << 30)
            ) { options, threads in APNGEncoder(effort: options.effort ?? 5, threads: threads) }
        ],
        rewriter: APNGRewriter(), libraries: pngLibraries)

    /// Walks PNG chunks: `acTL` before the first `IDAT` makes an animation (PNG 3rd ed., 11.3.6).
    private static let sniffPNG: MediaSignature.Refinement = { bytes in
        guard bytes.byteCount >= 8 else { return .needsBytes(8) }
        guard bytes.hasWord("\r\n\u{1A}\n", at: 4) else { return .known(.unknown) }
        var offset = 8
        while let length = bytes.bigEndian32(at: offset), bytes.byteCount >= offset + 8 {
            if bytes.hasWord("acTL", at: offset + 4) { return .known(.apng) }
            if bytes.hasWord("IDAT", at: offset + 4) || bytes.hasWord("IEND", at: offset + 4) {
                return .known(.png)
            }
            offset += 12 + Int(length)
        }
        return .needsBytes(offset + 8)
    }

    private static let pngLibraries: @Sendable () -> [InstalledLibrary] = {
        [
            InstalledLibrary(
                name: "libpng", version: String(cString: cpng_library_version()),
                license: "libpng", purpose: "reading PNG"),
            InstalledLibrary(
                name: "ISA-L", version: String(cString: cscanline_isal_version()),
                license: "BSD-3-Clause", purpose: "writing PNG"),
        ]
    }
}

package import LazyMedia

extension MediaFormat {
    /// JPEG XL by libjxl, of one picture or many.
    package static let jpegXL = MediaFormat(
        name: "jxl", types: [.jpegXL, .jpegXLAnimation],
        signatures: [
            .bytes([0xFF, 0x0A], .jpegXL) { JXLBeginning.type(ofCodestream: $0, at: 0) },
            // The signature box, up to its first line feed (ISO/IEC 18181-2, 9.1).
            .bytes([0, 0, 0, 12] + Array("JXL ".utf8) + [0x0D, 0x0A], .jpegXL) {
                JXLBeginning.type(ofContainer: $0)
            },
        ],
        decoders: [JXLDecoder()], preview: .poster, printsMessages: true,
        libraries: {
            [
                InstalledLibrary(
                    name: "libjxl", version: JXLLibrary.loadedVersion, license: "BSD-3-Clause",
                    purpose: "JPEG XL", package: JXLLibrary.package)
            ]
        })
}

package import LazyMedia

extension MediaFormat {
    /// TIFF and BigTIFF of either byte order, by libtiff.
    package static let tiff = MediaFormat(
        name: "tiff", types: [.tiff],
        signatures: [
            .bytes([0x49, 0x49, 0x2A, 0], .tiff), .bytes([0x4D, 0x4D, 0, 0x2A], .tiff),
            .bytes([0x49, 0x49, 0x2B, 0], .tiff), .bytes([0x4D, 0x4D, 0, 0x2B], .tiff),
        ],
        decoders: [TIFFDecoder()], isCompressed: false,
        libraries: {
            [
                InstalledLibrary(
                    name: "libtiff", version: TIFFLibrary.loadedVersion, license: "libtiff",
                    purpose: "TIFF", package: TIFFLibrary.package)
            ]
        })
}

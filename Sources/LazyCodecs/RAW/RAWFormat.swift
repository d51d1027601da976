package import LazyMedia

extension MediaType {
    /// The picture of a camera's sensor, in the format of its maker or in DNG.
    package static let cameraRAW = MediaType(
        name: "camera-raw", title: "camera RAW", mimeType: "image/x-dcraw",
        otherMIMETypes: ["image/x-adobe-dng"], family: .still,
        fileExtensions: [
            "dng", "cr2", "cr3", "crw", "nef", "nrw", "arw", "sr2", "srf", "raf", "orf", "rw2",
            "pef",
            "srw", "mrw", "x3f", "kdc", "dcr", "3fr", "iiq", "erf", "gpr",
        ])
}

extension MediaFormat {
    /// Camera RAW, of which the largest preview is shown.
    ///
    /// Previews are JPEG and TIFF, whose decoders are given.
    package static func raw(
        jpeg: any MediaDecoding, tiff: any MediaDecoding
    ) -> MediaFormat {
        MediaFormat(
            name: "camera-raw", types: [.cameraRAW],
            signatures: RAWKind.signatures.map { .bytes($0.bytes, .cameraRAW) }
                + [
                    .brand("crx ", .cameraRAW),
                    // Most are TIFF, and only their directories tell.
                    .whole(.cameraRAW, beginningAs: .tiff) { (bytes) throws(MediaError) in
                        try RAWDirectories(bytes).isRAW
                    },
                ], decoders: [RAWDecoder(jpeg: jpeg, tiff: tiff)], isCompressed: false)
    }
}

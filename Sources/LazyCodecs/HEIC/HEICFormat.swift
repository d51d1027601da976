package import LazyMedia

extension MediaFormat {
    /// HEIC and HEIF stills: the items are read here, the pictures decoded by a codec from elsewhere.
    ///
    /// Types and signatures are those of the format of the same name in `codecFree`.
    package static func heic(
        decodedBy pictures: any CodedPictureDecoding
    ) -> MediaFormat {
        MediaFormat(
            name: "heic", types: [.heic, .heicSequence], signatures: [],
            decoders: [HEICDecoder(pictures)])
    }
}

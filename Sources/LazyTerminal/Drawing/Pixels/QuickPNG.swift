internal import LazyMedia

/// Encodes PNG that is quick rather than small; the encoder is made for the first picture.
final class QuickPNG {
    private let encoders: EncoderRegistry
    private var encoder: (any StillEncoding)?

    init(_ encoders: EncoderRegistry) { self.encoders = encoders }

    func encode<Result>(
        _ bitmap: Bitmap, color: ColorDescription = .sRGB,
        _ use: (UnsafeRawBufferPointer) throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        let picture = StillPicture(bitmap, color: color)
        if let encoder { return try encoder.encode(picture, use) }
        let encoder = try encoders.stillEncoder(for: .png, EncodingOptions(effort: 0))
        self.encoder = encoder
        return try encoder.encode(picture, use)
    }
}

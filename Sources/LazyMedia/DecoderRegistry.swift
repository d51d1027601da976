/// The decoders at hand, asked from the last one registered to the first.
public struct DecoderRegistry: Sendable {
    private var decoders: [any MediaDecoding]

    /// Makes a registry of decoders; later ones are asked first.
    public init(_ decoders: [any MediaDecoding] = []) { self.decoders = decoders }

    /// Adds a decoder that is asked before all others.
    public mutating func register(_ decoder: any MediaDecoding) { decoders.append(decoder) }

    /// The decoder for a type, or nil.
    public func decoder(for type: MediaType) -> (any MediaDecoding)? {
        decoders.last { $0.canOpen(type) }
    }

    /// Sniffs bytes and opens them with the decoder of their type.
    ///
    /// Blocks while bytes are read. Throws `.unsupported` when the type is not known or has no
    /// decoder here, `.truncated` for no bytes at all, and what the decoder throws.
    public func open(
        _ bytes: any ByteSource, limits: DecodingLimits = .web
    ) throws(MediaError) -> any OpenedMedia {
        try limits.check(inputBytes: bytes.count)
        guard bytes.count > 0 else { throw MediaError(.truncated, "The input is empty.") }
        let type = try MediaType.sniffing(bytes)
        guard let decoder = decoder(for: type) else {
            throw MediaError(
                .unsupported,
                type == .unknown
                    ? "The input is not media that lazyimg knows."
                    : "There is no decoder for \(type.name) in this build.")
        }
        return try decoder.open(bytes, type: type, limits: limits)
    }
}

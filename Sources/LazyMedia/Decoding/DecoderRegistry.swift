import Synchronization

/// The decoders at hand, asked from the last one registered to the first.
///
/// A value: what is registered in a copy is not in the original.
public struct DecoderRegistry: Sendable {
    /// What takes a decoder out again.
    public struct Token: Hashable, Sendable {
        private let number: Int
        private static let last = Atomic<Int>(0)

        fileprivate init() { number = Self.last.add(1, ordering: .relaxed).newValue }
    }

    private struct Entry: Sendable {
        let token: Token
        let decoder: any MediaDecoding
    }

    private var entries: [Entry] = []

    /// Makes a registry of decoders; later ones are asked first.
    public init(_ decoders: [any MediaDecoding] = []) {
        for decoder in decoders { register(decoder) }
    }

    /// Adds a decoder that is asked before all others.
    @discardableResult
    public mutating func register(_ decoder: any MediaDecoding) -> Token {
        let token = Token()
        entries.append(Entry(token: token, decoder: decoder))
        return token
    }

    /// Takes a decoder out; nothing happens where it is not in here.
    public mutating func unregister(_ token: Token) { entries.removeAll { $0.token == token } }

    /// Takes all decoders out.
    public mutating func clear() { entries = [] }

    /// All decoders, in the order they are asked.
    public var decoders: [any MediaDecoding] { entries.reversed().map(\.decoder) }

    /// The decoder that is asked first for a type, or nil.
    public func decoder(for type: MediaType) -> (any MediaDecoding)? {
        entries.last { $0.decoder.canOpen(type) }?.decoder
    }

    /// What bytes are: as `MediaType.sniffing` says, or else as a decoder does.
    ///
    /// Blocks while bytes are read.
    public func type(of bytes: any ByteSource) throws(MediaError) -> MediaType {
        let type = try MediaType.sniffing(bytes)
        guard type == .unknown else { return type }
        let head = try bytes.bytes(min(bytes.count, 4096), at: 0)
        return decoders.lazy.compactMap { $0.sniff(head) }.first ?? .unknown
    }

    /// Sniffs bytes and opens them with the decoder of their type.
    ///
    /// A decoder that throws `.unsupported` hands on to the next one of that type. Blocks while
    /// bytes are read. Throws `.unsupported` when the type is not known or has no decoder here,
    /// `.truncated` for no bytes at all, and what the decoder throws.
    public func open(
        _ bytes: any ByteSource, limits: DecodingLimits = .web
    ) throws(MediaError) -> any OpenedMedia {
        try limits.check(input: bytes)
        guard bytes.count > 0 else { throw MediaError(.truncated, "The input is empty.") }
        return try open(bytes, as: try type(of: bytes), limits: limits)
    }

    /// Opens bytes of a type that is known, with the first decoder of it that can.
    ///
    /// A decoder that throws `.unsupported` hands on to the next one. Blocks while bytes are read.
    /// Throws `.unsupported` where no decoder here is one of that type, and what the decoder throws.
    public func open(
        _ bytes: any ByteSource, as type: MediaType, limits: DecodingLimits = .web
    ) throws(MediaError) -> any OpenedMedia {
        var refusal: MediaError?
        for decoder in decoders where decoder.canOpen(type) {
            do throws(MediaError) {
                return try decoder.open(bytes, type: type, limits: limits)
            } catch  where error.code == .unsupported {
                refusal = refusal ?? error
            }
        }
        throw refusal
            ?? MediaError(
                .unsupported,
                type == .unknown
                    ? "The input is not media that lazyimg knows."
                    : "There is no decoder for \(type.name) in this build.")
    }
}

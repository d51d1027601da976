import Synchronization

/// The registered decoders; the one registered last is tried first.
///
/// A value: registering in a copy does not change the original.
public struct DecoderRegistry: Sendable {
    /// Identifies a registration, to remove it.
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
    private let formats: FormatRegistry
    /// What changes the loop of files, beside the decoders of their formats.
    package var rewriters: [any MediaRewriting] = []
    /// What names bytes that no decoder opens.
    package var namer: (any MediaDecoding)?

    /// Makes a registry of decoders that recognize their types themselves; later ones are tried first.
    public init(_ decoders: [any MediaDecoding] = []) {
        formats = FormatRegistry()
        for decoder in decoders { register(decoder) }
    }

    /// Makes a registry of the decoders of formats; one that several formats share is tried once.
    public init(formats: FormatRegistry) {
        self.formats = formats
        namer = ContentNamer(besides: formats.types)
        rewriters = formats.formats.compactMap(\.rewriter)
        var decoders: [any MediaDecoding] = []
        for decoder in formats.formats.flatMap(\.decoders) {
            let isShared = decoders.contains {
                $0.name == decoder.name && Swift.type(of: $0) == Swift.type(of: decoder)
            }
            if !isShared { decoders.append(decoder) }
        }
        for decoder in decoders.reversed() { register(decoder) }
    }

    /// Makes a registry of the decoders of some formats.
    public init(formats: [MediaFormat]) { self.init(formats: FormatRegistry(formats)) }

    /// Adds a decoder that is tried before all others.
    @discardableResult
    public mutating func register(_ decoder: any MediaDecoding) -> Token {
        let token = Token()
        entries.append(Entry(token: token, decoder: decoder))
        return token
    }

    /// Removes a decoder; does nothing where it is not registered.
    public mutating func unregister(_ token: Token) { entries.removeAll { $0.token == token } }

    /// Removes all decoders, and what changes the loop of files beside them.
    public mutating func clear() { (entries, rewriters) = ([], []) }

    /// All decoders, in the order they are tried.
    public var decoders: [any MediaDecoding] { entries.reversed().map(\.decoder) }

    /// The decoder that is tried first for a type, or nil.
    public func decoder(for type: MediaType) -> (any MediaDecoding)? {
        entries.last { $0.decoder.canOpen(type) }?.decoder
    }

    /// What changes loop and delays of a file of a type without encoding it again, or nil.
    ///
    /// It reads the file where the decoders of its format do: in this process, or isolated.
    public func rewriter(for type: MediaType) -> (any MediaRewriting)? {
        rewriters.first { $0.type == type }
    }

    /// The decoder that is tried first for a type among those whose libraries are installed, or nil.
    ///
    /// May load libraries. Throws what the first one lacks where all lack something.
    public func installedDecoder(
        for type: MediaType
    ) throws(MediaError) -> (any MediaDecoding)? {
        var refusal: MediaError?
        for decoder in decoders where decoder.canOpen(type) {
            do throws(MediaError) {
                try decoder.requireSupport(of: type)
                return decoder
            } catch {
                refusal = refusal ?? error
            }
        }
        if let refusal { throw refusal }
        return nil
    }

    /// What can be shown of an incomplete file of a type.
    package func preview(of type: MediaType) -> MediaFormat.Preview {
        formats.format(of: type)?.preview ?? (type.family == .video ? .poster : .none)
    }

    /// What bytes are: as the formats' signatures say, or else as a decoder does.
    ///
    /// Blocks while bytes are read.
    public func type(of bytes: any ByteSource) throws(MediaError) -> MediaType {
        let type = try formats.sniffer.type(of: bytes)
        guard type == .unknown else { return type }
        let head = try bytes.bytes(min(bytes.count, 4096), at: 0)
        return decoders.lazy.compactMap { $0.sniff(head) }.first ?? .unknown
    }

    /// Sniffs bytes and opens them with the decoder of their type.
    ///
    /// After a decoder declines (`MediaError.declined(_:)`) the next one for that type is tried. Blocks
    /// while bytes are read. Throws `.unsupported` for an unknown type and for one without a decoder
    /// here, `.truncated` for an empty input, and what the decoder throws. `cancellation` ends the wait for a
    /// decoder in another process.
    public func open(
        _ bytes: any ByteSource, limits: DecodingLimits = .web,
        cancellation: CancellationFlag = CancellationFlag()
    ) throws(MediaError) -> any OpenedMedia {
        try limits.check(input: bytes)
        guard bytes.count > 0 else { throw MediaError(.truncated, "The input is empty.") }
        let type = try type(of: bytes)
        return try open(bytes, as: type, limits: limits, cancellation: cancellation)
    }

    /// Opens bytes of a known type with the first decoder that does not decline them.
    ///
    /// Blocks while bytes are read. Throws `.unsupported` where no decoder here opens the type, and what
    /// the decoder throws; where a later one does not know the bytes either, what the first one said.
    /// `cancellation` ends the wait for a decoder in another process.
    public func open(
        _ bytes: any ByteSource, as type: MediaType, limits: DecodingLimits = .web,
        cancellation: CancellationFlag = CancellationFlag()
    ) throws(MediaError) -> any OpenedMedia {
        var refusal: MediaError?
        for decoder in decoders where decoder.canOpen(type) {
            do throws(MediaError) {
                return try decoder.open(
                    bytes, type: type, limits: limits, cancellation: cancellation)
            } catch  where error.isDeclined {
                refusal = refusal ?? error
            } catch  where [.unsupported, .malformed].contains(error.code) {
                throw refusal ?? error
            }
        }
        if let refusal { throw refusal }
        guard type == .unknown else {
            throw MediaError(.unsupported, "There is no decoder for \(type.name) in this build.")
        }
        let sentence = try naming(of: bytes, limits: limits, cancellation: cancellation)
        throw sentence.map { MediaError(.unsupported, $0) } ?? .unknownContent
    }

    /// What bytes are that no decoder opens, in one sentence, or nil where they have no name.
    ///
    /// Blocks while their beginning is read; it is looked at where media is decoded.
    package func naming(
        of bytes: any ByteSource, limits: DecodingLimits, cancellation: CancellationFlag
    ) throws(MediaError) -> String? {
        do throws(MediaError) {
            _ = try namer?.open(bytes, type: .unknown, limits: limits, cancellation: cancellation)
        } catch {
            if error.code == .cancelled { throw error }
            // Without a name, for whatever reason, the bytes are unknown all the same.
            return error.code == .unsupported ? error.message : nil
        }
        return nil
    }
}

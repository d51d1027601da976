/// Makes encoders of one format; the role that each format module plays towards a registry.
public protocol EncoderMaking: Sendable {
    /// What its encoders write.
    var type: MediaType { get }

    /// Makes an encoder with options; throws `.notWritable` or `.environment` where that cannot be.
    func makeEncoder(_ options: EncodingOptions) throws(MediaError) -> any MediaEncoding
}

/// The formats that can be written, by type.
///
/// A value: what is registered in a copy is not in the original.
public struct EncoderRegistry: Sendable {
    private var makers: [any EncoderMaking] = []

    /// Makes a registry; later makers are asked first.
    public init(_ makers: [any EncoderMaking] = []) { self.makers = makers }

    /// Adds a maker that is asked before the others of its type.
    public mutating func register(_ maker: any EncoderMaking) { makers.append(maker) }

    /// The types that can be written, in the order they were registered.
    public var types: [MediaType] {
        makers.reduce(into: []) { types, maker in
            if !types.contains(maker.type) { types.append(maker.type) }
        }
    }

    /// Makes an encoder of a type; throws `.notWritable` where no format module writes it.
    public func encoder(
        for type: MediaType, _ options: EncodingOptions = .init()
    ) throws(MediaError) -> any MediaEncoding {
        guard let maker = makers.last(where: { $0.type == type }) else {
            throw MediaError(.notWritable, "There is no encoder for \(type.name) in this build.")
        }
        return try maker.makeEncoder(options)
    }
}

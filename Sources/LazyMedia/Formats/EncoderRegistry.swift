/// Makes encoders of one type.
public struct EncoderFactory: Sendable {
    /// What its encoders write.
    public let type: MediaType
    /// What a file of that type can carry.
    public let traits: FormatTraits
    private let make: Making
    private let makeStill: StillMaking?

    /// Makes an encoder with options, for a number of threads, 0 for one per core.
    public typealias Making =
        @Sendable (_ options: EncodingOptions, _ threads: Int) throws(MediaError)
        -> any MediaEncoding

    /// Makes an encoder of single pictures with options.
    package typealias StillMaking =
        @Sendable (EncodingOptions) throws(MediaError) -> any StillEncoding

    /// Makes a factory; `make` throws `.notWritable` or `.environment` where an encoder cannot be made.
    public init(_ type: MediaType, _ traits: FormatTraits, make: @escaping Making) {
        (self.type, self.traits, self.make, makeStill) = (type, traits, make, nil)
    }

    /// Makes a factory of a format of one picture, which is encoded in memory that is used again.
    package init(still type: MediaType, _ traits: FormatTraits, make: @escaping StillMaking) {
        (self.type, self.traits, makeStill) = (type, traits, make)
        self.make = { (options, _) throws(MediaError) in
            // What cannot be made is said before the first frame.
            _ = try make(options)
            return SingleFrameEncoding(type, hasAlpha: traits.alpha != .none) {
                () throws(MediaError) in try make(options)
            }
        }
    }

    /// Makes an encoder with options, for a number of threads, 0 for one per core.
    ///
    /// Throws `.notWritable` or `.environment`.
    public func makeEncoder(
        _ options: EncodingOptions = .init(), threads: Int = 0
    ) throws(MediaError) -> any MediaEncoding {
        try make(options, threads)
    }

    /// Makes an encoder of single pictures; nil where they are encoded as sequences of one frame.
    func makeStillEncoder(
        _ options: EncodingOptions
    ) throws(MediaError) -> (any StillEncoding)? {
        try makeStill?(options)
    }
}

/// The types that can be written.
///
/// A value: what is registered in a copy is not in the original.
public struct EncoderRegistry: Sendable {
    /// The factories, in the order they are asked.
    public private(set) var factories: [EncoderFactory] = []

    /// Makes a registry; the first factory of a type is the one that is used.
    public init(_ factories: [EncoderFactory] = []) { self.factories = factories }

    /// Adds a factory that is asked before the others of its type.
    public mutating func register(_ factory: EncoderFactory) { factories.insert(factory, at: 0) }

    /// The types that can be written.
    public var types: [MediaType] {
        factories.reduce(into: []) { types, factory in
            if !types.contains(factory.type) { types.append(factory.type) }
        }
    }

    /// What a file of a type can carry; nil for types that are not written.
    public func traits(for type: MediaType) -> FormatTraits? {
        factories.first { $0.type == type }?.traits
    }

    /// Whether files of a type have a palette, whose colors may be dithered.
    package func hasPalette(_ type: MediaType) -> Bool { traits(for: type)?.fidelity == .palette }

    /// Makes an encoder of a type; throws `.notWritable` where no format writes it.
    public func encoder(
        for type: MediaType, _ options: EncodingOptions = .init(), threads: Int = 0
    ) throws(MediaError) -> any MediaEncoding {
        try factory(for: type).makeEncoder(options, threads: threads)
    }

    /// Makes an encoder of single pictures of a type, for one thread.
    ///
    /// Throws `.notWritable` where no format writes it, or only as a sequence of one frame.
    package func stillEncoder(
        for type: MediaType, _ options: EncodingOptions = .init()
    ) throws(MediaError) -> any StillEncoding {
        guard let encoder = try factory(for: type).makeStillEncoder(options) else {
            throw MediaError(.notWritable, "\(type.title) is written as a sequence only.")
        }
        return encoder
    }

    /// What makes encoders of a type; throws `.notWritable` where no format writes it.
    public func factory(for type: MediaType) throws(MediaError) -> EncoderFactory {
        guard let factory = factories.first(where: { $0.type == type }) else {
            throw MediaError(.notWritable, "There is no encoder for \(type.name) in this build.")
        }
        return factory
    }

    /// The type for one picture or several, where a format has two of one file extension.
    ///
    /// `type` itself where there is no other: a GIF of one picture is a GIF.
    public func type(_ type: MediaType, isAnimation: Bool) -> MediaType {
        guard let traits = traits(for: type), traits.canAnimate != isAnimation else { return type }
        let other = factories.first { factory in
            factory.traits.canAnimate == isAnimation
                && factory.type.fileExtensions.first.map(type.fileExtensions.contains) == true
        }
        return other?.type ?? type
    }
}

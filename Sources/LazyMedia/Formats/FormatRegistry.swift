/// The formats of a program, and what follows from them.
///
/// A value: what is registered in a copy is not in the original.
public struct FormatRegistry: Sendable {
    /// The formats, in the order they are asked.
    public private(set) var formats: [MediaFormat] = []
    /// What recognizes them.
    public private(set) var sniffer = MediaSniffer([])

    /// Makes a registry; of two formats of one name the first is asked before the second.
    public init(_ formats: [MediaFormat] = []) {
        for format in formats.reversed() { insert(format) }
        sniffer = MediaSniffer(self.formats.flatMap(\.signatures))
    }

    /// Adds a format that is asked before all others.
    ///
    /// One of the same name gives it what it has beside: types, and decoders and encoders that are
    /// asked second.
    public mutating func register(_ format: MediaFormat) {
        insert(format)
        sniffer = MediaSniffer(formats.flatMap(\.signatures))
    }

    private mutating func insert(_ format: MediaFormat) {
        var format = format
        if let old = formats.firstIndex(where: { $0.name == format.name }) {
            format.add(formats.remove(at: old))
        }
        formats.insert(format, at: 0)
    }

    /// All types that are recognized.
    public var types: [MediaType] { formats.flatMap(\.types) }

    /// The format that files of a type are in, or nil.
    public func format(of type: MediaType) -> MediaFormat? {
        formats.first { $0.types.contains(type) }
    }

    /// The format whose files have an extension, in letters of any case, or nil.
    public func format(named fileExtension: some StringProtocol) -> MediaFormat? {
        let word = fileExtension.lowercased()
        return formats.first { $0.types.contains { $0.fileExtensions.first == word } }
            ?? formats.first { $0.types.contains { $0.fileExtensions.contains(word) } }
    }

    /// The field `Accept` of HTTP that asks for pictures and video that can be read here.
    ///
    /// For loaders of what is shown: a server may answer with another format than the URL names, and not with a
    /// song.
    public var acceptHeader: String {
        let types = formats.filter { !$0.decoders.isEmpty }.flatMap(\.types)
            .filter { $0.family != .audio }.map(\.mimeType)
        let once = types.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return (once + ["*/*;q=0.8"]).joined(separator: ",")
    }

    /// The extensions of files that compression for a transfer does not make smaller.
    public var compressedExtensions: Set<String> {
        Set(formats.filter(\.isCompressed).flatMap(\.types).flatMap(\.fileExtensions))
    }

    /// Whether a remote file of a type is read by ranges.
    public func readsRanges(_ type: MediaType) -> Bool { format(of: type)?.readsRanges == true }

    /// The same formats, with ranges read of files of some types too.
    package func readingRanges(of types: [MediaType]) -> FormatRegistry {
        FormatRegistry(
            formats.map { format in
                var format = format
                if format.types.contains(where: types.contains) { format.readsRanges = true }
                return format
            })
    }

    /// The decoders of all formats; one that several formats share is asked once.
    public var decoders: DecoderRegistry { DecoderRegistry(formats: self) }

    /// The encoders of all formats.
    public var encoders: EncoderRegistry { EncoderRegistry(formats.flatMap(\.encoders)) }

    /// What changes loop and delays of a file of a type without encoding it again, or nil.
    public func rewriter(for type: MediaType) -> (any MediaRewriting)? {
        formats.lazy.compactMap(\.rewriter).first { $0.type == type }
    }

    /// The libraries behind the formats, each once; loads those that are loaded on demand.
    public func libraries() -> [InstalledLibrary] {
        formats.flatMap { $0.libraries() }.reduce(into: []) { libraries, library in
            if !libraries.contains(where: { $0.name == library.name }) {
                libraries.append(library)
            }
        }
    }
}

extension MediaFormat {
    /// Takes over what another value of the same format has beside.
    fileprivate mutating func add(_ other: MediaFormat) {
        types += other.types.filter { !types.contains($0) }
        signatures += other.signatures
        decoders += other.decoders
        encoders += other.encoders
        rewriter = rewriter ?? other.rewriter
        readsRanges = readsRanges || other.readsRanges
        if preview == .none { preview = other.preview }
        printsMessages = printsMessages || other.printsMessages
        libraries = { [libraries, more = other.libraries] in libraries() + more() }
    }
}

internal import CMagic

/// Names by libmagic what no decoder reads: it opens nothing, and its error says what the bytes are.
///
/// A decoder, so that the bytes of strangers are looked at in a process of its own, as all media is.
package struct ContentNamer: MediaDecoding {
    package let name = "libmagic"
    package let loadsLibrary = true
    /// The MIME types of what is read: those are not named, as their bytes are none of it.
    private let known: Set<String>

    /// The most bytes that are looked at.
    private static let headSize = 1 << 16

    /// Makes one for a program that reads some types.
    package init(besides types: [MediaType]) { known = Set(types.map { Self.plain($0.mimeType) }) }

    package func canOpen(_ type: MediaType) -> Bool { type == .unknown }

    package func requireSupport(of type: MediaType) throws(MediaError) {
        guard cmagic_load() == 0 else {
            throw MediaError(.environment, String(cString: cmagic_load_message()))
        }
    }

    package func open(
        _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits
    ) throws(MediaError) -> any OpenedMedia {
        try requireSupport(of: type)
        let head = try bytes.bytes(min(bytes.count, Self.headSize), at: 0)
        guard let name = name(of: head) else { throw .nameless }
        throw MediaError(.unsupported, "This is \(name.text), which lazyimg does not read.")
    }

    private func name(of head: [UInt8]) -> ContentName? {
        var text = [CChar](repeating: 0, count: 256)
        var type = [CChar](repeating: 0, count: 128)
        let result = head.withUnsafeBytes { bytes -> CInt in
            guard let start = bytes.baseAddress else { return -1 }
            return cmagic_describe(start, bytes.count, &text, text.count, &type, type.count)
        }
        guard result == 0 else { return nil }
        let mimeType = Self.string(type)
        guard !known.contains(Self.plain(mimeType)) else { return nil }
        return ContentName(Self.string(text), mimeType: mimeType)
    }

    private static func string(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// A type in one of its two spellings, such as `image/x-tga` and `image/tga`.
    private static func plain(_ mimeType: String) -> String {
        mimeType.split(separator: "/", maxSplits: 1)
            .map { $0.hasPrefix("x-") ? $0.dropFirst(2) : $0 }.joined(separator: "/")
    }

    /// The version of the library, or nil where it is missing.
    package static var version: String? {
        guard cmagic_load() == 0 else { return nil }
        let number = cmagic_version()
        return "\(number / 100).\(number % 100)"
    }
}

extension MediaError {
    /// That libmagic has no name for bytes, which is told to nobody.
    fileprivate static let nameless = MediaError(.notFound, "The bytes have no name.")

    /// That bytes are nothing that is known.
    package static let unknownContent = MediaError(
        .unsupported, "The input is not media that lazyimg knows.")
}

/// Encodes pictures one after the other, in memory that is used again; for one thread at a time.
package protocol StillEncoding {
    /// Encodes a picture and lends the whole file; the pointer is valid only inside the closure.
    ///
    /// Blocks. Throws what the closure throws, `.notWritable` for what the format cannot store, and
    /// `.environment`.
    func encode<Result>(
        _ picture: StillPicture, _ use: (UnsafeRawBufferPointer) throws(MediaError) -> Result
    ) throws(MediaError) -> Result
}

/// A picture to be written, and what its file says of it.
package struct StillPicture: Sendable {
    /// Its pixels.
    package let bitmap: Bitmap
    /// The same with 16 bits a sample, for formats that have them.
    package let deep: DeepBitmap?
    /// The bits of a sample of its source, of which `deep` has no more; nil where they are not known.
    package let depth: Int?
    /// What the samples mean, for formats that say so one picture at a time.
    package let color: ColorDescription
    /// Keywords of 1 to 79 printable ASCII characters and their texts, for PNG.
    package let texts: [(key: String, value: String)]

    /// Makes a picture.
    package init(
        _ bitmap: Bitmap, deep: DeepBitmap? = nil, depth: Int? = nil,
        color: ColorDescription = .sRGB,
        texts: [(key: String, value: String)] = []
    ) {
        self.bitmap = bitmap
        self.deep = deep
        self.depth = depth
        self.color = color
        self.texts = texts
    }
}

/// Encodes a sequence of one frame by what encodes single pictures.
package struct SingleFrameEncoding: MediaEncoding {
    private let type: MediaType
    private let make: @Sendable () throws(MediaError) -> any StillEncoding
    /// Whether transparent pixels stay transparent.
    package let canStoreAlpha: Bool

    /// Makes an encoder of a type; `make` is called for each picture.
    package init(
        _ type: MediaType, hasAlpha: Bool,
        make: @escaping @Sendable () throws(MediaError) -> any StillEncoding
    ) {
        self.type = type
        self.make = make
        canStoreAlpha = hasAlpha
    }

    /// The name of the type.
    package var name: String { type.name }

    /// Never.
    package var canAnimate: Bool { false }

    /// Encodes the one frame; throws `.notWritable` for none and for more.
    package func encode(
        _ frames: Frames, info: MediaInfo, loop: LoopCount,
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) {
        let frame = try await frames.single(for: type.title)
        try make().encode(StillPicture(frame.bitmap, deep: frame.deep, color: frame.color)) {
            (bytes) throws(MediaError) in try write(Array(bytes))
        }
    }
}

/// Decodes single pictures of video codecs, for formats that store such pictures as items.
///
/// The module of the format knows the container, the implementation knows the codecs; neither imports
/// the other, and `LazyKit` gives one to the other.
package protocol CodedPictureDecoding: Sendable {
    /// Throws `.environment` or `.unsupported`, with a sentence, where a codec is missing here.
    ///
    /// May load libraries.
    func require(_ codec: PictureCodec) throws(MediaError)

    /// Makes a decoder of pictures that share a codec and a configuration.
    func makeDecoder(_ setup: PictureDecoderSetup) throws(MediaError) -> any CodedPictureDecoder
}

/// Decodes pictures one after the other, each independent of the others; used by one thread at a time.
package protocol CodedPictureDecoder: AnyObject {
    /// Decodes one picture and provides its samples to a closure; they are valid only inside it.
    ///
    /// Throws `.malformed`, `.truncated`, `.limitExceeded`, `.unsupported` for a layout of samples
    /// that is not planar YUV or gray, and what the closure throws.
    func decode(
        _ bytes: [UInt8], _ use: (SamplePlanes) throws(MediaError) -> Void
    ) throws(MediaError)
}

/// A codec whose pictures stand alone.
package enum PictureCodec: String, Hashable, Sendable {
    case hevc
    case h264
    case av1
    case jpeg = "mjpeg"
}

/// What a decoder of single pictures needs to know.
package struct PictureDecoderSetup: Sendable {
    /// The codec.
    package var codec: PictureCodec
    /// The decoder configuration as the container has it, such as the content of `hvcC`; may be empty.
    package var configuration: [UInt8]
    /// The most pixels of a coded picture.
    package var pixels: Int
    /// The most memory of its pictures together, in bytes; nil is no limit.
    package var memory: Int?
    /// Threads that decode parts of one picture, where it was coded for that.
    package var threads: Int
    /// Whether steps may be skipped that do not show in a small picture.
    package var isQuick: Bool

    /// Makes a setup.
    package init(
        codec: PictureCodec, configuration: [UInt8], pixels: Int, memory: Int? = nil,
        threads: Int = 1, isQuick: Bool = false
    ) {
        self.codec = codec
        self.configuration = configuration
        self.pixels = pixels
        self.memory = memory
        self.threads = threads
        self.isQuick = isQuick
    }
}

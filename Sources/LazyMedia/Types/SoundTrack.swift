/// A track of coded sound beside the frames; its packets are copied, and never decoded.
public protocol SoundTrack: Sendable {
    /// What a container needs to know of it.
    var format: SoundFormat { get }

    /// Makes a reader that is positioned before the first packet.
    ///
    /// Blocks while the header is read.
    func makeReader(_ cancellation: CancellationFlag) throws(MediaError) -> any SoundReader
}

/// Reads the packets of a track, in order; for one thread at a time.
public protocol SoundReader: AnyObject {
    /// The next packet, or nil at the end; blocks while bytes are read.
    func next() throws(MediaError) -> SoundPacket?
}

/// The codec of a track of sound, and what a decoder needs before the first packet.
public struct SoundFormat: Hashable, Sendable {
    /// The codecs that are copied.
    public enum Codec: String, CaseIterable, Hashable, Sendable {
        /// Advanced Audio Coding; the header is its `AudioSpecificConfig`.
        case aac
        /// MPEG-1 or MPEG-2 audio, layer III.
        case mp3
        /// Dolby Digital.
        case ac3
        /// Apple Lossless.
        case alac
        /// The Free Lossless Audio Codec; the header is its `STREAMINFO`.
        case flac
        /// Opus; the header is its `OpusHead` (RFC 7845).
        case opus
        /// Vorbis, for WebM.
        case vorbis
    }

    /// The codec.
    public let codec: Codec
    /// The bytes before the first packet, as FFmpeg's `extradata` has them; empty where there are none.
    public let header: [UInt8]
    /// Samples per second.
    public let sampleRate: Int
    /// The number of channels.
    public let channels: Int
    /// The language as the container has it, or nil.
    public var language: String?

    /// Makes a format.
    public init(codec: Codec, header: [UInt8], sampleRate: Int, channels: Int) {
        self.codec = codec
        self.header = header
        self.sampleRate = sampleRate
        self.channels = channels
    }
}

/// Coded sound of some samples.
public struct SoundPacket: Sendable {
    /// The coded bytes.
    public let bytes: [UInt8]
    /// The first sample, counted from the zero of the film; negative before it.
    public let start: Int64
    /// The number of samples; 0 where only the next packet tells.
    public let length: Int64

    /// Makes a packet.
    public init(bytes: [UInt8], start: Int64, length: Int64) {
        self.bytes = bytes
        self.start = start
        self.length = length
    }
}

/// The sound that is written beside frames: a track, or what belongs to a part of its film.
public struct SoundPart: Sendable {
    /// The track of the source.
    public let track: any SoundTrack
    /// When the result begins in the source.
    public let start: Duration
    /// How long it is heard before the first frame is shown.
    public let lead: Duration
    /// Whether it ends with the last frame that is written; else it is heard to its own end, over that frame.
    public let endsWithFrames: Bool
    /// Whether players begin with it, where there are several.
    public let isDefault: Bool

    /// Makes a part.
    public init(
        _ track: any SoundTrack, from start: Duration, lead: Duration = .zero,
        endsWithFrames: Bool, isDefault: Bool = true
    ) {
        self.track = track
        self.start = start
        self.lead = lead
        self.endsWithFrames = endsWithFrames
        self.isDefault = isDefault
    }
}

import LazyCodecs
import LazyMedia
import LazyVideo
import Support
import Synchronization

/// A source that counts the bytes read from it.
final class CountingBytes: ByteSource {
    private let bytes: MemoryBytes
    private let total = Atomic<Int>(0)

    init(_ bytes: MemoryBytes) { self.bytes = bytes }

    var count: Int { bytes.count }
    var bytesRead: Int { total.load(ordering: .relaxed) }

    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let got = bytes.read(at: offset, into: buffer)
        total.add(got, ordering: .relaxed)
        return got
    }

    func contiguous() -> MemoryBytes { bytes }
}

/// A source that fails after a number of bytes, like a broken disk.
final class FailingBytes: ByteSource {
    private let bytes: MemoryBytes
    private let end: Int

    init(_ bytes: MemoryBytes, after end: Int) {
        self.bytes = bytes
        self.end = end
    }

    var count: Int { bytes.count }

    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int
    {
        guard offset + buffer.count < end else {
            throw MediaError(.environment, "The disk is broken.")
        }
        return bytes.read(at: offset, into: buffer)
    }

    func contiguous() -> MemoryBytes { bytes }
}

/// The types that the video decoder opens: those of formats with a decoder of their own too.
private let recognized = FormatRegistry([.png, .apng, .jpeg, .webp] + MediaFormat.video)

/// Opens bytes with the video decoder only.
func opened(
    _ bytes: any ByteSource, limits: DecodingLimits = .web
) throws(MediaError) -> any OpenedMedia {
    try limits.check(input: bytes)
    let type = try recognized.sniffer.type(of: bytes)
    return try DecoderRegistry([VideoDecoder()]).open(bytes, as: type, limits: limits)
}

/// Opens a clip of `media/` with the video decoder only.
func opened(_ name: String, limits: DecodingLimits = .web) throws -> any OpenedMedia {
    try opened(Media.bytes(name), limits: limits)
}

/// All remaining frames of a reader.
func rest(of reader: any FrameReader) throws(MediaError) -> [Frame] {
    var frames: [Frame] = []
    while let frame = try reader.nextFrame() { frames.append(frame) }
    return frames
}

/// All frames of a clip.
func frames(
    of media: any OpenedMedia, _ options: ReaderOptions = ReaderOptions()
) throws(MediaError) -> [Frame] {
    try rest(of: media.makeReader(options))
}

/// The type of bytes that FFmpeg reads.
func videoType(_ bytes: any ByteSource) throws(MediaError) -> MediaType {
    try recognized.sniffer.type(of: bytes)
}

internal import LazyMedia

/// What a decoder answers.
enum DecoderMessage {
    /// The media is open.
    case opened(MediaInfo)
    /// What was asked for is not available.
    case failed(generation: UInt32, MediaError, [MediaWarning]?)
    /// What was asked for is done.
    case done(generation: UInt32, [MediaWarning]?)
    /// A frame lies in a slot.
    case frame(FrameMessage)
    /// The times of the next frame, whose picture waits for `wantsPicture`.
    case times(generation: UInt32, FrameTiming, [MediaWarning]?)
    /// There are no more frames.
    case end(generation: UInt32, [MediaWarning]?)
    /// An index, or none.
    case index(FrameIndex?)
    /// A picture of a size waits for memory; nil where there is none.
    case picture(PictureOffer?)
    /// Bytes of the source are needed.
    case needsBytes(offset: Int, count: Int)
    /// A range of the source is going to be read; there is no answer.
    case willRead(Range<Int>)
    /// Sound, or none.
    case sound(SoundFormat?)
    /// A packet of sound; nil at the end.
    case packet(SoundPacket?)
    /// The subtitles of a track.
    case subtitles(SubtitleTrack)
    /// Bytes of the file that is written.
    case written([UInt8])
    /// The media has other counts than it said; the answer follows.
    case counted(MediaCounts)
}

/// How the pixels of a frame lie in its slot.
enum PixelLayout: UInt8 {
    /// RGBA8.
    case pixels
    /// RGBA8, then the planes of the same picture.
    case planes
    /// RGBA16, of which RGBA8 is rounded.
    case deep
}

/// A frame in a slot.
struct FrameMessage {
    var generation: UInt32
    var slot: UInt8
    var layout: PixelLayout
    var isOpaque: Bool
    var timing: FrameTiming
    /// The matrix and the range of the planes.
    var matrix: PlanarPicture.Matrix
    var isFullRange: Bool
    /// Nil where the colors are those of the frame before.
    var color: ColorDescription?
    /// Nil where there are none beside those told before.
    var warnings: [MediaWarning]?
}

/// A picture whose size the host did not know.
struct PictureOffer {
    var size: PixelSize
    var isOpaque: Bool
    var layout: PixelLayout
    var timing: FrameTiming?
    var color: ColorDescription
}

extension DecoderMessage: MessageField {
    func write(to writer: inout MessageWriter) {
        switch self {
        case .opened(let info):
            writer.put(UInt8(1))
            writer.put(info)
        case .failed(let generation, let error, let warnings):
            writer.put(UInt8(2))
            writer.put(generation)
            writer.put(error)
            writer.put(warnings)
        case .done(let generation, let warnings):
            writer.put(UInt8(3))
            writer.put(generation)
            writer.put(warnings)
        case .frame(let frame):
            writer.put(UInt8(4))
            writer.put(frame)
        case .end(let generation, let warnings):
            writer.put(UInt8(5))
            writer.put(generation)
            writer.put(warnings)
        case .index(let index):
            writer.put(UInt8(6))
            writer.put(index)
        case .picture(let offer):
            writer.put(UInt8(7))
            writer.put(offer)
        case .needsBytes(let offset, let count):
            writer.put(UInt8(8))
            writer.put(offset)
            writer.put(count)
        case .sound(let format):
            writer.put(UInt8(9))
            writer.put(format)
        case .packet(let packet):
            writer.put(UInt8(10))
            writer.put(packet)
        case .written(let bytes):
            writer.put(UInt8(11))
            writer.put(bytes: bytes)
        case .counted(let counts):
            writer.put(UInt8(12))
            writer.put(counts)
        case .subtitles(let track):
            writer.put(UInt8(13))
            writer.put(track)
        case .willRead(let range):
            writer.put(UInt8(14))
            writer.put(range.lowerBound)
            writer.put(range.upperBound)
        case .times(let generation, let timing, let warnings):
            writer.put(UInt8(15))
            writer.put(generation)
            writer.put(timing)
            writer.put(warnings)
        }
    }

    init(from reader: inout MessageReader) throws(GrammarError) {
        switch try reader.number(UInt8.self) {
        case 1: self = .opened(try reader.field())
        case 2:
            self = .failed(
                generation: try reader.number(), try reader.field(), try reader.field())
        case 3: self = .done(generation: try reader.number(), try reader.field())
        case 4: self = .frame(try reader.field())
        case 5: self = .end(generation: try reader.number(), try reader.field())
        case 6: self = .index(try reader.field())
        case 7: self = .picture(try reader.field())
        case 8:
            let (offset, count): (Int, Int) = (try reader.field(), try reader.field())
            guard offset >= 0, (0...Channel.maxBytes).contains(count) else {
                throw GrammarError("An answer asks for bytes that cannot be.")
            }
            self = .needsBytes(offset: offset, count: count)
        case 9: self = .sound(try reader.field())
        case 10: self = .packet(try reader.field())
        case 11: self = .written(try reader.list(atMost: Int(UInt32.max)))
        case 12: self = .counted(try reader.field())
        case 13: self = .subtitles(try reader.field())
        case 14:
            let (start, end): (Int, Int) = (try reader.field(), try reader.field())
            guard start >= 0, start <= end else {
                throw GrammarError("An answer announces a range that cannot be.")
            }
            self = .willRead(start..<end)
        case 15:
            self = .times(
                generation: try reader.number(), try reader.field(), try reader.field())
        default: throw GrammarError("An answer is of an unknown kind.")
        }
        try reader.end()
    }
}

extension FrameMessage: MessageField {
    func write(to writer: inout MessageWriter) {
        writer.put(generation)
        writer.put(slot)
        writer.put(layout.rawValue)
        writer.put(isOpaque)
        writer.put(timing)
        writer.put(matrix.rawValue)
        writer.put(isFullRange)
        writer.put(color)
        writer.put(warnings)
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        let (generation, slot) = (try reader.number(UInt32.self), try reader.number(UInt8.self))
        guard let layout = PixelLayout(rawValue: try reader.number()) else {
            throw GrammarError("An answer has pixels of an unknown layout.")
        }
        let isOpaque: Bool = try reader.field()
        let timing: FrameTiming = try reader.field()
        guard let matrix = PlanarPicture.Matrix(rawValue: try reader.field()) else {
            throw GrammarError("An answer has planes of an unknown matrix.")
        }
        self.init(
            generation: generation, slot: slot, layout: layout, isOpaque: isOpaque, timing: timing,
            matrix: matrix, isFullRange: try reader.field(), color: try reader.field(),
            warnings: try reader.field())
    }
}

extension PictureOffer: MessageField {
    func write(to writer: inout MessageWriter) {
        writer.put(size)
        writer.put(isOpaque)
        writer.put(layout.rawValue)
        writer.put(timing)
        writer.put(color)
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        let size: PixelSize = try reader.field()
        let isOpaque: Bool = try reader.field()
        guard let layout = PixelLayout(rawValue: try reader.number()), layout != .planes else {
            throw GrammarError("An answer offers a picture of an unknown layout.")
        }
        self.init(
            size: size, isOpaque: isOpaque, layout: layout, timing: try reader.field(),
            color: try reader.field())
    }
}

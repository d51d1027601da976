internal import LazyMedia

/// What a host asks of a decoder.
enum HostMessage {
    /// Open media; where its bytes are comes with the message.
    case open(SourceDescription, DecodingLimits)
    /// Change the loop and the delays of a file, and return its bytes.
    case rewrite(SourceDescription, DecodingLimits, TimingChange)
    /// Begin an operation, whose channel comes with the message.
    case begin(Operation)
    /// The next frame, into one of the slots that are free now.
    case next(generation: UInt32, free: [UInt8], FrameDelivery)
    /// Whether the picture of the frame is wanted whose times have just come.
    case wantsPicture(Bool)
    /// The frame of a number is next.
    case seekIndex(generation: UInt32, Int)
    /// The frame shown at a time is next.
    case seekTime(generation: UInt32, Duration)
    /// Frames that are going to be sought by number; there is no answer.
    case willRead([Int])
    /// The last frame at another size.
    case lastFrame(generation: UInt32, PixelSize)
    /// The memory for an offered picture comes with the message.
    case takePicture
    /// Bytes of the source; none at the end.
    case bytes([UInt8])
    /// The source cannot be read.
    case noBytes(MediaError)
    /// The next packet of sound.
    case nextPacket
}

/// How the next frame is sent.
enum FrameDelivery: UInt8 {
    /// The frame.
    case one
    /// The frame, and those after it while there are free slots.
    case ahead
    /// Its times, and the frame if the host then wants its picture.
    case timesFirst
}

/// Where the bytes of media are, and what a decoder must know of them.
struct SourceDescription: Hashable {
    /// How the bytes come.
    enum Kind: UInt8 {
        /// By a file, whose descriptor comes with the message.
        case file
        /// By memory that nobody can change; its descriptor comes with the message.
        case memory
        /// By messages, range by range.
        case ranges
    }
    let kind: Kind
    let count: Int
    let isRemote: Bool
    let isPartial: Bool
    /// The bytes that are there of a stream that goes on.
    var arrived: Int?
    /// Whether any range of what is remote is fetched by itself.
    var fetchesRanges = false
    let type: MediaType
    /// The number of the video track, or nil for the one that the decoder chooses.
    var track: Int?
}

/// What runs in a decoder on a channel of its own.
enum Operation {
    /// A reader of frames; `slotBytes` is the room of each of the slots in the memory that comes with the message.
    case frames(ReaderOptions, slots: Int, slotBytes: Int)
    /// An index of frames.
    case index(IndexKind)
    /// The picture that the container carries.
    case poster(ReaderOptions)
    /// The sound beside the frames.
    case sound(TrackChoice)
    /// The subtitles of a track.
    case subtitles(TrackChoice)
}

/// The three qualities of an index.
enum IndexKind: UInt8 {
    case exact, container, cheap
}

extension HostMessage: MessageField {
    func write(to writer: inout MessageWriter) {
        switch self {
        case .open(let source, let limits):
            writer.put(UInt8(1))
            writer.put(source)
            writer.put(limits)
        case .rewrite(let source, let limits, let change):
            writer.put(UInt8(2))
            writer.put(source)
            writer.put(limits)
            writer.put(change)
        case .begin(let operation):
            writer.put(UInt8(3))
            writer.put(operation)
        case .next(let generation, let free, let delivery):
            writer.put(UInt8(4))
            writer.put(generation)
            writer.put(bytes: free)
            writer.put(delivery.rawValue)
        case .seekIndex(let generation, let index):
            writer.put(UInt8(5))
            writer.put(generation)
            writer.put(index)
        case .seekTime(let generation, let time):
            writer.put(UInt8(6))
            writer.put(generation)
            writer.put(time)
        case .lastFrame(let generation, let size):
            writer.put(UInt8(7))
            writer.put(generation)
            writer.put(size)
        case .takePicture: writer.put(UInt8(8))
        case .bytes(let bytes):
            writer.put(UInt8(9))
            writer.put(bytes: bytes)
        case .noBytes(let error):
            writer.put(UInt8(10))
            writer.put(error)
        case .nextPacket: writer.put(UInt8(11))
        case .willRead(let indices):
            writer.put(UInt8(12))
            writer.put(indices)
        case .wantsPicture(let isWanted):
            writer.put(UInt8(13))
            writer.put(isWanted)
        }
    }

    init(from reader: inout MessageReader) throws(GrammarError) {
        switch try reader.number(UInt8.self) {
        case 1: self = .open(try reader.field(), try reader.field())
        case 2: self = .rewrite(try reader.field(), try reader.field(), try reader.field())
        case 3: self = .begin(try reader.field())
        case 4:
            let (generation, free) = (try reader.number(UInt32.self), try reader.list(atMost: 64))
            guard let delivery = FrameDelivery(rawValue: try reader.number()) else {
                throw GrammarError("A request has an unknown delivery.")
            }
            self = .next(generation: generation, free: free, delivery)
        case 5: self = .seekIndex(generation: try reader.number(), try reader.field())
        case 6: self = .seekTime(generation: try reader.number(), try reader.field())
        case 7: self = .lastFrame(generation: try reader.number(), try reader.field())
        case 8: self = .takePicture
        case 9: self = .bytes(try reader.list(atMost: Channel.maxBytes))
        case 10: self = .noBytes(try reader.field())
        case 11: self = .nextPacket
        case 12: self = .willRead(try reader.field())
        case 13: self = .wantsPicture(try reader.field())
        default: throw GrammarError("A request is of an unknown kind.")
        }
        try reader.end()
    }
}

extension SourceDescription: MessageField {
    func write(to writer: inout MessageWriter) {
        writer.put(kind.rawValue)
        writer.put(count)
        writer.put(isRemote)
        writer.put(isPartial)
        writer.put(arrived)
        writer.put(fetchesRanges)
        writer.put(type)
        writer.put(track)
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        guard let kind = Kind(rawValue: try reader.number()) else {
            throw GrammarError("A request has a source of an unknown kind.")
        }
        self.init(
            kind: kind, count: try reader.field(), isRemote: try reader.field(),
            isPartial: try reader.field(), arrived: try reader.field(),
            fetchesRanges: try reader.field(), type: try reader.field(),
            track: try reader.field())
        guard count >= 0, arrived ?? 0 >= 0 else {
            throw GrammarError("A request has a source without a size.")
        }
    }
}

extension Operation: MessageField {
    func write(to writer: inout MessageWriter) {
        switch self {
        case .frames(let options, let slots, let slotBytes):
            writer.put(UInt8(1))
            writer.put(options)
            writer.put(slots)
            writer.put(slotBytes)
        case .index(let kind):
            writer.put(UInt8(2))
            writer.put(kind.rawValue)
        case .poster(let options):
            writer.put(UInt8(3))
            writer.put(options)
        case .sound(let choice):
            writer.put(UInt8(4))
            writer.put(choice)
        case .subtitles(let choice):
            writer.put(UInt8(5))
            writer.put(choice)
        }
    }
    init(from reader: inout MessageReader) throws(GrammarError) {
        switch try reader.number(UInt8.self) {
        case 1:
            let options: ReaderOptions = try reader.field()
            let (slots, room): (Int, Int) = (try reader.field(), try reader.field())
            guard (1...64).contains(slots), room > 0, room <= Int.max / 64 else {
                throw GrammarError("A request has impossible slots.")
            }
            self = .frames(options, slots: slots, slotBytes: room)
        case 2:
            guard let kind = IndexKind(rawValue: try reader.number()) else {
                throw GrammarError("A request asks for an unknown index.")
            }
            self = .index(kind)
        case 3: self = .poster(try reader.field())
        case 4: self = .sound(try reader.field())
        case 5: self = .subtitles(try reader.field())
        default: throw GrammarError("A request begins an unknown operation.")
        }
    }
}

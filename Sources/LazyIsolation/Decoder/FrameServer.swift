internal import LazyBase
internal import LazyMedia

/// Reads frames for a host into memory that both have.
///
/// A picture is decoded into its slot where the decoder makes a new bitmap for each, and copied there
/// otherwise. It keeps its bitmap until the host gives the slot back.
final class FrameServer {
    private let operation: MediaOperation
    private let requests: ByteRequests.Current
    private let reader: any FrameReader
    private let size: PixelSize
    private let layout: SlotLayout
    private let memory: LentMemory
    private var inUse: [Int: PixelOwner] = [:]
    private var generation: UInt32 = 0
    /// Frames that were asked for and not sent yet; negative where the host has got more.
    private var owed = 0
    private var delivery = FrameDelivery.one
    /// Whether the host has declined the picture of the frame that is being read.
    private var isDeclined = false
    /// Why the host could not be asked for it.
    private var askingFailure: (any Error)?
    private var toldColor: ColorDescription?
    private var toldWarnings: [MediaWarning]

    /// What keeps the memory of a slot.
    private enum PixelOwner {
        case shallow(Bitmap)
        case deep(DeepBitmap)
        /// Nothing: the slot has a copy.
        case copied
    }

    init(
        _ operation: MediaOperation, _ requests: ByteRequests.Current, reader: any FrameReader,
        size: PixelSize, shared: SharedMemory, slots: Int, options: ReaderOptions
    ) throws(GrammarError) {
        self.operation = operation
        self.requests = requests
        self.reader = reader
        self.size = size
        layout = options.slotLayout(of: size)
        guard let start = shared.withBytes({ $0.baseAddress }),
            layout.byteCount * slots <= shared.count
        else { throw GrammarError("A request has slots that are too small.") }
        memory = LentMemory(
            start, slotCount: slots, slotBytes: layout.byteCount, blockBytes: layout.pixelBytes
        ) { withExtendedLifetime(shared) {} }
        toldWarnings = reader.warnings
    }

    /// Answers until the channel is closed, which it throws.
    func run() throws {
        while true {
            while owed > 0 || delivery == .ahead, memory.hasFreeSlot,
                owed > 0 || !requests.hasMessage
            {
                try sendFrame()
            }
            let request = try requests.next()
            switch request.message {
            case .next(let generation, let free, let delivery):
                for slot in free { release(Int(slot)) }
                guard generation == self.generation else { continue }
                owed += 1
                self.delivery = delivery
            case .seekIndex(let generation, let index):
                try seek(generation) { reader throws(MediaError) in
                    try reader.seek(toIndex: index)
                }
            case .seekTime(let generation, let time):
                try seek(generation) { reader throws(MediaError) in try reader.seek(toTime: time) }
            case .willRead(let indices): reader.willRead(indices)
            case .lastFrame(let generation, let size):
                self.generation = generation
                try sendLast(at: size)
            default: throw GrammarError("A request does not belong to frames.")
            }
        }
    }

    /// The warnings where they are not those that the host was told: a later one may replace an earlier one.
    private var warnings: [MediaWarning]? {
        let warnings = reader.warnings
        guard warnings != toldWarnings else { return nil }
        toldWarnings = warnings
        return warnings
    }

    private func seek(
        _ generation: UInt32, _ body: (any FrameReader) throws(MediaError) -> Void
    ) throws {
        self.generation = generation
        owed = 0
        delivery = .one
        do throws(MediaError) {
            try body(reader)
        } catch {
            return try send(.failed(generation: generation, error, warnings))
        }
        try send(.done(generation: generation, warnings))
    }

    private func send(_ message: DecoderMessage) throws { try operation.send(message) }

    // MARK: - Frames

    private func sendFrame() throws {
        owed -= 1
        isDeclined = false
        let answer = memory.use { nextAnswer() }
        if let askingFailure { throw askingFailure }
        // A declined frame needs no answer.
        if let answer { try send(answer) }
    }

    private func nextAnswer() -> DecoderMessage? {
        do throws(MediaError) {
            guard let (_, frame) = try reader.nextFrame(where: isWanted) else {
                delivery = .one
                return .end(generation: generation, warnings)
            }
            guard let frame, !isDeclined else { return nil }
            return .frame(try placed(frame))
        } catch {
            delivery = .one
            // The host learns it with its next request.
            if isDeclined { owed -= 1 }
            return .failed(generation: generation, error, warnings)
        }
    }

    /// Asks the host, which answers at once.
    private func isWanted(_ timing: FrameTiming) -> Bool {
        guard delivery == .timesFirst else { return true }
        do {
            try send(.times(generation: generation, timing, warnings))
            guard case .wantsPicture(let isWanted) = try requests.answer() else {
                throw GrammarError("A request comes where an answer is due.")
            }
            isDeclined = !isWanted
        } catch {
            askingFailure = error
            isDeclined = true
        }
        return !isDeclined
    }

    private func placed(_ frame: Frame) throws(MediaError) -> FrameMessage {
        guard frame.bitmap.size == size else {
            throw MediaError(.malformed, "A frame has another size than the sequence.")
        }
        var message = FrameMessage(
            generation: generation, slot: 0, layout: .pixels, isOpaque: frame.bitmap.isOpaque,
            timing: frame.timing, matrix: .bt601, isFullRange: false, color: nil, warnings: nil)
        if let deep = frame.deep {
            message.layout = .deep
            message.isOpaque = deep.isOpaque
            message.slot = try place(deep)
        } else {
            message.slot = try place(frame.bitmap)
        }
        if let planes = frame.planes, planes.size == size, frame.deep == nil {
            message.layout = .planes
            message.matrix = planes.matrix
            message.isFullRange = planes.isFullRange
            planes.withBytes { bytes in
                let room = memory.bytes(of: Int(message.slot))
                UnsafeMutableRawBufferPointer(rebasing: room[layout.second...]).copyMemory(
                    from: bytes)
            }
        }
        if frame.color != toldColor {
            toldColor = frame.color
            message.color = frame.color
        }
        message.warnings = warnings
        return message
    }

    private func place(_ bitmap: Bitmap) throws(MediaError) -> UInt8 {
        // Deferred pixels are written now, in their slot.
        try bitmap.withBytes { (bytes) throws(MediaError) in
            try place(bytes, in: memory.slot(of: bitmap), .shallow(bitmap))
        }
    }

    private func place(_ bitmap: DeepBitmap) throws(MediaError) -> UInt8 {
        try bitmap.withBytes { (bytes) throws(MediaError) in
            try place(bytes, in: memory.slot(of: bitmap), .deep(bitmap))
        }
    }

    private func place(
        _ bytes: UnsafeRawBufferPointer, in slot: Int?, _ owner: PixelOwner
    ) throws(MediaError) -> UInt8 {
        // A reader may return a picture again that the host still has: one that it changes later must not
        // change this one.
        if let slot, inUse[slot] == nil {
            inUse[slot] = owner
            return UInt8(clamping: slot)
        }
        guard let slot = memory.takeSlot() else {
            throw MediaError(.environment, "There is no free slot for a frame.")
        }
        memory.bytes(of: slot).copyMemory(from: bytes)
        inUse[slot] = .copied
        return UInt8(clamping: slot)
    }

    private func release(_ slot: Int) {
        if case .copied = inUse.removeValue(forKey: slot) { memory.giveBack(slot) }
    }

    // MARK: - The last frame

    private func sendLast(at size: PixelSize) throws {
        let frame: Frame?
        do throws(MediaError) { frame = try reader.lastFrame(at: size) } catch {
            return try send(.failed(generation: generation, error, warnings))
        }
        guard let frame else { return try send(.picture(nil)) }
        try send(
            .picture(
                PictureOffer(
                    size: frame.bitmap.size, isOpaque: frame.bitmap.isOpaque,
                    layout: frame.deep == nil ? .pixels : .deep, timing: frame.timing,
                    color: frame.color)))
        if let deep = frame.deep {
            try deep.withBytes { try PictureTransfer.write($0, requests) }
        } else {
            try frame.bitmap.withBytes { try PictureTransfer.write($0, requests) }
        }
    }
}

/// Pictures whose size the host learns from an offer.
enum PictureTransfer {
    /// Writes pixels into the memory that comes next.
    static func write(_ pixels: UnsafeRawBufferPointer, _ requests: ByteRequests.Current) throws {
        let request = try requests.next()
        guard case .takePicture = request.message, let file = request.descriptors.first else {
            throw GrammarError("No memory came for a picture.")
        }
        let memory = try SharedMemory(
            file.number, byteCount: pixels.count, writes: true, written: pixels.count)
        memory.withBytes { $0.copyMemory(from: pixels) }
        try requests.channel.send(DecoderMessage.done(generation: 0, nil))
    }
}

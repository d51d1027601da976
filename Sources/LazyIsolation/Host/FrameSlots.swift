internal import LazyBase
internal import LazyMedia

/// The memory into which a decoder writes frames, and whose turn each of its slots is.
final class FrameSlots: Sendable {
    let count: Int
    /// The memory, for the decoder.
    let file: FileDescriptor
    private let memory: SharedMemory
    private let size: PixelSize
    private let layout: SlotLayout
    private let state: Locked<State>

    private struct State {
        /// Slots that the decoder may write.
        var granted: Set<UInt8>
        /// Slots that nobody reads any more, of which the decoder is not told yet.
        var freed: [UInt8] = []
    }

    /// Large frames get few slots.
    private static let maxBytes = 64 << 20

    init(size: PixelSize, layout: SlotLayout, _ options: ReaderOptions) throws(MediaError) {
        self.size = size
        self.layout = layout
        let wanted = options.isSingleFrame ? 2 : options.lendsPixels ? 8 : 4
        count = max(2, min(wanted, Self.maxBytes / layout.byteCount))
        (memory, file) = try SharedMemory.make(byteCount: layout.byteCount * count)
        state = Locked(State(granted: Set((0..<count).map { UInt8($0) })))
    }

    /// Takes a slot from the decoder; false where it was not its.
    func receive(_ slot: UInt8) -> Bool { state.withLock { $0.granted.remove(slot) != nil } }

    /// Gives a slot back.
    func free(_ slot: UInt8) { state.withLock { $0.freed.append(slot) } }

    /// The slots that the decoder gets with the next request.
    func takeFreed() -> [UInt8] {
        state.withLock { state in
            defer { state.freed = [] }
            state.granted.formUnion(state.freed)
            return state.freed
        }
    }

    /// The frame in a slot, as a copy unless it is lent.
    ///
    /// Lent pixels may still be written by the decoder; one slot at least stays the decoder's.
    func frame(
        _ message: FrameMessage, _ color: ColorDescription, lends: Bool
    ) throws(MediaError) -> Frame {
        let start = Int(message.slot) * layout.byteCount
        if message.layout == .deep {
            defer { free(message.slot) }
            return try Frame(
                deep: memory.deepBitmap(size, isOpaque: message.isOpaque, at: start),
                timing: message.timing, color: color)
        }
        if lends, message.layout == .pixels, let bitmap = lent(message, at: start) {
            return Frame(bitmap: bitmap, timing: message.timing, color: color)
        }
        defer { free(message.slot) }
        let bitmap = try memory.bitmap(size, isOpaque: message.isOpaque, at: start)
        let planes = message.layout == .planes ? try planes(message, at: start) : nil
        return Frame(bitmap: bitmap, timing: message.timing, planes: planes, color: color)
    }

    /// The pixels in their slot, or nil where the decoder would have too few others.
    private func lent(_ message: FrameMessage, at start: Int) -> Bitmap? {
        memory.withBytes { bytes in
            guard let first = bytes.baseAddress, hasSpare else { return nil }
            let slot = message.slot
            let pixels = start..<start + size.rgbaByteCount
            return Bitmap(size: size, isOpaque: message.isOpaque, in: first + start) { [self] in
                memory.release(pixels)
                free(slot)
            }
        }
    }

    private func planes(
        _ message: FrameMessage, at start: Int
    ) throws(MediaError) -> PlanarPicture {
        let first = start + layout.second
        let samples = first..<first + PlanarPicture.Layout(size).byteCount
        return try PlanarPicture(
            size: size, matrix: message.matrix, isFullRange: message.isFullRange
        ) { memory.copy(samples, to: $0) }
    }

    // Two are the decoder's or about to be: one is written while one waits.
    private var hasSpare: Bool { state.withLock { $0.granted.count + $0.freed.count >= 2 } }
}

extension SharedMemory {
    /// A copy of a picture that is read once.
    func bitmap(
        _ size: PixelSize, isOpaque: Bool, at start: Int = 0
    ) throws(MediaError) -> Bitmap {
        try Bitmap(size: size, isOpaque: isOpaque) {
            copy(start..<start + size.rgbaByteCount, to: $0)
        }
    }

    /// The same of one with 16 bits a sample.
    func deepBitmap(
        _ size: PixelSize, isOpaque: Bool, at start: Int = 0
    ) throws(MediaError) -> DeepBitmap {
        try DeepBitmap(size: size, isOpaque: isOpaque) {
            copy(start..<start + size.deepByteCount, to: $0)
        }
    }
}

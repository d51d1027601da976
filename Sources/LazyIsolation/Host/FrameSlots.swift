internal import LazyBytes
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
    private static let mostBytes = 64 << 20

    init(size: PixelSize, layout: SlotLayout, _ options: ReaderOptions) throws(MediaError) {
        self.size = size
        self.layout = layout
        let wanted = options.isSingleFrame ? 2 : options.lendsPixels ? 8 : 4
        count = max(2, min(wanted, Self.mostBytes / layout.byteCount))
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
        return try memory.withBytes { (bytes) throws(MediaError) in
            let slot = UnsafeMutableRawBufferPointer(
                rebasing: bytes[start..<start + layout.byteCount])
            return try frame(message, color, slot, lends: lends)
        }
    }

    private func frame(
        _ message: FrameMessage, _ color: ColorDescription,
        _ bytes: UnsafeMutableRawBufferPointer, lends: Bool
    ) throws(MediaError) -> Frame {
        if message.layout == .deep {
            defer { free(message.slot) }
            return try Frame(
                deep: Self.deep(size, message.isOpaque, bytes), timing: message.timing, color: color
            )
        }
        if lends, message.layout == .pixels, let first = bytes.baseAddress, hasSpare {
            let slot = message.slot
            let bitmap = Bitmap(size: size, isOpaque: message.isOpaque, in: first) { [self] in
                free(slot)
            }
            return Frame(bitmap: bitmap, timing: message.timing, color: color)
        }
        defer { free(message.slot) }
        let pixels = UnsafeRawBufferPointer(rebasing: bytes[..<size.rgbaByteCount])
        let bitmap = try Bitmap(size: size, isOpaque: message.isOpaque) {
            $0.copyMemory(from: pixels)
        }
        let planes =
            message.layout == .planes ? try planes(message, UnsafeRawBufferPointer(bytes)) : nil
        return Frame(bitmap: bitmap, timing: message.timing, planes: planes, color: color)
    }

    /// A copy of a picture of 16 bits a sample.
    static func deep(
        _ size: PixelSize, _ isOpaque: Bool, _ bytes: UnsafeMutableRawBufferPointer
    ) throws(MediaError) -> DeepBitmap {
        let samples = UnsafeRawBufferPointer(rebasing: bytes[..<size.deepByteCount])
        return try DeepBitmap(size: size, isOpaque: isOpaque) { $0.copyMemory(from: samples) }
    }

    private func planes(
        _ message: FrameMessage, _ bytes: UnsafeRawBufferPointer
    ) throws(MediaError) -> PlanarPicture {
        let count = PlanarPicture.Layout(size).byteCount
        let samples = UnsafeRawBufferPointer(
            rebasing: bytes[layout.second..<layout.second + count])
        return try PlanarPicture(
            size: size, matrix: message.matrix, isFullRange: message.isFullRange
        ) { $0.copyMemory(from: samples) }
    }

    // Two are the decoder's or about to be: one is written while one waits.
    private var hasSpare: Bool { state.withLock { $0.granted.count + $0.freed.count >= 2 } }
}

internal import CJXL
internal import LazyBase
internal import LazyMedia

/// Owns libjxl's decoder and feeds it with the bytes of a source, piece by piece.
///
/// Between two pieces it checks cancellation and time.
final class JXLDecoderHandle {
    /// What the decoder has done, or asks for.
    enum Event {
        case basicInfo, color, frame, needsBuffer, picture
        /// Nothing that was subscribed to follows.
        case end
    }

    let jxl: UnsafePointer<CJXLTable>
    let decoder: OpaquePointer
    /// Throws where the work takes too long.
    var checkTime: () throws(MediaError) -> Void = {}
    private let bytes: any ByteSource
    private let cancellation: CancellationFlag
    private let threads: UnsafeMutableRawPointer?
    /// The bytes between two checks.
    private var step = 1 << 16
    /// The piece that the decoder reads from.
    private var piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 16)
    /// The events that were subscribed to.
    private var wanted: CInt = 0
    /// The offset of the first byte that the decoder has not been given.
    private var offset = 0

    /// Whether the decoder got several pieces, of bytes that are all there.
    var isInPieces: Bool { !bytes.isPartial && step < bytes.count }

    init(
        _ bytes: any ByteSource, threads count: Int, cancellation: CancellationFlag
    ) throws(MediaError) {
        jxl = try JXLLibrary.load()
        guard let decoder = jxl.pointee.JxlDecoderCreate(nil) else {
            throw MediaError(.environment, "There is no memory for decoding a JPEG XL.")
        }
        self.decoder = decoder
        self.bytes = bytes
        self.cancellation = cancellation
        threads = count > 1 ? cjxl_add_threads(decoder, count) : nil
        LiveHandles.didOpen()
    }

    deinit {
        jxl.pointee.JxlDecoderDestroy(decoder)
        if let threads { cjxl_free_threads(threads) }
        piece.deallocate()
        LiveHandles.didClose()
    }

    /// Chooses the events and whether layers are merged into displayed frames; before the first event.
    func subscribe(to events: JxlDecoderStatus..., mergingLayers: Bool) throws(MediaError) {
        wanted = events.reduce(0) { $0 | CInt($1.rawValue) }
        try check(jxl.pointee.JxlDecoderSubscribeEvents(decoder, wanted))
        try check(jxl.pointee.JxlDecoderSetCoalescing(decoder, mergingLayers ? 1 : 0))
        try check(jxl.pointee.JxlDecoderSetUnpremultiplyAlpha(decoder, 1))
    }

    /// Begins again with the first frame.
    func rewind() throws(MediaError) {
        _ = jxl.pointee.JxlDecoderReleaseInput(decoder)
        jxl.pointee.JxlDecoderRewind(decoder)
        offset = 0
        // libjxl 0.7 forgets the events, whatever its documentation says.
        try check(jxl.pointee.JxlDecoderSubscribeEvents(decoder, wanted))
    }

    /// Begins again, and gives the decoder all bytes at once.
    func rewindToWhole() throws(MediaError) {
        step = bytes.count
        try rewind()
    }

    /// Decodes up to the next event.
    ///
    /// Throws `.truncated` where the bytes end before it.
    func next() throws(MediaError) -> Event {
        while true {
            try cancellation.check()
            try checkTime()
            switch jxl.pointee.JxlDecoderProcessInput(decoder) {
            case JXL_DEC_NEED_MORE_INPUT: try feed()
            case JXL_DEC_BASIC_INFO: return .basicInfo
            case JXL_DEC_COLOR_ENCODING: return .color
            case JXL_DEC_FRAME: return .frame
            case JXL_DEC_NEED_IMAGE_OUT_BUFFER: return .needsBuffer
            case JXL_DEC_FULL_IMAGE: return .picture
            case JXL_DEC_SUCCESS: return .end
            default: throw MediaError(.malformed, "Cannot decode the JPEG XL: it is damaged.")
            }
        }
    }

    /// Gives the decoder the next piece, which begins with what it left of the last one.
    private func feed() throws(MediaError) {
        let rest = jxl.pointee.JxlDecoderReleaseInput(decoder)
        offset -= rest
        if piece.count < rest + step {
            piece.deallocate()
            piece = .allocate(byteCount: rest + step, alignment: 16)
        }
        let target = UnsafeMutableRawBufferPointer(rebasing: piece[..<(rest + step)])
        let count = try bytes.fill(target, at: offset, cancellation: cancellation)
        guard count > rest else {
            throw MediaError(.truncated, "The JPEG XL ends early.")
        }
        offset += count
        let start = piece.baseAddress?.assumingMemoryBound(to: UInt8.self)
        try check(jxl.pointee.JxlDecoderSetInput(decoder, start, count))
    }

    /// Throws unless a call succeeded.
    func check(_ status: JxlDecoderStatus) throws(MediaError) {
        guard status == JXL_DEC_SUCCESS else {
            throw MediaError(.malformed, "Cannot decode the JPEG XL: libjxl refuses it.")
        }
    }
}

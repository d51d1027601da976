internal import CGIF
internal import LazyMedia

/// Owns giflib's encoder handle; bytes are written in pieces.
struct GIFStream: ~Copyable {
    /// The buffer giflib writes to.
    private struct Sink {
        var bytes: [UInt8] = []
        var isMuted = false
    }
    /// The least number of bytes in a written piece.
    private static let pieceByteCount = 1 << 16

    private let handle: UnsafeMutablePointer<GifFileType>
    private let sink: UnsafeMutablePointer<Sink>
    private let write: ([UInt8]) throws(MediaError) -> Void

    init(to write: @escaping ([UInt8]) throws(MediaError) -> Void) throws(MediaError) {
        let sink = UnsafeMutablePointer<Sink>.allocate(capacity: 1)
        sink.initialize(to: Sink())
        var status: CInt = 0
        guard let handle = EGifOpen(sink, GIFStream.put, &status) else {
            sink.deinitialize(count: 1)
            sink.deallocate()
            throw GIFStream.error(status)
        }
        LiveHandles.didOpen()
        self.handle = handle
        self.sink = sink
        self.write = write
    }

    deinit {
        // Closing writes the trailer, which is either written already or not needed.
        sink.pointee.isMuted = true
        EGifCloseFile(handle, nil)
        sink.deinitialize(count: 1)
        sink.deallocate()
        LiveHandles.didClose()
    }

    /// Writes the header: screen descriptor, palette and loop.
    ///
    /// `repeats` is the number of the loop extension: 0 forever, nil for no extension.
    func begin(_ size: PixelSize, _ palette: GIFColorTable?, repeats: Int?) throws(MediaError) {
        EGifSetGifVersion(handle, true)
        try withMap(palette) { map in
            EGifPutScreenDesc(handle, CInt(size.width), CInt(size.height), 8, 0, map)
        }
        if let repeats { try putLoop(repeats) }
        try flush(1)
    }

    /// Writes one image with its control block; `palette` where it has one of its own.
    ///
    /// `codes` are the compressed data as blocks, each behind its length.
    func put(
        _ rect: PixelRect, _ control: GIFControl, palette: GIFColorTable?, codes: [UInt8]
    ) throws(MediaError) {
        var block = GraphicsControlBlock(
            DisposalMode: control.clearsAfter ? CInt(DISPOSE_BACKGROUND) : CInt(DISPOSE_DO_NOT),
            UserInputFlag: false, DelayTime: CInt(control.delay),
            TransparentColor: control.transparent.map(CInt.init) ?? NO_TRANSPARENT_COLOR)
        var bytes: [UInt8] = [0, 0, 0, 0]
        EGifGCBToExtension(&block, &bytes)
        try check(EGifPutExtension(handle, GRAPHICS_EXT_FUNC_CODE, CInt(bytes.count), bytes))
        // giflib would leak the color map of the previous image.
        if palette == nil {
            GifFreeMapObject(handle.pointee.Image.ColorMap)
            handle.pointee.Image.ColorMap = nil
        }
        try withMap(palette) { map in
            EGifPutImageDesc(
                handle, CInt(rect.x), CInt(rect.y), CInt(rect.width), CInt(rect.height),
                false, map)
        }
        try putBlocks(codes)
        try flush(Self.pieceByteCount)
    }

    /// Writes the trailer and flushes.
    func finish() throws(MediaError) {
        sink.pointee.bytes.append(0x3B)
        try flush(1)
    }

    private func putLoop(_ repeats: Int) throws(MediaError) {
        let number = [1, UInt8(repeats & 0xFF), UInt8(repeats >> 8)]
        try check(EGifPutExtensionLeader(handle, APPLICATION_EXT_FUNC_CODE))
        try check(EGifPutExtensionBlock(handle, 11, Array("NETSCAPE2.0".utf8)))
        try check(EGifPutExtensionBlock(handle, CInt(number.count), number))
        try check(EGifPutExtensionTrailer(handle))
    }

    private func putBlocks(_ codes: [UInt8]) throws(MediaError) {
        let status = codes.withUnsafeBufferPointer { codes in
            var position = 0
            while position < codes.count {
                let block = codes.baseAddress.map { $0 + position }
                guard EGifPutCodeNext(handle, block) == GIF_OK else { return CInt(GIF_ERROR) }
                position += Int(codes[position]) + 1
            }
            return EGifPutCodeNext(handle, nil)
        }
        try check(status)
    }

    private func withMap(
        _ palette: GIFColorTable?, _ put: (UnsafeMutablePointer<ColorMapObject>?) -> CInt
    ) throws(MediaError) {
        guard let palette else { return try check(put(nil)) }
        let map = GifMakeMapObject(CInt(1 << palette.bitCount), nil)
        guard let map else {
            throw MediaError(.environment, "There is no memory for the palette of a GIF.")
        }
        defer { GifFreeMapObject(map) }
        for (index, color) in palette.colors.enumerated() {
            map.pointee.Colors[index] = GifColorType(
                Red: UInt8(truncatingIfNeeded: color), Green: UInt8(truncatingIfNeeded: color >> 8),
                Blue: UInt8(truncatingIfNeeded: color >> 16))
        }
        try check(put(map))
    }

    private func flush(_ least: Int) throws(MediaError) {
        guard sink.pointee.bytes.count >= least else { return }
        let piece = sink.pointee.bytes
        sink.pointee.bytes = []
        try write(piece)
    }

    private func check(_ status: CInt) throws(MediaError) {
        if status != GIF_OK { throw Self.error(handle.pointee.Error) }
    }

    private static let put: OutputFunc = { handle, bytes, count in
        guard let bytes, let context = handle?.pointee.UserData else { return 0 }
        let sink = context.assumingMemoryBound(to: Sink.self)
        guard !sink.pointee.isMuted else { return count }
        sink.pointee.bytes.append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
        return count
    }

    private static func error(_ status: CInt) -> MediaError {
        let words = GifErrorString(status).map { String(cString: $0) } ?? "error \(status)"
        return MediaError(.environment, "Cannot write the GIF: giflib says \"\(words)\".")
    }
}

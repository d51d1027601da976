internal import CGIF
internal import LazyMedia

/// Owns giflib's handle, reading from a source of bytes.
///
/// Between two records giflib keeps no state but the position in the stream, so the cursor can be
/// set to any image's descriptor.
struct GIFFile: ~Copyable {
    /// The position giflib reads from.
    private struct Cursor: ~Copyable {
        var window: GIFWindow
        var position = 0
    }

    private let handle: UnsafeMutablePointer<GifFileType>
    private let cursor: UnsafeMutablePointer<Cursor>
    /// The colors of the whole file, none where it has no global palette.
    let globalPalette: GIFPalette

    /// Opens a GIF: reads its signature, screen descriptor and global palette.
    init(_ source: any ByteSource) throws(MediaError) {
        let cursor = UnsafeMutablePointer<Cursor>.allocate(capacity: 1)
        cursor.initialize(to: Cursor(window: GIFWindow(source, size: 1 << 16)))
        var status: CInt = 0
        guard let handle = DGifOpen(cursor, GIFFile.read, &status) else {
            let failure = cursor.pointee.window.failure
            cursor.deinitialize(count: 1)
            cursor.deallocate()
            throw failure ?? GIFFile.error(status, "open the GIF")
        }
        LiveHandles.didOpen()
        self.handle = handle
        self.cursor = cursor
        globalPalette = GIFPalette(handle.pointee.SColorMap)
    }

    deinit {
        // Closing frees the handle whatever it returns; there is no file that could fail.
        DGifCloseFile(handle, nil)
        cursor.deinitialize(count: 1)
        cursor.deallocate()
        LiveHandles.didClose()
    }

    /// Reads one image's record: its palette, and its compressed data block after block.
    ///
    /// `data` takes the data without the blocks' length bytes. Returns what is wrong with the
    /// record, too; what there was of it is in `data` nonetheless.
    mutating func readImage(
        _ image: GIFImage, into data: inout GIFCodeBytes
    ) -> (palette: GIFPalette, damage: MediaError?) {
        data.removeAll(reserving: image.dataByteCount)
        cursor.pointee.position = image.descriptorOffset
        let status = readRecord(minimumCodeSize: image.minimumCodeSize, into: &data)
        let damage =
            cursor.pointee.window.failure
            ?? status.map { GIFFile.error($0, "read an image of the GIF") }
        guard image.localColorCount != nil else { return (globalPalette, damage) }
        return (GIFPalette(handle.pointee.Image.ColorMap), damage)
    }

    /// The error code, or nil on success.
    private func readRecord(
        minimumCodeSize: Int, into data: inout GIFCodeBytes
    ) -> CInt? {
        var record = UNDEFINED_RECORD_TYPE
        var codeSize: CInt = 0
        var block: UnsafeMutablePointer<GifByteType>?
        guard DGifGetRecordType(handle, &record) == GIF_OK, record == IMAGE_DESC_RECORD_TYPE
        else { return handle.pointee.Error }
        // Not DGifGetImageDesc: that one keeps a SavedImage for each image it has seen.
        if DGifGetImageHeader(handle) == GIF_OK {
            guard DGifGetCode(handle, &codeSize, &block) == GIF_OK else {
                return handle.pointee.Error
            }
        } else {
            // giflib rejects minimum code sizes over 8, which `LZWDecoder` accepts; by then it has
            // read the header.
            guard minimumCodeSize > 8, DGifGetCodeNext(handle, &block) == GIF_OK else {
                return handle.pointee.Error
            }
        }
        while let counted = block {
            data.append(UnsafeRawPointer(counted + 1), count: Int(counted[0]))
            guard DGifGetCodeNext(handle, &block) == GIF_OK else { return handle.pointee.Error }
        }
        return nil
    }

    private static let read: InputFunc = { handle, target, count in
        guard let target, let context = handle?.pointee.UserData else { return 0 }
        let cursor = context.assumingMemoryBound(to: Cursor.self)
        let length = cursor.pointee.window.copy(
            at: cursor.pointee.position, to: target, count: Int(count))
        cursor.pointee.position += length
        return CInt(length)
    }

    /// An error with giflib's description; most of its codes mean damaged input.
    private static func error(_ status: CInt, _ task: String) -> MediaError {
        let words = GifErrorString(status).map { String(cString: $0) } ?? "error \(status)"
        let code: MediaError.Code =
            switch status {
            case D_GIF_ERR_NOT_ENOUGH_MEM: .environment
            case D_GIF_ERR_READ_FAILED, D_GIF_ERR_EOF_TOO_SOON, D_GIF_ERR_NO_SCRN_DSCR: .truncated
            default: .malformed
            }
        return MediaError(code, "Cannot \(task): giflib says \"\(words)\".")
    }
}

extension GIFPalette {
    fileprivate init(_ map: UnsafeMutablePointer<ColorMapObject>?) {
        guard let map, let colors = map.pointee.Colors else {
            self.init()
            return
        }
        let buffer = UnsafeBufferPointer(start: colors, count: Int(map.pointee.ColorCount))
        self.init(buffer.lazy.map { ($0.Red, $0.Green, $0.Blue) })
    }
}

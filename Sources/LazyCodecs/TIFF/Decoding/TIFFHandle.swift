internal import CTIFF
internal import LazyBase
internal import LazyMedia

/// Owns libtiff's file and its input.
final class TIFFHandle {
    private let file: OpaquePointer
    private let input: Input

    /// The callback's source, and the error it met.
    private final class Input {
        let bytes: any ByteSource
        let cancellation: CancellationFlag
        var checkTime: () throws(MediaError) -> Void = {}
        var failure: MediaError?
        /// The bytes that may still be read.
        private var room: Int

        init(_ bytes: any ByteSource, atMost most: Int, _ cancellation: CancellationFlag) {
            self.bytes = bytes
            room = most
            self.cancellation = cancellation
        }

        func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
            do throws(MediaError) {
                try check()
                guard let offset = Int(exactly: offset), offset < bytes.count else { return 0 }
                room -= buffer.count
                guard room >= 0 else { throw Self.repeats }
                return try bytes.fill(buffer, at: offset, cancellation: cancellation)
            } catch {
                failure = error
                return -1
            }
        }

        func check() throws(MediaError) {
            try cancellation.check()
            try checkTime()
        }

        private static let repeats = MediaError(
            .limitExceeded, "The directories of the TIFF name the same bytes too many times.")
    }

    /// Opens a file and reads its first directory; throws once more than `most` bytes are read.
    init(
        _ bytes: any ByteSource, atMost most: Int, limits: DecodingLimits,
        cancellation: CancellationFlag,
        checkTime: @escaping () throws(MediaError) -> Void
    ) throws(MediaError) {
        try TIFFLibrary.load()
        input = Input(bytes, atMost: most, cancellation)
        input.checkTime = checkTime
        let source = ctiff_source(
            context: Unmanaged.passUnretained(input).toOpaque(), size: UInt64(bytes.count),
            read: { context, offset, out, size in
                Unmanaged<Input>.fromOpaque(context).takeUnretainedValue().read(
                    at: offset, into: UnsafeMutableRawBufferPointer(start: out, count: size))
            })
        var words = [CChar](repeating: 0, count: 256)
        guard let file = ctiff_open(source, Int64(limits.memory ?? 0), &words, words.count) else {
            if let failure = input.failure { throw failure }
            let code = bytes.count < 16 ? MediaError.Code.truncated : .malformed
            throw MediaError(code, "Cannot read the TIFF: \(String(cTIFF: words)).")
        }
        self.file = file
        LiveHandles.didOpen()
    }

    deinit {
        ctiff_close(file)
        LiveHandles.didClose()
    }

    /// Describes the current directory; nil where it holds no picture.
    ///
    /// A profile that equals `known` is not held twice.
    func page(knowing known: ICCProfile? = nil) -> TIFFPage? {
        var page = ctiff_page()
        guard ctiff_describe(file, &page) == 0 else { return nil }
        return TIFFPage(page, knowing: known)
    }

    /// Reads the next directory; false where there is none.
    ///
    /// Throws where the chain of directories is damaged.
    func next() throws(MediaError) -> Bool {
        try input.check()
        ctiff_forget(file)
        if ctiff_next(file) != 0 { return true }
        try checkDamage("read")
        return false
    }

    /// Reads the directory of a page again.
    func go(to page: TIFFPage) throws(MediaError) {
        ctiff_forget(file)
        guard ctiff_go_to(file, page.offset) == 0, self.page()?.size == page.size else {
            try checkDamage("read")
            throw MediaError(.malformed, "Cannot read the TIFF: a page is not found again.")
        }
    }

    /// The layout of the current page's rows; its palette is valid while the page is current.
    func layout() -> ctiff_layout? {
        var page = ctiff_page()
        guard ctiff_describe(file, &page) == 0 else { return nil }
        return ctiff_layout_of(file, &page)
    }

    /// Decodes a strip or tile and returns its number of bytes.
    func read(
        _ piece: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(MediaError) -> Int {
        try input.check()
        ctiff_forget(file)
        guard let start = buffer.baseAddress else { return 0 }
        let count = ctiff_read_piece(file, UInt32(piece), start, Int64(buffer.count))
        guard count >= 0 else {
            try checkDamage("decode")
            throw MediaError(.malformed, "Cannot decode the TIFF.")
        }
        return min(Int(count), buffer.count)
    }

    /// Decodes a whole page by libtiff's own conversion; alpha is associated.
    ///
    /// Returns an error of which a part of the picture is missing.
    func readPixels(into rows: UnsafeMutableRawBufferPointer) throws(MediaError) -> MediaError? {
        try input.check()
        ctiff_forget(file)
        guard let start = rows.assumingMemoryBound(to: UInt32.self).baseAddress else { return nil }
        let status = ctiff_read_rgba(file, start, rows.count / 4)
        do throws(MediaError) {
            try checkDamage("decode")
        } catch {
            guard status == 0, [.malformed, .truncated].contains(error.code) else { throw error }
            return error
        }
        return nil
    }

    /// Throws what went wrong since `ctiff_forget`.
    private func checkDamage(_ verb: String) throws(MediaError) {
        let isTruncated = ctiff_did_pass_end(file) != 0
        if let failure = input.failure {
            input.failure = nil
            throw failure
        }
        let words = String(cString: ctiff_words(file))
        guard !words.isEmpty else { return }
        let reason = words.last == "." ? String(words.dropLast()) : words
        throw MediaError(
            isTruncated ? .truncated : .malformed, "Cannot \(verb) the TIFF: \(reason).")
    }
}

internal import CPNG
internal import LazyMedia

/// The one owner of a libpng reader that stands before the pixels.
struct PNGFile: ~Copyable {
    /// What reading the pixels gave besides the pixels.
    enum Outcome: Equatable {
        case whole
        /// Nothing, or not all: the words say why.
        case partly(rows: Int, MediaWarning)
        case stopped
    }

    let size: PixelSize
    let hasAlpha: Bool
    private let reader: OpaquePointer
    // Holds the memory that libpng reads from.
    private let bytes: MemoryBytes

    init(_ bytes: MemoryBytes) throws(MediaError) {
        // The memory is `bytes`', which lives as long as this owner, and does not move.
        let opened = bytes.withBytes { memory in
            memory.baseAddress.flatMap { cpng_open($0, memory.count) }
        }
        guard let opened else {
            throw MediaError(.environment, "There is no memory for reading a PNG.")
        }
        var header = cpng_header()
        let status = cpng_read_header(opened, &header)
        let size = PixelSize(checking: Int(header.width), Int(header.height))
        guard status == CPNG_DONE, let size else {
            defer { cpng_close(opened) }
            throw Self.error(status, String(cString: cpng_message(opened)))
        }
        self.size = size
        self.bytes = bytes
        hasAlpha = header.has_alpha != 0
        reader = opened
        LiveHandles.didOpen()
    }

    deinit {
        cpng_close(reader)
        LiveHandles.didClose()
    }

    /// Reads the pixels; to be called once.
    ///
    /// Rows that do not come are left as they are.
    func readPixels(
        into rgba: UnsafeMutableRawBufferPointer, cancellation: CancellationFlag
    ) -> Outcome {
        guard let target = rgba.bindMemory(to: UInt8.self).baseAddress else { return .stopped }
        var rows = 0
        let status = withExtendedLifetime(cancellation) {
            let context = Unmanaged.passUnretained(cancellation).toOpaque()
            return cpng_read_pixels(
                reader, target,
                {
                    Unmanaged<CancellationFlag>.fromOpaque($0).takeUnretainedValue().isCancelled
                        ? 1 : 0
                },
                context, &rows)
        }
        if status == CPNG_STOPPED { return .stopped }
        if status == CPNG_DONE { return .whole }
        let isEarly = status == CPNG_TRUNCATED
        return .partly(rows: rows, isEarly ? .pngEndsEarly : damage(cpng_message(reader)))
    }

    /// What libpng thought odd on the way, such as a wrong check sum.
    var warning: MediaWarning? {
        let words = cpng_warning(reader)
        return words.pointee == 0 ? nil : damage(words)
    }

    private func damage(_ words: UnsafePointer<CChar>) -> MediaWarning {
        MediaWarning(.malformed, "The PNG is damaged: \(String(cString: words)).")
    }

    private static func error(_ status: cpng_status, _ words: String) -> MediaError {
        status == CPNG_TRUNCATED
            ? MediaError(.truncated, "The PNG ends before its pixels begin.")
            : MediaError(.malformed, "The PNG's header is damaged: \(words).")
    }
}

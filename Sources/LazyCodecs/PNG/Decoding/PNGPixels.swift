internal import CPNG
internal import LazyMedia

/// The outcome of reading the pixels of a PNG.
struct PNGPixels {
    /// Whether all rows were read.
    private(set) var areWhole = true
    private(set) var warnings: [MediaWarning] = []

    /// Makes an outcome without damage.
    init() {}

    /// Adds a warning.
    mutating func addWarning(_ warning: MediaWarning) { warnings.append(warning) }

    /// Reads the pixels, of 16-bit samples with `isDeep`; missing rows are transparent.
    ///
    /// Throws `.truncated` or `.malformed` when no row was read.
    init(
        reading bytes: any ByteSource, size: PixelSize, into rgba: UnsafeMutableRawBufferPointer,
        isDeep: Bool = false, cancellation: CancellationFlag
    ) throws(MediaError) {
        rgba.initializeMemory(as: UInt8.self, repeating: 0)
        try read(
            file: bytes, size: size, into: .rows(rgba), isDeep: isDeep, cancellation: cancellation)
    }

    /// Passes on the rows of a picture that is not interlaced, from the top.
    ///
    /// Throws `.truncated` or `.malformed` when no row was read.
    init(
        reading bytes: any ByteSource, size: PixelSize, isDeep: Bool = false,
        cancellation: CancellationFlag, _ taker: RowTaker
    ) throws(MediaError) {
        do throws(MediaError) {
            try read(
                file: bytes, size: size, into: .taker(taker), isDeep: isDeep,
                cancellation: cancellation)
        } catch {
            throw taker.failure ?? error
        }
    }

    /// Reads the pixels of a file in parts, ignoring checksums.
    init(
        reading pieces: [UnsafeRawBufferPointer], size: PixelSize,
        into rgba: UnsafeMutableRawBufferPointer, isDeep: Bool = false,
        cancellation: CancellationFlag
    ) throws(MediaError) {
        rgba.initializeMemory(as: UInt8.self, repeating: 0)
        let parts = pieces.compactMap { piece in
            piece.bindMemory(to: UInt8.self).baseAddress.map {
                cpng_piece(bytes: $0, count: piece.count)
            }
        }
        try read(
            parts, nil, ignoresSums: true, size: size, into: .rows(rgba), isDeep: isDeep,
            cancellation: cancellation)
    }

    /// What reads a file piece by piece; keeps an error until it can be thrown.
    private final class Input {
        let bytes: any ByteSource
        private(set) var failure: MediaError?

        init(_ bytes: any ByteSource) { self.bytes = bytes }

        func read(_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
            do throws(MediaError) { return try bytes.fill(buffer, at: offset) } catch {
                failure = error
                return 0
            }
        }
    }

    /// Where rows go.
    private enum Target {
        case rows(UnsafeMutableRawBufferPointer)
        case taker(RowTaker)
    }

    private mutating func read(
        file: any ByteSource, size: PixelSize, into target: Target, isDeep: Bool,
        cancellation: CancellationFlag
    ) throws(MediaError) {
        if let memory = file as? MemoryBytes {
            return try memory.withBytes { (bytes) throws(MediaError) in
                let start = bytes.bindMemory(to: UInt8.self).baseAddress
                try read(
                    [cpng_piece(bytes: start, count: bytes.count)], nil, ignoresSums: false,
                    size: size, into: target, isDeep: isDeep, cancellation: cancellation)
            }
        }
        let input = Input(file)
        do throws(MediaError) {
            try read(
                [cpng_piece(bytes: nil, count: file.count)], input, ignoresSums: false, size: size,
                into: target, isDeep: isDeep, cancellation: cancellation)
        } catch {
            throw input.failure ?? error
        }
        if let failure = input.failure { throw failure }
    }

    private mutating func read(
        _ parts: [cpng_piece], _ input: Input?, ignoresSums: Bool, size: PixelSize,
        into target: Target, isDeep: Bool, cancellation: CancellationFlag
    ) throws(MediaError) {
        var rows = 0
        var error = [CChar](repeating: 0, count: Int(CPNG_MESSAGE_SIZE))
        var warning = error
        let status = withExtendedLifetime((cancellation, target, input)) {
            parts.withUnsafeBufferPointer { parts -> cpng_status in
                guard let start = parts.baseAddress else { return CPNG_TRUNCATED }
                var rgba: UnsafeMutablePointer<UInt8>?
                var context: UnsafeMutableRawPointer?
                switch target {
                case .rows(let rows): rgba = rows.bindMemory(to: UInt8.self).baseAddress
                case .taker(let taker): context = Unmanaged.passUnretained(taker).toOpaque()
                }
                // The size is that of the header, whose sides are 32-bit numbers.
                var task = cpng_task(
                    pieces: start, piece_count: parts.count,
                    read: { context, offset, buffer, count in
                        Unmanaged<Input>.fromOpaque(context).takeUnretainedValue()
                            .read(offset, .init(start: buffer, count: count))
                    },
                    read_context: input.map { Unmanaged.passUnretained($0).toOpaque() },
                    ignores_sums: ignoresSums ? 1 : 0,
                    width: UInt32(size.width), height: UInt32(size.height), rgba: rgba,
                    take_row: { context, row, count in
                        let row = UnsafeRawBufferPointer(start: row, count: count)
                        let taker = Unmanaged<RowTaker>.fromOpaque(context).takeUnretainedValue()
                        return taker.take(row) ? 1 : 0
                    },
                    row_context: context, is_deep: isDeep ? 1 : 0,
                    should_stop: { context in
                        let flag = Unmanaged<CancellationFlag>.fromOpaque(context)
                        return flag.takeUnretainedValue().isCancelled ? 1 : 0
                    },
                    context: UnsafeRawPointer(Unmanaged.passUnretained(cancellation).toOpaque()))
                return cpng_read(&task, &rows, &error, &warning)
            }
        }
        if warning[0] != 0 { warnings.append(.pngIsDamaged(warning)) }
        switch status {
        case CPNG_DONE: return
        case CPNG_STOPPED: throw .cancelled
        case CPNG_NO_MEMORY:
            throw MediaError(.environment, "There is no memory for reading a PNG.")
        default: break
        }
        let isEarly = status == CPNG_TRUNCATED
        let damage = isEarly ? MediaWarning.pngEndsEarly : .pngIsDamaged(error)
        guard rows > 0 else {
            throw MediaError(isEarly ? .truncated : .malformed, damage.message)
        }
        warnings.append(damage)
        areWhole = false
    }
}

extension MediaWarning {
    /// The bytes of a PNG end before its last chunk does.
    static let pngEndsEarly = MediaWarning(.truncated, "The PNG ends early.")

    fileprivate static func pngIsDamaged(_ words: [CChar]) -> MediaWarning {
        let words = words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return MediaWarning(
            .malformed, "The PNG is damaged: \(String(decoding: words, as: UTF8.self)).")
    }
}

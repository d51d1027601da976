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
        reading bytes: MemoryBytes, size: PixelSize, into rgba: UnsafeMutableRawBufferPointer,
        isDeep: Bool = false, cancellation: CancellationFlag
    ) throws(MediaError) {
        rgba.initializeMemory(as: UInt8.self, repeating: 0)
        try bytes.withBytes { (memory) throws(MediaError) in
            try read(
                [memory], ignoresSums: false, size: size, into: .rows(rgba), isDeep: isDeep,
                cancellation: cancellation)
        }
    }

    /// Passes on the rows of a picture that is not interlaced, from the top.
    ///
    /// Throws `.truncated` or `.malformed` when no row was read.
    init(
        reading bytes: MemoryBytes, size: PixelSize, isDeep: Bool = false,
        cancellation: CancellationFlag, eachRow take: @escaping (UnsafeRawPointer) -> Void
    ) throws(MediaError) {
        try bytes.withBytes { (memory) throws(MediaError) in
            try read(
                [memory], ignoresSums: false, size: size, into: .function(Function(take)),
                isDeep: isDeep, cancellation: cancellation)
        }
    }

    /// Reads the pixels of a file in parts, ignoring checksums.
    init(
        reading pieces: [UnsafeRawBufferPointer], size: PixelSize,
        into rgba: UnsafeMutableRawBufferPointer, isDeep: Bool = false,
        cancellation: CancellationFlag
    ) throws(MediaError) {
        rgba.initializeMemory(as: UInt8.self, repeating: 0)
        try read(
            pieces, ignoresSums: true, size: size, into: .rows(rgba), isDeep: isDeep,
            cancellation: cancellation)
    }

    /// What takes rows one by one.
    private final class Function {
        let take: (UnsafeRawPointer) -> Void

        init(_ take: @escaping (UnsafeRawPointer) -> Void) { self.take = take }
    }

    /// Where rows go.
    private enum Target {
        case rows(UnsafeMutableRawBufferPointer)
        case function(Function)
    }

    private mutating func read(
        _ pieces: [UnsafeRawBufferPointer], ignoresSums: Bool, size: PixelSize,
        into target: Target, isDeep: Bool, cancellation: CancellationFlag
    ) throws(MediaError) {
        var rows = 0
        var error = [CChar](repeating: 0, count: Int(CPNG_MESSAGE_SIZE))
        var warning = error
        let parts = pieces.compactMap { piece in
            piece.bindMemory(to: UInt8.self).baseAddress.map {
                cpng_piece(bytes: $0, count: piece.count)
            }
        }
        let status = withExtendedLifetime((cancellation, target)) {
            parts.withUnsafeBufferPointer { parts -> cpng_status in
                guard let start = parts.baseAddress else { return CPNG_TRUNCATED }
                var rgba: UnsafeMutablePointer<UInt8>?
                var function: UnsafeMutableRawPointer?
                switch target {
                case .rows(let rows): rgba = rows.bindMemory(to: UInt8.self).baseAddress
                case .function(let taker): function = Unmanaged.passUnretained(taker).toOpaque()
                }
                // The size is that of the header, whose sides are 32-bit numbers.
                var task = cpng_task(
                    pieces: start, piece_count: parts.count, ignores_sums: ignoresSums ? 1 : 0,
                    width: UInt32(size.width), height: UInt32(size.height), rgba: rgba,
                    take_row: { context, row in
                        Unmanaged<Function>.fromOpaque(context).takeUnretainedValue().take(row)
                    },
                    row_context: function, is_deep: isDeep ? 1 : 0,
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

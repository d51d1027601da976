internal import LazyMedia

/// Decompresses GIF's variable-width LZW codes into color indices.
///
/// A string of the table is not kept but found: it stands in the output already, where it was
/// written first. Each entry is its place and length; each code copies its string forward.
struct LZWDecoder: ~Copyable {
    /// How decompressing came to an end.
    enum Ending: Hashable, Sendable {
        /// All indices are there.
        case complete
        /// The data, or its end code, came before the last index.
        case short
        /// A code names a string that is not in the table.
        case badCode
        /// Somebody set the flag.
        case cancelled
    }

    /// The format says 8, but all decoders take what leaves room for the clear code in 12 bits.
    static let largestMinimum = 11
    /// Indices between two looks at the cancellation flag.
    private static let stride = 1 << 20

    /// An entry's place in the raster's memory, shifted by 16, and its length.
    ///
    /// One more than there are codes: the entry after the last is written and never read.
    private let table: UnsafeMutablePointer<UInt64>

    init() {
        table = .allocate(capacity: 4097)
        table.initialize(repeating: 0, count: 4097)
    }

    deinit { table.deallocate() }

    /// What lasts from one stretch of codes to the next.
    private struct State {
        var bit = 0
        var width: Int
        var next: Int
        /// The previous string as a table entry, or 0 after a clear code.
        var previous: UInt64 = 0
        var position = GIFRaster.origin
        var ending: Ending?

        init(clear: Int) {
            width = clear.trailingZeroBitCount + 1
            next = clear + 2
        }

        /// What a clear code does.
        mutating func startOver(_ clear: Int) {
            width = clear.trailingZeroBitCount &+ 1
            next = clear &+ 2
            previous = 0
        }
    }

    /// Writes at most `limit` indices to a raster that has room for them.
    ///
    /// `codes` must have `GIFCodeBytes.padding` readable bytes behind it.
    mutating func decompress(
        _ codes: UnsafeRawBufferPointer, minimumCodeSize: Int, into raster: inout GIFRaster,
        limit: Int, isCancelled: () -> Bool
    ) -> Ending {
        guard minimumCodeSize <= Self.largestMinimum, let input = codes.baseAddress else {
            return .badCode
        }
        for code in 0..<(1 << minimumCodeSize) { table[code] = UInt64(code & 0xFF) << 16 | 1 }
        var state = State(clear: 1 << minimumCodeSize)
        let end = GIFRaster.origin + limit
        while state.ending == nil, state.position < end {
            if isCancelled() { return .cancelled }
            run(
                &state, input: input, bitCount: codes.count * 8,
                clear: 1 << minimumCodeSize, output: raster.memory,
                until: min(end, state.position + Self.stride))
        }
        raster.count = min(limit, state.position - GIFRaster.origin)
        return raster.count == limit ? .complete : state.ending ?? .short
    }

    /// Runs codes until the output has reached a position or the codes have ended.
    ///
    /// Bounds: `width` is at most 12 and `bit` at most `bitCount`, so that the eight bytes read lie
    /// within the padding; a code is at most `next`, itself at most 4096; a string is at most 4096
    /// long and begins before `end`, so that it ends within the raster's slack.
    private func run(
        _ state: inout State, input: UnsafeRawPointer, bitCount: Int, clear: Int,
        output: UnsafeMutablePointer<UInt8>, until end: Int
    ) {
        let table = table
        // A copy, which lives in registers.
        var now = state
        defer { state = now }
        while now.position < end {
            guard now.bit &+ now.width <= bitCount else {
                now.ending = .short
                return
            }
            let word = (input + (now.bit &>> 3)).loadUnaligned(as: UInt64.self)
            let bits = word &>> UInt64(now.bit & 7)
            let code = Int(truncatingIfNeeded: bits) & ((1 &<< now.width) &- 1)
            now.bit &+= now.width
            if UInt(bitPattern: code &- clear) <= 1 {
                guard code == clear else {
                    now.ending = .short
                    return
                }
                now.startOver(clear)
                continue
            }
            guard code <= (now.previous == 0 ? clear &- 1 : now.next) else {
                now.ending = .badCode
                return
            }
            // The new string is the previous one and the first index of this one, which stands
            // right behind it. It may be this very one. The first code after a clear adds none.
            table[now.next] = now.previous &+ 1
            let entry = table[code]
            let length = Int(entry & 0xFFFF)
            let source = UnsafeMutableRawPointer(output + Int(entry &>> 16))
            copy(source, to: output + now.position, length)
            if code == now.next { output[now.position &+ length &- 1] = output[now.position] }
            now.next &+= now.previous != 0 && now.next < 4096 ? 1 : 0
            // Not only when a string was added: so minimum code sizes below 2 get their third bit.
            if now.next >= 1 &<< now.width, now.width < 12 { now.width &+= 1 }
            now.previous = UInt64(now.position) &<< 16 | UInt64(length)
            now.position &+= length
        }
    }

    /// Copies a string forward in steps that may write up to 31 bytes more.
    ///
    /// Bytes before the target are never written, and a string stands before its target but for the
    /// last index of one that is not finished, which the caller writes: so steps need not be small.
    @inline(__always)
    private func copy(
        _ source: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer, _ length: Int
    ) {
        target.storeBytes(
            of: source.loadUnaligned(as: SIMD16<UInt8>.self), as: SIMD16<UInt8>.self)
        var done = 16
        while done < length {
            (target + done).storeBytes(
                of: (source + done).loadUnaligned(as: SIMD16<UInt8>.self), as: SIMD16<UInt8>.self)
            done &+= 16
        }
    }
}

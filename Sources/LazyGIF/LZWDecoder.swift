internal import LazyMedia

/// Decompresses GIF's variable-width LZW codes into colour indices.
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
        var state = State(width: minimumCodeSize + 1, next: (1 << minimumCodeSize) + 2)
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
        let base = UnsafeMutableRawPointer(output)
        let table = table
        var bit = state.bit
        var width = state.width
        var next = state.next
        var previous = state.previous
        var position = state.position
        defer {
            state.bit = bit
            state.width = width
            state.next = next
            state.previous = previous
            state.position = position
        }
        while position < end {
            guard bit &+ width <= bitCount else {
                state.ending = .short
                return
            }
            let word = (input + (bit &>> 3)).loadUnaligned(as: UInt64.self)
            let code = Int(truncatingIfNeeded: word &>> UInt64(bit & 7)) & ((1 &<< width) &- 1)
            bit &+= width
            if UInt(bitPattern: code &- clear) <= 1 {
                guard code == clear else {
                    state.ending = .short
                    return
                }
                width = clear.trailingZeroBitCount &+ 1
                next = clear &+ 2
                previous = 0
                continue
            }
            if previous == 0 {
                // The first code after a clear adds no string, but counts for the width, which
                // tells only for minimum code sizes below 2.
                guard code < clear else {
                    state.ending = .badCode
                    return
                }
                output[position] = UInt8(truncatingIfNeeded: code)
                previous = UInt64(position) &<< 16 | 1
                position &+= 1
                if next >= 1 &<< width { width &+= 1 }
                continue
            }
            guard code <= next else {
                state.ending = .badCode
                return
            }
            // The new string is the previous one and the first index of this one, which stands
            // right behind it. It may be this very one.
            table[next] = previous &+ 1
            let entry = table[code]
            let length = Int(entry & 0xFFFF)
            copy(base + Int(entry &>> 16), to: base + position, length)
            if code == next { output[position &+ length &- 1] = output[position] }
            if next < 4096 {
                next &+= 1
                if next == 1 &<< width, width < 12 { width &+= 1 }
            }
            previous = UInt64(position) &<< 16 | UInt64(length)
            position &+= length
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

/// Decompresses GIF's variable-width LZW codes into color indices.
///
/// The table does not hold strings but where each first appears in the output, with its length;
/// each code copies its string forward.
struct LZWDecoder: ~Copyable {
    /// How decompression ended.
    enum Ending: Hashable, Sendable {
        /// All indices are there.
        case complete
        /// The data or its end code came before the last index.
        case short
        /// A code names a string that is not in the table.
        case badCode
        /// The cancellation flag was set.
        case cancelled
    }

    /// The format allows 8; all decoders accept sizes that leave room for the clear code in 12
    /// bits.
    static let largestMinimum = 11
    /// Indices decoded between two checks of the cancellation flag.
    private static let stride = 1 << 20

    /// Entries: the offset in the raster's memory, shifted by 16, and the length.
    ///
    /// One more than there are codes: the entry after the last is written and never read.
    private let table: UnsafeMutablePointer<UInt64>

    init() {
        table = .allocate(capacity: 4097)
        table.initialize(repeating: 0, count: 4097)
    }

    deinit { table.deallocate() }

    /// The state between two runs of codes.
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

        /// Resets the table, as a clear code does.
        mutating func startOver(_ clear: Int) {
            width = clear.trailingZeroBitCount &+ 1
            next = clear &+ 2
            previous = 0
        }
    }

    /// Decodes at most `limit` indices into a raster that has room for them.
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
        // A local copy is kept in registers.
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
            // The new string is the previous one plus the first index of this one, which follows it
            // in the output. It may be this one itself. The first code after a clear code adds
            // none.
            table[now.next] = now.previous &+ 1
            let entry = table[code]
            let length = Int(entry & 0xFFFF)
            let source = UnsafeMutableRawPointer(output + Int(entry &>> 16))
            copy(source, to: output + now.position, length)
            if code == now.next { output[now.position &+ length &- 1] = output[now.position] }
            now.next &+= now.previous != 0 && now.next < 4096 ? 1 : 0
            // Also where no string was added: minimum code sizes below 2 get their third bit this
            // way.
            if now.next >= 1 &<< now.width, now.width < 12 { now.width &+= 1 }
            now.previous = UInt64(now.position) &<< 16 | UInt64(length)
            now.position &+= length
        }
    }

    /// Copies a string forward in steps that may write up to 31 bytes more.
    ///
    /// The source lies before the target, except for the last index of an unfinished string, which
    /// the caller writes; so overlapping steps are safe.
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

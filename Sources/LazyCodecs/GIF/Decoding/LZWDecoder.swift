/// Decompresses GIF's variable-width LZW codes into color indices.
///
/// The table does not hold strings but where each first appears in the output; each code copies its string forward.
/// With four bytes a code it leaves room in the processor's first cache.
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

    /// Indices decoded between two checks of the cancellation flag.
    private static let stride = 1 << 20

    private static let maxCodes = 4096

    /// For each code where its string begins in the raster's memory; of a literal 0.
    ///
    /// A string is the one before it and the first index of the one after, which follow each other in the output: so
    /// it ends with the index at which the next entry begins. Two entries more than codes: where the last string ends,
    /// and one that is written and never read. An image has less than 2³² indices.
    private let starts: UnsafeMutablePointer<UInt32>

    init() {
        starts = .allocate(capacity: Self.maxCodes + 2)
        starts.initialize(repeating: 0, count: Self.maxCodes + 2)
    }

    deinit { starts.deallocate() }

    /// What does not change while an image is decoded.
    private struct Image {
        let input: UnsafeRawPointer
        let bitCount: Int
        let memory: UnsafeMutablePointer<UInt8>
        let starts: UnsafeMutablePointer<UInt32>
        let clear: Int
    }

    /// The state between two codes.
    private struct State {
        var bit = 0
        var width: Int
        /// The code that the next string gets: of the previous code and an index more.
        var next: Int
        var position = GIFRaster.origin
        /// Where the first string after the last clear code begins.
        var first = GIFRaster.origin
        var ending: Ending?

        init(clear: Int) {
            width = clear.trailingZeroBitCount + 1
            next = clear + 1
        }

        /// Resets the table, as a clear code does; the first code after it adds no string.
        mutating func startOver(_ clear: Int) {
            width = clear.trailingZeroBitCount &+ 1
            next = clear &+ 1
            first = position
        }
    }

    /// Decodes at most `limit` indices into a raster that has room for them.
    ///
    /// `codes` must have `GIFCodeBytes.padding` readable bytes behind it.
    mutating func decompress(
        _ codes: UnsafeRawBufferPointer, minimumCodeSize: Int, into raster: inout GIFRaster,
        limit: Int, isCancelled: () -> Bool
    ) -> Ending {
        guard minimumCodeSize <= GIFRaster.largestCodeSize, let input = codes.baseAddress else {
            return .badCode
        }
        let clear = 1 << minimumCodeSize
        // Also of the two codes behind, so that every literal ends where it begins.
        for code in 0..<clear + 2 { starts[code] = 0 }
        let image = Image(
            input: input, bitCount: codes.count * 8, memory: raster.memory, starts: starts,
            clear: clear)
        var state = State(clear: clear)
        let end = GIFRaster.origin + limit
        while state.ending == nil, state.position < end {
            if isCancelled() { return .cancelled }
            Self.run(&state, image, until: min(end, state.position + Self.stride))
        }
        raster.count = min(limit, state.position - GIFRaster.origin)
        return raster.count == limit ? .complete : state.ending ?? .short
    }

    /// Runs codes until the output has reached a position or the codes have ended.
    ///
    /// Bounds: `width` is at most 12 and `bit` at most `bitCount`, so that the eight bytes read lie within the padding;
    /// a code is at most `next`, itself at most 4096; a string is at most 4096 long and begins before `end`, so that it
    /// ends within the raster's slack.
    private static func run(_ state: inout State, _ image: Image, until end: Int) {
        while state.position < end, state.ending == nil {
            if state.next < maxCodes {
                runGrowing(&state, image, until: end)
            } else {
                runFull(&state, image, until: end)
            }
            // Also after a first code, which adds no string: minimum code sizes below 2 get their third bit this way.
            if state.next >= 1 &<< state.width, state.width < 12, state.position > state.first {
                state.width &+= 1
            } else if state.position < end {
                runOne(&state, image)
            }
        }
    }

    /// Runs one code, whatever it means.
    private static func runOne(_ state: inout State, _ image: Image) {
        guard state.bit &+ state.width <= image.bitCount else { return state.ending = .short }
        let word = (image.input + (state.bit &>> 3)).loadUnaligned(as: UInt64.self)
        let mask = (1 &<< state.width) &- 1
        let code = Int(truncatingIfNeeded: word &>> UInt64(state.bit & 7)) & mask
        state.bit &+= state.width
        if code == image.clear { return state.startOver(image.clear) }
        if code == image.clear &+ 1 { return state.ending = .short }
        guard code <= state.next else { return state.ending = .badCode }
        image.starts[state.next &+ 1] = UInt32(truncatingIfNeeded: state.position)
        if code == state.next {
            state.position &+= repeatFirst(after: state.position, code, image)
        } else {
            state.position &+= copy(code, to: state.position, image)
        }
        state.next &+= state.next < maxCodes ? 1 : 0
    }

    // The loops are functions of their own, so that their variables are kept in registers.

    /// Runs codes of one width that add strings.
    @inline(never)
    private static func runGrowing(_ state: inout State, _ image: Image, until end: Int) {
        runFours(&state, image, until: end, growing: true)
    }

    /// Runs codes while the table is full.
    @inline(never)
    private static func runFull(_ state: inout State, _ image: Image, until end: Int) {
        runFours(&state, image, until: end, growing: false)
    }

    /// Runs codes by fours, up to one that is no string.
    ///
    /// Eight bytes hold four codes of 12 bits, from any bit on. Of four strings the first three must end before the
    /// output does; none is longer than the number of strings since the clear code.
    @inline(__always)
    private static func runFours(
        _ state: inout State, _ image: Image, until end: Int, growing: Bool
    ) {
        let width = state.width
        let lastBit = image.bitCount &- 4 &* width
        let lastNext = growing ? min(1 &<< width, maxCodes) &- 4 : maxCodes
        let lastSum = end &+ 3 &* (image.clear &- 3)
        var bit = state.bit
        var codes = Codes(width: width, next: state.next, position: state.position)
        while codes.next <= lastNext, bit <= lastBit, codes.position &+ 3 &* codes.next < lastSum {
            let word = (image.input + (bit &>> 3)).loadUnaligned(as: UInt64.self)
            codes.word = word &>> UInt64(bit & 7)
            let count = codes.runFour(image, growing)
            bit &+= count &* width
            if count < 4 { break }
        }
        (state.bit, state.next, state.position) = (bit, codes.next, codes.position)
    }

    /// Codes in a word.
    private struct Codes {
        var word: UInt64 = 0
        let width: UInt64
        let mask: UInt64
        var next: Int
        var position: Int

        init(width: Int, next: Int, position: Int) {
            self.width = UInt64(width)
            mask = (1 &<< self.width) &- 1
            (self.next, self.position) = (next, position)
        }

        /// Runs four codes, or those before one that is no string; returns their number.
        @inline(__always)
        mutating func runFour(_ image: Image, _ growing: Bool) -> Int {
            // Not a loop, which takes a tenth longer.
            guard runNext(image, growing) else { return 0 }
            guard runNext(image, growing) else { return 1 }
            guard runNext(image, growing) else { return 2 }
            return runNext(image, growing) ? 4 : 3
        }

        /// Runs the next code; false where it is no string.
        @inline(__always)
        mutating func runNext(_ image: Image, _ growing: Bool) -> Bool {
            let code = Int(truncatingIfNeeded: word & mask)
            guard UInt(bitPattern: code &- image.clear) > 1 else { return false }
            if growing {
                image.starts[next &+ 1] = UInt32(truncatingIfNeeded: position)
                if code >= next {
                    guard code == next else { return false }
                    position &+= LZWDecoder.repeatFirst(after: position, code, image)
                    next &+= 1
                    word &>>= width
                    return true
                }
                next &+= 1
            }
            position &+= LZWDecoder.copy(code, to: position, image)
            word &>>= width
            return true
        }
    }

    /// Appends the string of a code, and returns its length.
    @inline(__always)
    private static func copy(_ code: Int, to position: Int, _ image: Image) -> Int {
        let entry = UnsafeRawPointer(image.starts + code).loadUnaligned(as: UInt64.self)
        let start = Int(truncatingIfNeeded: entry & 0xFFFF_FFFF)
        let length = Int(truncatingIfNeeded: entry &>> 32) &- start &+ 1
        copy(
            image.memory + (code < image.clear ? code : start), to: image.memory + position, length)
        return length
    }

    /// Appends the string that the code itself adds: the previous one and its first index.
    @inline(__always)
    private static func repeatFirst(after position: Int, _ code: Int, _ image: Image) -> Int {
        let start = Int(image.starts[code])
        let length = position &- start &+ 1
        copy(image.memory + start, to: image.memory + position, length)
        image.memory[position &+ length &- 1] = image.memory[position]
        return length
    }

    /// Copies a string forward in steps that may write up to 15 bytes more.
    ///
    /// The source lies before the target, except for the last index of an unfinished string, which
    /// the caller writes; so overlapping steps are safe.
    @inline(__always)
    private static func copy(
        _ source: UnsafeMutablePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>,
        _ length: Int
    ) {
        let (source, target) = (UnsafeMutableRawPointer(source), UnsafeMutableRawPointer(target))
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

internal import FoundationEssentials
import Glibc
internal import LazyBase
internal import LazyMedia

/// The bytes of one frame: a buffer that grows and is reused; owns its memory.
///
/// A frame that is streamed needs the memory of a part of it. For one thread at a time.
final class EscapeBuffer {
    private(set) var count = 0
    private var capacity: Int
    private var bytes: UnsafeMutablePointer<UInt8>
    /// Whether sequences of pictures are wrapped for tmux.
    let isWrapped: Bool
    /// Where the bytes of a frame that is streamed go, and the error that ended that.
    private var sink: Sink?
    private var fault: SystemError?

    typealias Sink = (UnsafeRawBufferPointer) throws(SystemError) -> Void
    /// The bytes that are handed on at once, about.
    private static let part = 1 << 16

    init(isWrapped: Bool) {
        self.isWrapped = isWrapped
        capacity = 1 << 16
        bytes = .allocate(capacity: capacity)
    }

    deinit { bytes.deallocate() }

    /// The content.
    var content: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: bytes, count: count) }

    /// Removes the content and keeps the memory.
    func removeAll() { count = 0 }

    /// Starts over, and hands on what a body appends, in parts; what it throws is a lack of memory.
    func stream(
        to use: Sink, _ body: () throws(MediaError) -> Void
    ) throws(SystemError) {
        removeAll()
        fault = nil
        let isDone = withoutActuallyEscaping(use) { use in
            sink = use
            defer { sink = nil }
            do throws(MediaError) { try body() } catch { return false }
            return true
        }
        if let fault { throw fault }
        guard isDone else { throw SystemError(code: ENOMEM) }
        if count > 0 { try use(content) }
    }

    /// Hands on the bytes of a frame that is streamed, where there are enough of them.
    func flushIfFull() {
        guard count >= Self.part, let sink else { return }
        // After an error nobody wants the rest.
        if fault == nil {
            do throws(SystemError) { try sink(content) } catch { fault = error }
        }
        removeAll()
    }

    /// Reserves room for so many more bytes and returns its address.
    func reserve(_ more: Int) -> UnsafeMutablePointer<UInt8> {
        if count + more > capacity {
            let grown = max(capacity * 2, count + more)
            let other = UnsafeMutablePointer<UInt8>.allocate(capacity: grown)
            other.update(from: bytes, count: count)
            bytes.deallocate()
            (bytes, capacity) = (other, grown)
        }
        return bytes + count
    }

    /// Counts bytes that were written to the reserved room.
    func didWrite(_ number: Int) { count += number }

    func append(_ text: StaticString) {
        let room = reserve(text.utf8CodeUnitCount)
        room.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
        count += text.utf8CodeUnitCount
    }

    func append(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            guard let start = utf8.baseAddress else { return }
            reserve(utf8.count).update(from: start, count: utf8.count)
            count += utf8.count
        }
    }

    func append(number: Int) {
        let room = reserve(20)
        count += Self.write(number, to: room)
    }

    func append(_ other: UnsafeRawBufferPointer) {
        guard let start = other.baseAddress else { return }
        memcpy(reserve(other.count), start, other.count)
        count += other.count
    }

    /// Appends bytes in base64, and hands on what is complete.
    func append(base64 bytes: UnsafeRawBufferPointer) {
        // Whole groups of three bytes need no padding.
        let step = Self.part / 4 * 3
        for start in stride(from: 0, to: bytes.count, by: step) {
            let end = min(start + step, bytes.count)
            let text = Data(bytes[start..<end]).base64EncodedData()
            text.withUnsafeBytes { append($0) }
            flushIfFull()
        }
    }

    /// Begins a sequence for the terminal itself; `introducer` follows its escape.
    func begin(_ introducer: StaticString) {
        if isWrapped { append("\u{1B}Ptmux;\u{1B}") }
        append("\u{1B}")
        append(introducer)
    }

    /// Begins a sequence for the terminal itself that draws where the cursor is.
    ///
    /// tmux moves the terminal's cursor when it draws, not before it passes a sequence on, and after that the
    /// cursor is in the corner of the window. While lines wrap, it collects characters and draws them later.
    /// Of two blanks of different colors it draws one at least; the sequence begins with the step back.
    func beginAtCursor(_ introducer: StaticString) {
        guard isWrapped else { return begin(introducer) }
        append("\u{1B}[?7l\u{1B}[31m \u{08}\u{1B}[32m \u{1B}[0m\u{1B}[?7h")
        append("\u{1B}Ptmux;\u{1B}\u{1B}[D\u{1B}\u{1B}")
        append(introducer)
    }

    /// Ends a sequence for the terminal itself by ST.
    func end() {
        append(isWrapped ? "\u{1B}\u{1B}\\\u{1B}\\" : "\u{1B}\\")
    }

    /// Writes a number of up to eight digits and returns the count of its digits.
    @inline(__always)
    static func write(_ number: Int, to room: UnsafeMutablePointer<UInt8>) -> Int {
        var number = number
        var digits: UInt64 = 0
        var count = 0
        repeat {
            digits = digits << 8 | UInt64(48 + number % 10)
            number /= 10
            count += 1
        } while number > 0 && count < 8
        for place in 0..<count {
            room[place] = UInt8(truncatingIfNeeded: digits)
            digits >>= 8
        }
        return count
    }
}

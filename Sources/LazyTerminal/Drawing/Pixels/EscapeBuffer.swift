internal import FoundationEssentials
import Glibc

/// The bytes of one frame: a buffer that grows and is reused; owns its memory.
///
/// For one thread at a time.
final class EscapeBuffer {
    private(set) var count = 0
    private var capacity: Int
    private var bytes: UnsafeMutablePointer<UInt8>
    /// Whether sequences of pictures are wrapped for tmux.
    let isWrapped: Bool

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

    func append(base64 bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        let text = Data(bytes: start, count: bytes.count).base64EncodedData()
        text.withUnsafeBytes { append($0) }
    }

    /// Begins a sequence for the terminal itself; `introducer` follows its escape.
    func begin(_ introducer: StaticString) {
        if isWrapped { append("\u{1B}Ptmux;\u{1B}") }
        append("\u{1B}")
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

internal import LazyMedia

/// The end of a still picture whose decoder refuses a part of one, or does not tell that it is a part.
struct StillEnd {
    /// Whether the file ends before its picture does.
    private(set) var isMissed = false
    /// Whether only decoding tells.
    private(set) var isUnknown = false
    /// The bytes that the file should have before its tail; zeros in their place let the rest be decoded.
    private(set) var byteCount: Int
    /// What is missing behind them.
    private var tail: [UInt8] = []

    /// Looks at what a type says of its length.
    init(_ type: MediaType, _ bytes: MemoryBytes) {
        byteCount = bytes.count
        switch type {
        case .qoi: isMissed = !bytes.withBytes { $0.suffix(8).elementsEqual(Self.endOfQOI) }
        case .jpeg2000:
            guard let stream = bytes.withBytes({ JPEG2000Codestream($0) }) else { return }
            (isMissed, byteCount) = (stream.isCut, stream.end)
            if isMissed { tail = [0xFF, 0xD9] }
        case .pnm:
            guard let end = bytes.withBytes({ ArbitraryMap.end(of: $0) }) else {
                // Of maps in digits.
                isUnknown = true
                return
            }
            (isMissed, byteCount) = (end > bytes.count, max(end, bytes.count))
        default: break
        }
    }

    /// The bytes, with zeros for what is missing; the same where that would need too much memory.
    func completed(
        _ bytes: MemoryBytes, _ limits: DecodingLimits
    ) throws(MediaError) -> MemoryBytes {
        let needed = byteCount.addingReportingOverflow(2 * bytes.count)
        guard byteCount > bytes.count || !tail.isEmpty, !needed.overflow,
            byteCount < CInt.max - 2, needed.partialValue <= limits.memory ?? .max
        else { return bytes }
        return try MemoryBytes(capacity: byteCount + tail.count) { room in
            let count = min(byteCount, bytes.read(at: 0, into: room))
            UnsafeMutableRawBufferPointer(rebasing: room[count...])
                .initializeMemory(as: UInt8.self, repeating: 0)
            UnsafeMutableRawBufferPointer(rebasing: room[byteCount...]).copyBytes(from: tail)
            return room.count
        }
    }

    /// What is said of such a picture.
    static let warning = MediaWarning(.truncated, "The picture ends early.")

    private static let endOfQOI: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]
}

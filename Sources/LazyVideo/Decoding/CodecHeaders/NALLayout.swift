internal import CFFmpeg

/// How H.264's units are told apart in a packet.
enum NALLayout: Equatable {
    /// Each has its length before it, in so many bytes (ISO 14496-15, 5.2).
    case lengths(Int)
    /// Each follows a start code 00 00 01 (H.264, annex B).
    case startCodes

    /// The layout that a stream's header tells.
    init(extradata: UnsafeBufferPointer<UInt8>) {
        self =
            extradata.count > 4 && extradata[0] == 1
            ? .lengths(Int(extradata[4] & 3) + 1) : .startCodes
    }

    /// Whether a packet holds an IDR slice (unit type 5), so that nothing refers behind it.
    func holdsIDR(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var position = 0
        while let start = next(bytes, from: &position) {
            let type = bytes[start] & 31
            if type == 5 { return true }
            // Any other slice: the picture is of another kind.
            if type == 1 || type == 2 { return false }
        }
        return false
    }

    /// What a packet is to one who wants to begin decoding with it.
    func start(_ bytes: UnsafeBufferPointer<UInt8>) -> Start {
        var position = 0
        var start = Start.none
        while let unit = next(bytes, from: &position) {
            switch bytes[unit] & 31 {
            case 5: return .clean
            case 1, 2: return start
            // A recovery point comes before all but buffering and timing (H.264, D.1.8).
            case 6 where Self.tellsRecovery(bytes[unit...].prefix(64)): start = .recovery
            default: break
            }
        }
        return start
    }

    /// What decoding that begins with a packet gives.
    enum Start {
        /// Right pictures at once (IDR).
        case clean
        /// Right pictures after a while.
        case recovery
        /// Anything.
        case none
    }

    /// Whether the messages of an SEI unit hold one of type 6 (H.264, 7.3.2.3.1).
    private static func tellsRecovery(_ unit: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        var rest = unit.dropFirst()
        while rest.count > 2 {
            guard let type = number(&rest), let size = number(&rest) else { return false }
            if type == 6 { return true }
            rest = rest.dropFirst(size)
        }
        return false
    }

    private static func number(_ bytes: inout Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        var sum = 0
        while let byte = bytes.popFirst() {
            sum += Int(byte)
            if byte < 255 { return sum }
        }
        return nil
    }

    private func next(_ bytes: UnsafeBufferPointer<UInt8>, from position: inout Int) -> Int? {
        switch self {
        case .lengths(let size):
            guard position + size < bytes.count else { return nil }
            let length = bytes[position..<position + size].reduce(0) { $0 << 8 | Int($1) }
            defer { position += size + length }
            return position + size
        case .startCodes:
            while position + 3 < bytes.count {
                defer { position += 1 }
                if bytes[position] == 0, bytes[position + 1] == 0, bytes[position + 2] == 1 {
                    return position + 3
                }
            }
            return nil
        }
    }
}

/// How the NAL units of H.264 and HEVC are delimited in a packet.
enum NALLayout: Equatable {
    /// Each is preceded by its length in this many bytes (ISO 14496-15, 5.2).
    case lengths(Int)
    /// Each follows a start code 00 00 01 (H.264, annex B).
    case startCodes

    /// The layout given by a stream's header.
    init(extradata: UnsafeBufferPointer<UInt8>) {
        self =
            extradata.count > 4 && extradata[0] == 1
            ? .lengths(Int(extradata[4] & 3) + 1) : .startCodes
    }

    /// The layout given by the header of a stream of HEVC (ISO 14496-15, 8.3.2.1).
    init(hevc extradata: UnsafeBufferPointer<UInt8>) {
        self =
            extradata.count > 22 && extradata[0] == 1
            ? .lengths(Int(extradata[21] & 3) + 1) : .startCodes
    }

    /// Whether the first byte of every unit satisfies a predicate; false where lengths do not add up to the packet.
    func allSatisfy(
        _ bytes: UnsafeBufferPointer<UInt8>, _ isTrue: (UInt8) -> Bool
    ) -> Bool {
        var position = 0
        while let start = next(bytes, from: &position) {
            guard isTrue(bytes[start]) else { return false }
        }
        return self == .startCodes || position == bytes.count
    }

    /// Whether a packet has an IDR slice (unit type 5), after which nothing refers to earlier pictures.
    func containsIDR(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var position = 0
        while let start = next(bytes, from: &position) {
            let type = bytes[start] & 31
            if type == 5 { return true }
            // Any other slice: the picture is no IDR picture.
            if type == 1 || type == 2 { return false }
        }
        return false
    }

    /// The same for HEVC (H.265, table 7-1: IDR_W_RADL and IDR_N_LP).
    func containsIDR(hevc bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var position = 0
        while let start = next(bytes, from: &position) {
            let type = bytes[start] >> 1 & 63
            if type == 19 || type == 20 { return true }
            if type < 32 { return false }
        }
        return false
    }

    /// Whether decoding can begin with a packet.
    func start(_ bytes: UnsafeBufferPointer<UInt8>) -> Start {
        var position = 0
        var start = Start.none
        while let unit = next(bytes, from: &position) {
            switch bytes[unit] & 31 {
            case 5: return .clean
            case 1, 2: return start
            // A recovery point comes before all messages but buffering and timing (H.264, D.1.8).
            case 6 where Self.hasRecoveryPoint(bytes[unit...].prefix(64)): start = .recovery
            default: break
            }
        }
        return start
    }

    /// The result of decoding that begins with a packet.
    enum Start {
        /// Correct pictures at once (IDR).
        case clean
        /// Correct pictures after a recovery point.
        case recovery
        /// Undefined pictures.
        case none
    }

    /// Whether an SEI unit has a message of type 6 (H.264, 7.3.2.3.1).
    private static func hasRecoveryPoint(_ unit: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
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

    /// The first byte of the next unit from a position on, which moves behind it; nil where there is none.
    func next(_ bytes: UnsafeBufferPointer<UInt8>, from position: inout Int) -> Int? {
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

/// Which frames of AV1 packets refer to which, so that those can be left out that no wanted picture needs.
///
/// A frame may refer only to the pictures in the slots that its header lists, for predictions as well as for contexts,
/// motion vectors, segments and film grain (AV1 specification, 7.20 and 7.21). Encoders that place frames in layers,
/// such as SVT-AV1, refer to the layers below alone, so that a picture needs a few of the frames before it.
struct AV1References {
    /// What to do with a packet.
    enum Fate: Equatable {
        case keep
        case drop
        /// Keep only these bytes, in order.
        case reduce([Range<Int>])
    }

    private struct Frame {
        let packet: Int
        // The frames that it refers to, by their place in the list.
        var references: [Int]
        // The bytes of its units.
        var units: [Range<Int>]
        var isNeeded = false
    }

    private struct Stored {
        // Nil for a picture of an earlier packet, which is decoded already.
        var frame: Int?
        var isKey = false
    }

    private struct Entry {
        var frames: Range<Int>
        let size: Int
        // Whether its frames are kept or dropped together.
        var isWhole: Bool
    }

    private var syntax: AV1FrameSyntax?
    private var frames: [Frame] = []
    private var packets: [Entry] = []
    private var needed: [Int] = []
    private var slots = [Stored](repeating: Stored(), count: 8)

    /// Begins with the codec's header, which may hold a sequence header.
    init(extradata: UnsafeBufferPointer<UInt8>) {
        // The units after the fields of an AV1CodecConfigurationRecord, which begins with marker and version.
        guard extradata.count > 4, extradata[0] == 0x81 else { return }
        follow(UnsafeBufferPointer(rebasing: extradata[4...]))
    }

    /// Passes a packet that is kept whatever follows, of which only the sequence header matters; whether it shows a picture.
    mutating func pass(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        forgetPictures()
        follow(bytes)
        var isShowing = false
        OBU.forEach(bytes) { unit in
            guard unit.type == 3 || unit.type == 6 else { return }
            let header = syntax?.header(UnsafeBufferPointer(rebasing: bytes[unit.payload]))
            if header?.isShown == true || header?.slotShownAgain != nil { isShowing = true }
        }
        return isShowing
    }

    private mutating func follow(_ bytes: UnsafeBufferPointer<UInt8>) {
        OBU.forEach(bytes) { unit in
            guard unit.type == 1 else { return }
            syntax = AV1Header(UnsafeBufferPointer(rebasing: bytes[unit.payload]))?.frames
        }
    }

    /// Forgets which pictures the slots hold, as after a seek.
    mutating func forgetPictures() {
        for slot in slots.indices { slots[slot] = Stored() }
    }

    /// Adds the next packet; of a wanted one the shown frames are needed.
    mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, isWanted: Bool) {
        let packet = packets.count
        let first = frames.count
        var isUnderstood = true
        // Metadata belongs to the frame that follows it.
        var (isWhole, isKept) = (false, false)
        var (end, current): (Int, Int?) = (0, nil)
        OBU.forEach(bytes) { unit in
            end = unit.range.upperBound
            // Of several spatial layers only the highest is shown.
            if unit.spatialLayer(bytes) > 0 { isUnderstood = false }
            switch unit.type {
            case 1:
                follow(UnsafeBufferPointer(rebasing: bytes[unit.range]))
                isKept = true
            // Headers alone, and whole frames.
            case 3, 6:
                let payload = UnsafeBufferPointer(rebasing: bytes[unit.payload])
                guard let header = syntax?.header(payload) else { return isUnderstood = false }
                append(header, unit.range, packet, isWanted: isWanted)
                current = header.slotShownAgain == nil ? frames.count - 1 : nil
            // Tile groups and repeated headers.
            case 4, 7:
                guard let current else { return isUnderstood = false }
                frames[current].units.append(unit.range)
            case 2, 15: break
            case 5: isWhole = true
            default: isUnderstood = false
            }
        }
        if frames.count == first || end < bytes.count { isUnderstood = false }
        packets.append(.init(frames: first..<frames.count, size: bytes.count, isWhole: isWhole))
        if !isUnderstood {
            // It may do anything.
            needed += slots.compactMap { $0.frame }
            slots = Array(repeating: Stored(), count: 8)
        }
        if isKept || !isUnderstood { needed += first..<frames.count }
    }

    private mutating func append(
        _ header: AV1FrameHeader, _ unit: Range<Int>, _ packet: Int, isWanted: Bool
    ) {
        let number = frames.count
        var frame = Frame(packet: packet, references: [], units: [unit])
        var isNeeded = isWanted && header.isShown
        if let slot = header.slotShownAgain {
            let shown = slots[slot]
            frame.references = shown.frame.map { [$0] } ?? []
            // An earlier picture may be a key frame.
            if shown.frame == nil { isNeeded = true }
            if shown.isKey { slots = Array(repeating: .init(frame: number, isKey: true), count: 8) }
        } else {
            for slot in 0..<8 where header.references >> slot & 1 != 0 {
                if let other = slots[slot].frame { frame.references.append(other) }
            }
            for slot in 0..<8 where header.stored >> slot & 1 != 0 {
                slots[slot] = Stored(frame: number, isKey: header.isKey)
            }
        }
        frames.append(frame)
        if isNeeded { needed.append(number) }
    }

    /// What to do with the packets that were added since the last call, so that every wanted picture, and all that follow
    /// the last of them, come out as if every frame was decoded.
    mutating func fates() -> [Fate] {
        needed += slots.compactMap { $0.frame }
        while let number = needed.popLast() {
            guard !frames[number].isNeeded else { continue }
            frames[number].isNeeded = true
            needed += frames[number].references
            let packet = packets[frames[number].packet]
            if packet.isWhole { needed += packet.frames }
        }
        defer {
            (frames, packets) = ([], [])
            for slot in slots.indices { slots[slot].frame = nil }
        }
        return packets.map(fate)
    }

    private func fate(_ packet: Entry) -> Fate {
        let dropped = frames[packet.frames].filter { !$0.isNeeded }
        if dropped.isEmpty { return .keep }
        if dropped.count == packet.frames.count { return .drop }
        var kept: [Range<Int>] = []
        var start = 0
        for unit in dropped.flatMap({ $0.units }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if unit.lowerBound > start { kept.append(start..<unit.lowerBound) }
            start = unit.upperBound
        }
        if start < packet.size { kept.append(start..<packet.size) }
        return .reduce(kept)
    }
}

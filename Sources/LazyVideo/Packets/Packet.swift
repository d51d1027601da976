internal import CFFmpeg
internal import LazyMedia

/// One packet of encoded data; owns an `AVPacket`.
final class Packet {
    /// FFmpeg's packet; valid as long as this object.
    let pointer: UnsafeMutablePointer<AVPacket>

    /// Makes an empty packet.
    init() throws(MediaError) {
        guard let pointer = lz_packet_alloc() else {
            throw MediaError(.environment, "There is no memory for a packet.")
        }
        self.pointer = pointer
        LiveHandles.didOpen()
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVPacket>? = pointer
        lz_packet_free(&pointer)
        LiveHandles.didClose()
    }

    /// The presentation time in ticks, or nil.
    var pts: Int64? { pointer.pointee.pts == LZ_NOPTS ? nil : pointer.pointee.pts }
    /// The decoding time in ticks, or nil.
    var dts: Int64? { pointer.pointee.dts == LZ_NOPTS ? nil : pointer.pointee.dts }
    /// Removes both times.
    func clearTimes() { (pointer.pointee.pts, pointer.pointee.dts) = (LZ_NOPTS, LZ_NOPTS) }
    /// The duration in ticks, 0 where unknown.
    var duration: Int64 { max(0, pointer.pointee.duration) }
    /// The size in bytes.
    var size: Int { Int(pointer.pointee.size) }
    /// The offset of its bytes in the file, or nil.
    var position: Int? { pointer.pointee.pos < 0 ? nil : Int(pointer.pointee.pos) }
    /// Whether decoding can begin here.
    var isKey: Bool { pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }
    /// Whether the picture is decoded but not shown, as before an edit list's start.
    var isDiscarded: Bool { pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }
    /// Says that the picture is shown.
    func clearDiscarded() { pointer.pointee.flags &= ~AV_PKT_FLAG_DISCARD }
    /// Whether the demuxer found the data damaged.
    var isCorrupt: Bool { pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }
    /// Says that data before it, or of it, is damaged.
    func markCorrupt() { pointer.pointee.flags |= AV_PKT_FLAG_CORRUPT }
    /// Says that the data is whole.
    func clearCorrupt() { pointer.pointee.flags &= ~AV_PKT_FLAG_CORRUPT }
    /// Whether the samples are encrypted.
    var isEncrypted: Bool { lz_packet_has(pointer, AV_PKT_DATA_ENCRYPTION_INFO) != 0 }

    /// The encoded bytes; valid until the packet is filled again.
    var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: pointer.pointee.data, count: size)
    }

    /// The alpha frame that WebM stores beside the picture, or nothing; valid as long as `bytes`.
    var alphaBytes: UnsafeBufferPointer<UInt8> {
        var size = 0
        let data = lz_packet_side_data(pointer, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, &size)
        let nothing = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        // The first eight bytes give the kind of addition.
        return size > 8
            ? .init(rebasing: UnsafeBufferPointer(start: data, count: size)[8...]) : nothing
    }

    /// Whether the demuxer found metadata of HDR10+ beside the picture.
    var isHDR10Plus: Bool { lz_packet_has(pointer, AV_PKT_DATA_DYNAMIC_HDR10_PLUS) != 0 }

    /// The message registered by ITU-T T.35 that Matroska stores beside the picture (BlockAddID 4).
    var registeredMessage: UnsafeBufferPointer<UInt8>? {
        var size = 0
        let data = lz_packet_side_data(pointer, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, &size)
        guard let data, size > 8, data[7] == 4, (0..<7).allSatisfy({ data[$0] == 0 }) else {
            return nil
        }
        return .init(rebasing: UnsafeBufferPointer(start: data, count: size)[8...])
    }

    /// Keeps only some ranges of the bytes, which are in order.
    func keep(_ parts: [Range<Int>]) throws(MediaError) {
        try check(lz_packet_make_writable(pointer), "change a packet")
        guard let data = pointer.pointee.data else { return }
        var end = 0
        for part in parts {
            (data + end).update(from: data + part.lowerBound, count: part.count)
            end += part.count
        }
        // Decoders read beyond the end, where FFmpeg has padding.
        (data + end).update(repeating: 0, count: min(size - end, Int(AV_INPUT_BUFFER_PADDING_SIZE)))
        pointer.pointee.size = CInt(end)
    }

    /// Takes the data of another packet, which is empty then.
    func take(_ other: Packet) {
        clear()
        withExtendedLifetime(other) { lz_packet_move_ref(pointer, other.pointer) }
    }

    /// Releases the data.
    func clear() { lz_packet_unref(pointer) }
}

internal import LazyBase
internal import LazyMedia

extension Blob {
    private static let maxBoxes = 64

    /// Whether these are the first bytes of an MP4 or QuickTime film whose tables come after its frames, and none of the
    /// tables has arrived.
    ///
    /// `moov` may follow `mdat` (ISO/IEC 14496-12, 6.2.3): so do cameras and encoders write that learn the tables last.
    func isBeforeTables(of total: Int) -> Bool {
        var offset = 0
        for _ in 0..<Self.maxBoxes {
            guard offset < count, let head = try? bytes(at: offset, count: min(16, count - offset)),
                let box = ISOBoxHeader(head, room: total - offset)
            else { return false }
            offset += box.length
            switch box.kind {
            case ISOBox.kind("mdat"): return offset >= count && offset < total
            case ISOBox.kind("moov"), ISOBox.kind("moof"): return false
            default: break
            }
        }
        return false
    }
}

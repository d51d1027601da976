internal import CFFmpeg

/// Headers of MPEG-2 sequences, before which the pictures of the one before must come out.
struct SequenceChanges {
    // The newest header; nil before the first.
    private var header: MPEGSequence?
    /// Whether a packet of another sequence waits until the pictures of the one before are out.
    private(set) var isWaiting = false

    /// Whether a packet must wait, because its header differs from the one before.
    mutating func mustWait(_ packet: Packet, _ id: AVCodecID) -> Bool {
        guard let new = MPEGSequence(packet.bytes, id) else { return false }
        defer { header = new }
        isWaiting = header != nil && header != new
        return isWaiting
    }

    /// The pictures are out.
    mutating func didDrain() { isWaiting = false }
}

internal import LazyMedia

/// What packets, or the pictures decoded from them, tell about a file beside its frames.
struct PacketFindings {
    /// The packets that are damaged.
    var corruptCount = 0
    /// Why the file could not be read to its end; nil where it was.
    var damage: String?
    /// Whether the clock of the file restarts or jumps.
    var hasJumped = false

    /// The same as warnings.
    var warnings: [MediaWarning] {
        var warnings: [MediaWarning] = []
        if corruptCount > 0 {
            warnings.append(
                MediaWarning(
                    .corruptPackets,
                    corruptCount == 1
                        ? "A packet was damaged and was skipped or concealed."
                        : "\(corruptCount) packets were damaged and were skipped or concealed."))
        }
        if let damage {
            warnings.append(
                MediaWarning(.malformed, "The file could not be read to its end: \(damage)."))
        }
        if hasJumped { warnings.append(.clockJump) }
        return warnings
    }
}

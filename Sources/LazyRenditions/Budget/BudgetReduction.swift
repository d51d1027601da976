internal import LazyEditing
internal import LazyMedia

/// What a budget has taken from a thumbnail.
struct BudgetReduction: Hashable, Sendable {
    /// The warning about it.
    let warning: MediaWarning

    /// Compares what was made with what was asked for; nil where they are the same.
    init?(
        from size: PixelSize, _ ladder: BudgetLadder, to made: EncodedThumbnail, maxBytes: Int
    ) {
        let (full, encoding) = (ladder.full.encoding, made.settings.encoding)
        let seconds = made.counts.duration / .seconds(1)
        let rate = seconds > 0 ? Double(made.timings.count) / seconds : 0
        var parts: [String] = []
        if encoding.quality != full.quality {
            let asked = full.quality ?? ladder.traits.defaultQuality
            parts.append("quality from \(Self.text(asked)) to \(Self.text(encoding.quality ?? 0))")
        }
        if ladder.traits.fidelity == .palette, encoding.colors != full.colors {
            parts.append("colors from \(full.colors) to \(encoding.colors)")
        }
        if made.size != size { parts.append("size from \(size) to \(made.size)") }
        if made.timings.count < ladder.frames {
            parts.append(
                "frames from \(ladder.frames) to \(made.timings.count) (\(Self.text(ladder.rate.doubleValue)) to \(Self.text(rate)) per second)"
            )
        }
        guard let last = parts.popLast() else { return nil }
        let list = parts.isEmpty ? last : parts.joined(separator: ", ") + " and " + last
        warning = MediaWarning(.reduced, "Reduced to fit into \(maxBytes) bytes: \(list).")
    }

    /// A number to a tenth, without `.0`.
    private static func text(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}

public import LazyMedia

/// What tests ask of decoded media; each module adds how its own files are opened.
public enum Decoded {
    /// All frames of a new reader.
    public static func frames(
        _ media: any OpenedMedia, _ options: ReaderOptions = ReaderOptions(delayRule: .raw)
    ) throws(MediaError) -> [Frame] {
        let reader = try media.makeReader(options)
        var frames: [Frame] = []
        while let frame = try reader.nextFrame() { frames.append(frame) }
        return frames
    }

    /// The mean of squared differences of all channels.
    public static func distance(_ a: Bitmap, _ b: Bitmap) -> Double {
        guard a.size == b.size else { return .infinity }
        let sum = a.withBytes { a in
            b.withBytes { b in
                zip(a, b).reduce(0) { $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)) }
            }
        }
        return Double(sum) / Double(a.byteCount)
    }
}

/// The colors of a film that ffmpeg makes, by ffmpeg's names for filters.
public struct ColorTags: Sendable, CustomStringConvertible {
    /// The names of what the samples mean.
    public let primaries: String, transfer: String, matrix: String

    /// Describes colors by their names.
    public init(_ primaries: String, _ transfer: String, _ matrix: String) {
        (self.primaries, self.transfer, self.matrix) = (primaries, transfer, matrix)
    }

    /// HDR with the curve of SMPTE ST 2084.
    public static let pq = ColorTags("bt2020", "smpte2084", "bt2020nc")
    /// HDR of television.
    public static let hlg = ColorTags("bt2020", "arib-std-b67", "bt2020nc")

    /// The last filter of a graph.
    ///
    /// FFmpeg 7 gives encoders the colors of its pictures, not those of options.
    public var filter: String {
        "setparams=color_primaries=\(primaries):color_trc=\(transfer):colorspace=\(matrix)"
    }

    /// The three names.
    public var description: String { "\(primaries) \(transfer) \(matrix)" }
}

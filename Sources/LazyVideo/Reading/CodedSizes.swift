internal import LazyMedia

/// Whether the size of coded pictures changes.
struct CodedSizes {
    private var last: PixelSize?
    /// The first change.
    private(set) var change: (before: PixelSize, after: PixelSize)?

    /// Notes the size of a picture; throws where it has changed to one beyond the limits.
    mutating func add(_ size: PixelSize, _ limits: DecodingLimits) throws(MediaError) {
        if let last, last != size {
            if change == nil { change = (last, size) }
            try limits.check(canvas: size)
        }
        last = size
    }

    /// What is said about a change: the sizes of the film, which are the same whatever size frames are read at.
    var warning: MediaWarning? {
        change.map { change in
            MediaWarning(
                .sizeChange,
                "The coded size changes from \(change.before) to \(change.after); all frames are scaled to one size."
            )
        }
    }
}

internal import LazyMedia

/// Whether pictures consist of two fields, and how they become progressive.
struct Deinterlacing {
    // Nil where fields are left as they are.
    private let deinterlacer: Deinterlacer?
    // Between keyframes there are other pictures, and quick frames need not be exact.
    private let isExact: Bool
    /// Whether pictures of two fields are to be expected.
    private(set) var hasFields: Bool

    init(_ stream: VideoStream, _ info: MediaInfo, _ options: ReaderOptions) {
        deinterlacer = options.deinterlaces && !stream.isStill ? Deinterlacer() : nil
        isExact = !options.keyframesOnly && !options.isQuick
        hasFields = info.fieldOrder != .progressive
    }

    /// Whether pictures are deinterlaced with their neighbors, where the position is exact.
    var usesNeighbors: Bool { deinterlacer != nil && isExact }

    /// Fields appear without being announced.
    mutating func expectFields() { hasFields = true }

    /// The picture, deinterlaced where its fields differ in time.
    func picture(
        _ picture: Picture, previous: Picture?, next: Picture?
    ) throws(MediaError) -> Picture {
        guard let deinterlacer else { return picture }
        return try deinterlacer.picture(picture, previous: previous, next: next)
    }
}

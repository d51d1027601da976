internal import LazyMedia

/// Whether the size of coded pictures changes.
struct CodedSizes {
    private var last: PixelSize?
    private(set) var hasChanged = false

    /// Notes the size of a picture; throws where it has changed to one beyond the limits.
    mutating func add(_ size: PixelSize, _ limits: DecodingLimits) throws(MediaError) {
        if let last, last != size {
            hasChanged = true
            try limits.check(canvas: size)
        }
        last = size
    }
}

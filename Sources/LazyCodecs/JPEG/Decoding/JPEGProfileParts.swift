internal import LazyMedia

/// The parts of an ICC profile in the APP2 segments of a JPEG (ICC.1:2010, B.4).
struct JPEGProfileParts {
    private var parts: [Int: [UInt8]] = [:]
    private var count = 0

    /// Adds a segment's body; others than parts of a profile are ignored.
    mutating func add(_ segment: UnsafeRawBufferPointer) {
        let name = Array("ICC_PROFILE\0".utf8)
        guard segment.count > name.count + 2, segment.prefix(name.count).elementsEqual(name) else {
            return
        }
        let (number, total) = (Int(segment[name.count]), Int(segment[name.count + 1]))
        guard number > 0, number <= total, parts[number] == nil else { return }
        count = max(count, total)
        parts[number] = Array(segment.dropFirst(name.count + 2))
    }

    /// The profile, once all its parts have come.
    var profile: ICCProfile? {
        guard count > 0, parts.count == count else { return nil }
        return ICCProfile((1...count).flatMap { parts[$0] ?? [] })
    }
}

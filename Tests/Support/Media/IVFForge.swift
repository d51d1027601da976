import LazyMedia

/// Writes IVF files of one picture, with whatever times their headers say.
public struct IVFForge: Sendable {
    /// The picture of every frame, a keyframe of VP8.
    private let picture: [UInt8]
    private let size: (width: Int, height: Int)

    /// Takes the picture out of a lossy WebP in `media/`.
    public init() throws {
        let still = try Media.array("still.webp")
        // RIFF, its size and WEBP; then one chunk whose bytes are a frame of VP8.
        picture = Array(still[20...])
        size = (
            Int(picture[6]) | Int(picture[7] & 63) << 8, Int(picture[8]) | Int(picture[9] & 63) << 8
        )
    }

    /// A file of a frame at each time, in ticks of so many seconds.
    public func file(at times: [UInt64], numerator: UInt32 = 1, denominator: UInt32 = 1000)
        -> [UInt8]
    {
        var file = Array("DKIF".utf8)
        file.put(0, 2)
        file.put(32, 2)
        file += Array("VP80".utf8)
        file.put(size.width, 2)
        file.put(size.height, 2)
        file.put(denominator, 4)
        file.put(numerator, 4)
        file.put(times.count, 4)
        file.put(0, 4)
        for time in times {
            file.put(picture.count, 4)
            file.put(time, 8)
            file += picture
        }
        return file
    }
}

extension [UInt8] {
    fileprivate mutating func put(_ value: some BinaryInteger, _ count: Int) {
        for byte in 0..<count { append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
    }
}

internal import LazyMedia

/// Counts what the header of a Matroska file declares, before FFmpeg allocates memory for it.
///
/// An empty track takes two bytes in the file (RFC 9559, 5.1.4.1) and some 700 in FFmpeg.
struct MatroskaTables {
    private let limits: DecodingLimits
    private let opening: OpeningTime
    private let end: Int
    private var window: HeaderWindow
    private var tracks = 0
    private var elements = 0

    /// Throws `.limitExceeded` for more tracks or elements than `limits` allow.
    ///
    /// Reads what comes before the first cluster.
    static func check(_ bytes: any ByteSource, _ limits: DecodingLimits) throws(MediaError) {
        // Over a network FFmpeg reads the header alone, once; its lists are bounded, too.
        guard !bytes.isRemote, !bytes.isPartial else { return }
        var tables = MatroskaTables(bytes, limits)
        try tables.walk(0..<bytes.count, depth: 0)
    }

    private init(_ bytes: any ByteSource, _ limits: DecodingLimits) {
        self.limits = limits
        opening = limits.opening
        end = bytes.count
        window = HeaderWindow(bytes)
    }

    private enum Name {
        static let cluster: UInt64 = 0x1F43_B675
        static let track: UInt64 = 0xAE
        /// Segment, SeekHead, Tracks, Cues, Chapters, Tags, Attachments, and tracks themselves.
        static let masters: Set<UInt64> = [
            0x1853_8067, 0x114D_9B74, 0x1654_AE6B, 0x1C53_BB6B, 0x1043_A770, 0x1254_C367,
            0x1941_A469, 0xAE,
        ]
    }

    /// Walks elements; false once the first cluster is reached.
    @discardableResult
    private mutating func walk(_ range: Range<Int>, depth: Int) throws(MediaError) -> Bool {
        var place = range.lowerBound
        while place < range.upperBound, let element = try element(at: place, range.upperBound) {
            if element.name == Name.cluster { return false }
            try count(element.name)
            if depth < 4, Name.masters.contains(element.name),
                try !walk(element.content, depth: depth + 1)
            {
                return false
            }
            place = element.content.upperBound
        }
        return true
    }

    private mutating func count(_ name: UInt64) throws(MediaError) {
        elements += 1
        if name == Name.track {
            tracks += 1
            try limits.check(tracks: tracks)
        }
        if elements & 0xFFF == 0 {
            try limits.check(entries: elements)
            try opening.check()
            // Most elements of real files have content.
            guard elements <= 100_000 + end / 256 else {
                throw MediaError(
                    .malformed, "The file has \(elements) elements and more, most of them empty.")
            }
        }
    }

    /// The element at an offset; its content ends with its parent at the latest.
    private mutating func element(
        at place: Int, _ end: Int
    ) throws(MediaError) -> (name: UInt64, content: Range<Int>)? {
        guard let name = try number(at: place), name.count <= 4,
            let size = try number(at: place + name.count)
        else { return nil }
        let start = place + name.count + size.count
        guard start <= end else { return nil }
        // An unknown size leads to the end of the parent.
        let length = size.isUnknown ? end - start : min(end - start, Int(size.value))
        return (name.marked, start..<start + length)
    }

    private mutating func number(at place: Int) throws(MediaError) -> EBMLNumber? {
        let bytes = Array(try window.read(at: place, count: 8))
        return bytes.span.bytes.ebmlNumber(at: 0)
    }
}

internal import LazyMedia

/// Counts the samples that a movie's tables declare, before FFmpeg takes memory for them.
///
/// A table of equal samples is a size and a count (ISO/IEC 14496-12, 8.7.3.2), a `trun` may be a
/// count alone (8.8.8): a few bytes declare millions of samples, and each costs FFmpeg some 40
/// bytes. Real samples have bytes of their own. Reads 16 bytes a box, and goes no farther into the
/// file than it is asked to.
struct MovieTables {
    private let bytes: any ByteSource
    private let limits: DecodingLimits
    private var pictures = 0
    private var others = 0
    private var isSound = false
    private var isMovieSeen = false
    private var isFragmentSeen = false
    /// Where the bytes that are of use end: before a fragment's tables that have not arrived whole.
    private(set) var end: Int?
    /// Set from outside to end a read.
    var cancellation = CancellationFlag()
    /// Where the outermost box begins that nobody has looked at.
    private(set) var position = 0
    /// Where the samples themselves lie, in order; small pieces may be left out.
    private(set) var media: [Range<Int>] = []

    /// Makes tables of which nothing is known.
    init(_ bytes: any ByteSource, _ limits: DecodingLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    /// Throws `.malformed` where more samples are declared than the file can hold, and
    /// `.limitExceeded` for more frames than `limits` allow.
    static func check(_ bytes: any ByteSource, _ limits: DecodingLimits) throws(MediaError) {
        var tables = MovieTables(bytes, limits)
        try tables.advance(to: bytes.count)
    }

    /// Looks at all outermost boxes that begin before `wanted`; throws as `check` does.
    mutating func advance(to wanted: Int) throws(MediaError) {
        let count = bytes.count
        while position < wanted {
            guard position + 8 <= count, let box = try box(at: position, end: count) else {
                // Behind what is no box FFmpeg does not read on either.
                position = .max
                return
            }
            if bytes.isPartial {
                if box.isCut, box.type == "moof", isFragmentSeen {
                    (end, position) = (position, .max)
                    return
                }
                try demandWhole(box)
            }
            if box.type == "mdat", box.end - box.content >= Self.pieceWorthSkipping {
                media.append(box.content..<box.end)
            }
            try enter(box, depth: 0)
            position = box.end
        }
    }

    private static let pieceWorthSkipping = 512

    private static let containers: Set<String> = [
        "moov", "trak", "mdia", "minf", "stbl", "moof", "traf",
    ]

    /// Of a file still on its way nothing can be told before its tables are there whole.
    private mutating func demandWhole(_ box: Box) throws(MediaError) {
        if box.type == "moov" { isMovieSeen = true }
        if box.type == "moof" { isFragmentSeen = true }
        let isTable = ["moov", "moof", "ftyp", "meta"].contains(box.type)
        if box.isCut && isTable || box.type == "mdat" && !isMovieSeen {
            throw MediaError(.truncated, "The tables of the movie have not arrived yet.")
        }
    }

    private mutating func enter(_ box: Box, depth: Int) throws(MediaError) {
        guard Self.containers.contains(box.type) else { return try look(at: box) }
        var position = box.content
        while depth < 8, position + 8 <= box.end,
            let inner = try self.box(at: position, end: box.end)
        {
            try enter(inner, depth: depth + 1)
            position = inner.end
        }
    }

    private mutating func look(at box: Box) throws(MediaError) {
        switch box.type {
        // QuickTime has a second one for where the data lies ("dhlr", "alis").
        case "hdlr" where try number(at: box.content + 4) != 0x6468_6C72:
            isSound = try number(at: box.content + 8) == 0x736F_756E
        // Without a common size each sample has an entry of its own, which the file must hold.
        case "stsz" where try number(at: box.content + 4) != 0:
            try count(Int(try number(at: box.content + 8)))
        case "trun": try count(Int(try number(at: box.content + 4)))
        default: break
        }
    }

    private mutating func count(_ samples: Int) throws(MediaError) {
        if isSound { others += samples } else { pictures += samples }
        // Old QuickTime counts sound before compression: up to six samples a byte.
        guard pictures <= bytes.count, others <= bytes.count * 8 else {
            throw MediaError(.malformed, "The file declares more samples than it has bytes for.")
        }
        try limits.check(entries: pictures)
    }

    private struct Box {
        let type: String
        let content: Int
        let end: Int
        let isCut: Bool
    }

    private func box(at position: Int, end: Int) throws(MediaError) -> Box? {
        var header = [UInt8](repeating: 0, count: 16)
        let count = try read(&header, at: position)
        let span = header.span.bytes
        guard count >= 8, let short = span.bigEndian32(at: 0), let type = span.word(at: 4) else {
            return nil
        }
        var (size, content) = (Int(short), position + 8)
        if short == 1, count == 16 {
            let high = Int(span.bigEndian32(at: 8) ?? 0)
            guard high < 1 << 30 else { return nil }
            (size, content) = (high << 32 | Int(span.bigEndian32(at: 12) ?? 0), position + 16)
        }
        // Nought means "to the end".
        if short == 0 { size = end - position }
        guard size >= content - position else { return nil }
        let isCut = size > end - position
        return Box(
            type: type, content: content, end: isCut ? end : position + size, isCut: isCut)
    }

    private func number(at position: Int) throws(MediaError) -> UInt32 {
        var word = [UInt8](repeating: 0, count: 4)
        _ = try read(&word, at: position)
        return word.span.bytes.bigEndian32(at: 0) ?? 0
    }

    private func read(_ buffer: inout [UInt8], at position: Int) throws(MediaError) -> Int {
        let (bytes, cancellation) = (bytes, cancellation)
        let result = buffer.withUnsafeMutableBytes { buffer in
            Result { () throws(MediaError) in
                try bytes.read(at: position, into: buffer, cancellation: cancellation)
            }
        }
        return try result.get()
    }
}

internal import LazyMedia

/// Counts the samples that a movie's tables declare, before FFmpeg takes memory for them.
///
/// A table of equal samples is a size and a count (ISO/IEC 14496-12, 8.7.3.2), a `trun` may be a
/// count alone (8.8.8): a few bytes declare millions of samples, and each costs FFmpeg some 40
/// bytes. Real samples have bytes of their own. Reads 16 bytes a box.
struct MovieTables {
    private let bytes: any ByteSource
    private let limits: DecodingLimits
    private var pictures = 0
    private var others = 0
    private var isSound = false

    /// Throws `.malformed` where more samples are declared than the file can hold, and
    /// `.limitExceeded` for more frames than `limits` allow.
    static func check(_ bytes: any ByteSource, _ limits: DecodingLimits) throws(MediaError) {
        var tables = MovieTables(bytes: bytes, limits: limits)
        try tables.walk(from: 0, to: bytes.count, depth: 0)
    }

    private init(bytes: any ByteSource, limits: DecodingLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    private static let containers: Set<String> = [
        "moov", "trak", "mdia", "minf", "stbl", "moof", "traf",
    ]

    private mutating func walk(from start: Int, to end: Int, depth: Int) throws(MediaError) {
        var position = start
        while position + 8 <= end, let box = try box(at: position, end: end) {
            if Self.containers.contains(box.type) {
                if depth < 8 { try walk(from: box.content, to: box.end, depth: depth + 1) }
            } else {
                try look(at: box)
            }
            position = box.end
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
        try limits.check(frames: pictures)
    }

    private struct Box {
        let type: String
        let content: Int
        let end: Int
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
        return Box(type: type, content: content, end: size > end - position ? end : position + size)
    }

    private func number(at position: Int) throws(MediaError) -> UInt32 {
        var word = [UInt8](repeating: 0, count: 4)
        _ = try read(&word, at: position)
        return word.span.bytes.bigEndian32(at: 0) ?? 0
    }

    private func read(_ buffer: inout [UInt8], at position: Int) throws(MediaError) -> Int {
        let bytes = bytes
        let result = buffer.withUnsafeMutableBytes { buffer in
            Result { () throws(MediaError) in try bytes.read(at: position, into: buffer) }
        }
        return try result.get()
    }
}

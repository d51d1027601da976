internal import LazyMedia

/// Concatenates sequences written by libavif into one file.
///
/// libavif keeps all coded pictures until a file is finished. To bound memory, a long sequence is
/// written in pieces: their media data is spooled, and their sample tables (ISO/IEC 14496-12, 8.7)
/// are joined. All pieces must have equal settings and at least two frames, since libavif makes a
/// still of a single one.
///
/// Unchecked: one encoding fills it, and it is read only after `finish`, when it is immutable.
final class AVIFConcatenation: ByteSource, @unchecked Sendable {
    /// A box of the first piece that precedes the media data.
    private struct Lead {
        let kind: UInt32
        var bytes: [UInt8]
    }

    private var spool = Spool(maxInMemory: 1 << 20)
    private var lead: [Lead] = []
    private var tracks: [SampleTables] = []
    /// The offset of the first piece's media data.
    private var firstStart = 0
    /// The bytes before the media data; empty until `finish`.
    private var head: [UInt8] = []

    /// Appends a piece.
    func append(_ file: EncodedBytes) throws(MediaError) {
        let isFirst = lead.isEmpty
        var movie: [UInt8] = []
        var pictures: (start: Int, length: Int)?
        var offset = 0
        while let box = try ISOBoxHeader(file, at: offset) {
            if box.kind == ISOBox.kind("mdat") {
                guard pictures == nil else { throw .unreadableMovie }
                pictures = (offset + box.headerSize, box.length - box.headerSize)
            } else {
                let bytes = try file.bytes(box.length, at: offset)
                if box.kind == ISOBox.kind("moov") { movie = bytes }
                if isFirst { lead.append(Lead(kind: box.kind, bytes: bytes)) }
            }
            offset += box.length
        }
        guard let pictures else { throw .unreadableMovie }
        if isFirst { firstStart = pictures.start }
        try appendTables(of: movie, moving: spool.count - pictures.start)
        try file.withBytes(pictures.start, pictures.length) { (bytes) throws(MediaError) in
            try spool.append(bytes)
        }
        guard spool.count < Int(UInt32.max) - (1 << 28) else {
            throw MediaError(.notWritable, "An AVIF has at most 4 GB.")
        }
    }

    /// Ends the concatenation: from now on this is the file.
    func finish() throws(MediaError) {
        guard let place = lead.firstIndex(where: { $0.kind == ISOBox.kind("moov") }) else {
            throw .unreadableMovie
        }
        let template = lead[place].bytes
        lead[place].bytes = try movie(template, start: 0)
        // The width of offsets does not depend on their values.
        let start = lead.reduce(8) { $0 + $1.bytes.count }
        lead[place].bytes = try movie(template, start: start)
        for index in lead.indices where lead[index].kind == ISOBox.kind("meta") {
            try MovieOffsets.moveItems(
                &lead[index].bytes, from: firstStart, by: start - firstStart)
        }
        head =
            lead.flatMap(\.bytes) + (8 + spool.count).bigEndianBytes32
            + ISOBox.kind("mdat").bigEndianBytes
    }

    private func appendTables(of movie: [UInt8], moving distance: Int) throws(MediaError) {
        guard let box = ISOBox.boxes(movie, in: movie.indices).first else {
            throw .unreadableMovie
        }
        let found = box.children(movie).filter { $0.kind == ISOBox.kind("trak") }
        if tracks.isEmpty { tracks = found.map { _ in SampleTables() } }
        guard tracks.count == found.count else { throw .unreadableMovie }
        for (index, track) in found.enumerated() {
            try tracks[index].append(movie, track, moving: distance)
        }
    }

    /// The first piece's movie with the joined tables.
    private func movie(_ template: [UInt8], start: Int) throws(MediaError) -> [UInt8] {
        guard let box = ISOBox.boxes(template, in: template.indices).first else {
            throw .unreadableMovie
        }
        let found = box.children(template).filter { $0.kind == ISOBox.kind("trak") }
        var changes: [(Range<Int>, [UInt8])] = []
        for (tables, track) in zip(tracks, found) {
            guard let list = SampleTables.list(template, track) else { throw .unreadableMovie }
            changes.append((list.range, tables.box(template, list, start: start)))
        }
        return MovieEdit.replacing(template, box, changes)
    }

    // MARK: - The file

    var count: Int { head.count + spool.count }

    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(MediaError) -> Int {
        guard offset >= 0, offset < count else { return 0 }
        guard offset < head.count else {
            let start = offset - head.count
            let length = min(buffer.count, spool.count - start)
            try spool.read(at: start, into: .init(rebasing: buffer[..<length]))
            return length
        }
        let length = min(buffer.count, head.count - offset)
        head.withUnsafeBytes {
            buffer.copyMemory(from: .init(rebasing: $0[offset..<(offset + length)]))
        }
        return length
    }

    func contiguous() throws(MediaError) -> MemoryBytes { try memory(0..<count) }
}

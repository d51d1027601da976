import LazyCodecs
import LazyMedia
import Support
import Testing

@Suite(.ownThreads) struct JPEGDamageTests {
    @Test func `a picture cut short keeps its rows`() throws {
        let bytes = try JPEGs.jpeg(64, 96)
        let whole = try JPEGs.read(bytes).bitmap
        var rows: Set<Int> = []
        for length in 0..<bytes.count {
            do {
                let (bitmap, warnings) = try JPEGs.read(Array(bytes[..<length]))
                #expect(warnings.map(\.code) == [.truncated])
                let count = (0..<96).prefix { bitmap[0, $0].w == 255 }.count
                rows.insert(count)
                // Colors of the last row are mixed with what is below it.
                for y in 0..<max(0, count - 1) { #expect(bitmap[63, y] == whole[63, y]) }
                #expect(bitmap.isOpaque == (count == 96))
            } catch let error as MediaError {
                #expect(error.code == .truncated, "\(length)")
            }
        }
        #expect(rows.count > 4)
        #expect(rows.contains(96))
    }

    @Test func `each scan of a picture cut short makes it better`() throws {
        let bytes = try JPEGs.jpeg(640, 480, isProgressive: true)
        let whole = JPEGs.rgb(try JPEGs.read(bytes).bitmap)
        var last = Int.max
        for part in [4, 3, 2] {
            let (bitmap, warnings) = try JPEGs.read(Array(bytes[..<(bytes.count / part)]))
            #expect(warnings.map(\.code) == [.truncated])
            #expect(bitmap.size == PixelSize(width: 640, height: 480))
            let error = zip(JPEGs.rgb(bitmap), whole).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
            #expect(error < last)
            last = error
        }
    }

    @Test(.needs("djpeg"))
    func `a progressive picture cut short is djpeg's`() throws {
        let bytes = try JPEGs.jpeg(640, 480, isProgressive: true)
        for part in 2..<9 {
            let cut = Array(bytes[..<(bytes.count * part / 9)])
            #expect(try JPEGs.rgb(JPEGs.read(cut).bitmap) == JPEGs.peer(cut).rgb)
        }
    }

    @Test(arguments: [false, true]) func `damage never crashes`(isProgressive: Bool) throws {
        let bytes = try JPEGs.jpeg(48, 40, isProgressive: isProgressive)
        var random = SplitMix(isProgressive ? 3 : 4)
        for _ in 0..<1500 {
            var damaged = bytes
            for _ in 0...(random.next() % 6) {
                damaged[Int(random.next() % UInt64(bytes.count))] = UInt8(
                    truncatingIfNeeded: random.next())
            }
            let limits = DecodingLimits(pixelsPerFrame: 1_000_000)
            guard let picture = try? JPEGs.open(damaged, limits: limits) else { continue }
            let reader = try picture.makeReader(
                ReaderOptions(size: PixelSize(width: 9, height: 9), limits: limits))
            if let frame = try? reader.nextFrame() {
                #expect(frame.bitmap.size == PixelSize(width: 9, height: 9))
            }
            _ = try? picture.embeddedPoster(ReaderOptions())
        }
    }

    @Test func `bytes that cannot be read are the source's fault`() throws {
        let source = Failing(try MemoryBytes(JPEGs.jpeg(160, 96)), from: 600)
        let error = #expect(throws: MediaError.self) {
            try JPEGDecoder().open(source, type: .jpeg, limits: .web)
                .makeReader(ReaderOptions()).nextFrame()
        }
        #expect(error?.code == .environment)
        #expect(error?.message == "No more.")
    }

    /// A progressive picture whose last scan comes again and again.
    private func bomb(scans: Int) throws -> [UInt8] {
        let bytes = try JPEGs.jpeg(64, 64, isProgressive: true)
        let starts = bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }
        let last = try #require(starts.last)
        let scan = Array(bytes[last..<(bytes.count - 2)])
        return bytes.dropLast(2) + Array(repeating: scan, count: scans - starts.count).joined()
            + [0xFF, 0xD9]
    }

    @Test func `scans without end are a limit's business`() throws {
        _ = try JPEGs.read(bomb(scans: 490))
        let error = try #require(throws: MediaError.self) { try JPEGs.read(bomb(scans: 510)) }
        #expect(error.code == .limitExceeded)
        #expect(error.excess?.limit == "scans" && error.excess?.allowed == 500)
    }

    @Test(arguments: [(true, true, 6), (true, false, 3), (false, true, 0)])
    func `what scans keep in memory is counted before it is asked for`(
        isProgressive: Bool, isFullColor: Bool, bytesPerPixel: Int
    ) throws {
        let bytes = try JPEGs.jpeg(
            320, 240, isProgressive: isProgressive, isFullColor: isFullColor)
        let need = 320 * 240 * bytesPerPixel
        func read(atMost most: Int) throws {
            let limits = DecodingLimits(memory: most)
            _ = try JPEGs.open(bytes, limits: limits).makeReader(ReaderOptions(limits: limits))
                .nextFrame()
        }
        // The canvas is counted too.
        try read(atMost: need * 11 / 10 + 320 * 240 * 4)
        guard need > 0 else { return }
        let error = try #require(throws: MediaError.self) { try read(atMost: need - 1) }
        #expect(error.code == .limitExceeded)
        #expect(error.excess?.limit == "memory")
        #expect(try #require(error.excess?.actual) >= need)
    }
}

/// Bytes that fail behind an offset.
private final class Failing: ByteSource {
    private let bytes: MemoryBytes
    private let end: Int

    init(_ bytes: MemoryBytes, from end: Int) {
        self.bytes = bytes
        self.end = end
    }

    var count: Int { bytes.count }

    func contiguous() throws(MediaError) -> MemoryBytes { bytes }

    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(MediaError) -> Int {
        guard offset < end else { throw MediaError(.environment, "No more.") }
        return bytes.read(
            at: offset, into: .init(rebasing: buffer[..<min(buffer.count, end - offset)]))
    }
}

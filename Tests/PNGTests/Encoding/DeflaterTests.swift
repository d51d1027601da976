import CKernels
import Testing

@Suite struct `Deflaters` {
    /// Bytes of few values that repeat, such as the indices of a small picture.
    private func indices(_ seed: Int) -> [UInt8] {
        let values = 2 + seed % 7
        let run = 1 + seed / 7 % 3
        return (0..<80 + seed * 11).map { UInt8($0 / run * (1 + seed % 4) % values) }
    }

    private func stream(
        _ bytes: [UInt8], level: CInt, by deflater: OpaquePointer
    ) throws -> [UInt8] {
        var buffer = cscanline_buffer()
        defer { cscanline_free(&buffer) }
        try #require(cscanline_reserve(&buffer, bytes.count + (1 << 16)) != 0)
        cscanline_deflater_begin(deflater, level, 8)
        try #require(cscanline_deflate(deflater, bytes, bytes.count, 1, &buffer) != 0)
        return Array(UnsafeBufferPointer(start: buffer.bytes, count: buffer.count))
    }

    private func inflated(_ stream: [UInt8], count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0xAA, count: count)
        return cscanline_inflate(stream, stream.count, &bytes, count) != 0 ? bytes : []
    }

    /// ISA-L 2.30 hashes an address into the matches of a stream without history: see `deflate.c`.
    @Test(arguments: [1, 2] as [CInt])
    func `equal bytes become equal streams in any deflater`(_ level: CInt) throws {
        // All at once, so that each has memory of its own.
        let deflaters = try (0..<300).map { _ in try #require(cscanline_deflater_make()) }
        defer { deflaters.forEach(cscanline_deflater_free) }
        for seed in 0..<60 {
            let bytes = indices(seed)
            let first = try stream(bytes, level: level, by: deflaters[0])
            #expect(inflated(first, count: bytes.count) == bytes)
            let others = try deflaters.filter {
                try stream(bytes, level: level, by: $0) != first
            }
            #expect(others.isEmpty, "\(bytes.count) bytes")
        }
    }

    @Test func `streams of few bytes, in any pieces, inflate`() throws {
        let deflater = try #require(cscanline_deflater_make())
        defer { cscanline_deflater_free(deflater) }
        for count in 1...40 {
            let bytes = Array(indices(count).prefix(count))
            for first in 0...count {
                var buffer = cscanline_buffer()
                defer { cscanline_free(&buffer) }
                cscanline_deflater_begin(deflater, 1, 8)
                let (head, tail) = (Array(bytes[..<first]), Array(bytes[first...]))
                #expect(cscanline_deflate(deflater, head, first, 0, &buffer) != 0)
                #expect(cscanline_deflate(deflater, tail, count - first, 1, &buffer) != 0)
                let stream = Array(UnsafeBufferPointer(start: buffer.bytes, count: buffer.count))
                #expect(inflated(stream, count: count) == bytes, "\(first) of \(count)")
            }
        }
    }

    @Test func `freed deflaters serve again`() throws {
        let bytes = indices(5)
        var streams: Set<[UInt8]> = []
        for round in 0..<40 {
            let deflaters = try (0...round % 9).map { _ in
                try #require(cscanline_deflater_make())
            }
            for deflater in deflaters {
                streams.insert(try stream(bytes, level: 2, by: deflater))
            }
            deflaters.forEach(cscanline_deflater_free)
        }
        #expect(streams.count == 1)
    }
}

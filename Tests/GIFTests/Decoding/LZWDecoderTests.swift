import CGIF
import LazyMedia
import Support
import Testing

@testable import LazyCodecs

@Suite struct LZWDecoderTests {
    /// An image to compress: how many colors its data announces, and how it is compressed.
    struct Sample: Sendable, CustomStringConvertible {
        var codeSize: Int
        var style: LZWForge.Style
        var noise: Int
        var description: String { "\(codeSize) bits, \(style), noise \(noise)" }

        /// Random indices: runs for little noise, anything for much.
        func indices(_ count: Int) -> [UInt8] {
            var random = SplitMix(UInt64(codeSize * 100 + noise))
            let colors = 1 << min(8, codeSize)
            var last: UInt8 = 0
            return (0..<count).map { _ in
                if Int.random(in: 0..<100, using: &random) < noise {
                    last = UInt8(Int.random(in: 0..<colors, using: &random))
                }
                return last
            }
        }
    }

    static let samples = (1...8).flatMap { codeSize in
        LZWForge.Style.allCases.flatMap { style in
            [0, 5, 100].map { Sample(codeSize: codeSize, style: style, noise: $0) }
        }
    }

    @Test(arguments: samples)
    func `every code size and style gives what giflib gives`(_ sample: Sample) throws {
        let size = PixelSize(width: 97, height: 61)
        let indices = sample.indices(size.pixelCount)
        var forge = GIFForge(width: size.width, height: size.height, palette: [0, 1])
        forge.image(
            width: size.width, height: size.height, indices: indices, codeSize: sample.codeSize,
            style: sample.style, blockSize: 200)
        forge.trailer()
        #expect(try giflibIndices(forge.bytes) == indices)
        #expect(try ownIndices(forge.bytes) == indices)
    }

    @Test(arguments: [9, 10, 11])
    func `code sizes that giflib refuses are read, too`(_ codeSize: Int) throws {
        let indices = Sample(codeSize: codeSize, style: .usual, noise: 50).indices(5000)
        var forge = GIFForge(width: 50, height: 100, palette: [0, 1])
        forge.image(width: 50, height: 100, indices: indices, codeSize: codeSize)
        #expect(try ownIndices(forge.bytes) == indices)
    }

    @Test(arguments: [12, 13, 255])
    func `code sizes without room for a clear code are refused`(_ codeSize: Int) throws {
        #expect(decode([0, 0, 0], codeSize: codeSize, limit: 4).0 == .badCode)
    }

    @Test func `a code beyond the table is an error, and what came before is kept`() {
        var writer = BitWriter()
        for code in [4, 1, 2, 7] { writer.write(code, 3) }
        writer.write(9, 4)
        let (ending, indices) = decode(writer.finished(), codeSize: 2, limit: 100)
        #expect(ending == .badCode)
        #expect(indices == [1, 2, 2, 2])
    }

    @Test func `a string as first code is an error`() {
        var writer = BitWriter()
        for code in [4, 6] { writer.write(code, 3) }
        #expect(decode(writer.finished(), codeSize: 2, limit: 9) == (.badCode, []))
    }

    @Test func `an end code before the last index is short`() {
        let codes = LZWForge.encode([1, 1, 1, 2], codeSize: 2)
        #expect(decode(codes, codeSize: 2, limit: 9) == (.short, [1, 1, 1, 2]))
    }

    @Test func `codes after the last index are ignored`() {
        let codes = LZWForge.encode(Array(repeating: 3, count: 1000), codeSize: 2)
        #expect(decode(codes, codeSize: 2, limit: 7) == (.complete, Array(repeating: 3, count: 7)))
    }

    @Test func `a prefix of the codes gives a prefix of the indices`() {
        let indices = Sample(codeSize: 4, style: .usual, noise: 40).indices(900)
        let codes = LZWForge.encode(indices, codeSize: 4)
        for length in 0..<codes.count {
            let (ending, got) = decode(Array(codes[..<length]), codeSize: 4, limit: 900)
            #expect(got.count == 900 ? ending == .complete : ending == .short)
            #expect(got.elementsEqual(indices[..<got.count]))
        }
    }

    @Test func `random codes never write outside`() {
        var random = SplitMix(7)
        for _ in 0..<2000 {
            let codes = (0..<Int.random(in: 0..<600, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let limit = Int.random(in: 0..<5000, using: &random)
            let (_, indices) = decode(
                codes, codeSize: Int.random(in: 0...12, using: &random), limit: limit)
            #expect(indices.count <= limit)
        }
    }

    /// A decoder that keeps its strings, as the format is defined.
    private func definition(
        _ codes: [UInt8], codeSize: Int, limit: Int
    ) -> (LZWDecoder.Ending, [UInt8]) {
        let clear = 1 << codeSize
        let literals = (0..<clear).map { [UInt8(truncatingIfNeeded: $0)] } + [[], []]
        var (strings, previous, width, bit) = (literals, [UInt8](), codeSize + 1, 0)
        var output: [UInt8] = []
        while output.count < limit {
            guard bit + width <= codes.count * 8 else { return (.short, output) }
            let code = (0..<width).reduce(0) {
                $0 | Int(codes[(bit + $1) / 8] >> UInt8((bit + $1) % 8) & 1) << $1
            }
            bit += width
            if code == clear {
                (strings, previous, width) = (literals, [], codeSize + 1)
                continue
            }
            if code == clear + 1 { return (.short, output) }
            let string: [UInt8]
            if code < strings.count {
                string = strings[code]
            } else if code == strings.count, let first = previous.first {
                string = previous + [first]
            } else {
                return (.badCode, output)
            }
            output += string
            if !previous.isEmpty, strings.count < 4096 { strings.append(previous + [string[0]]) }
            previous = string
            if strings.count >= 1 << width, width < 12 { width += 1 }
        }
        return (.complete, Array(output[..<limit]))
    }

    /// Codes as the table allows them: new strings, old ones and clear codes, in different proportions.
    private func codes(
        _ count: Int, codeSize: Int, repeating share: Int, clearing: Int, _ random: inout SplitMix
    ) -> [UInt8] {
        var writer = BitWriter()
        let clear = 1 << codeSize
        var (next, width) = (clear + 2, codeSize + 1)
        var isFirst = true
        for _ in 0..<count {
            var code = Int.random(in: 0..<(isFirst ? clear : next), using: &random)
            if !isFirst, next < 4096, Int.random(in: 0..<100, using: &random) < share {
                code = next
            }
            if Int.random(in: 0..<100_000, using: &random) < clearing { code = clear }
            writer.write(code == clear + 1 ? 0 : code, width)
            if code == clear {
                (next, width, isFirst) = (clear + 2, codeSize + 1, true)
            } else {
                if !isFirst, next < 4096 { next += 1 }
                if next >= 1 << width, width < 12 { width += 1 }
                isFirst = false
            }
        }
        return writer.finished()
    }

    @Test(arguments: 0...11, [(0, 0), (3, 20), (50, 100), (100, 0), (97, 2000)])
    func `codes mean what the format defines`(codeSize: Int, kind: (repeating: Int, clearing: Int))
    {
        var random = SplitMix(UInt64(codeSize * 7 + kind.repeating))
        for count in [0, 1, 2, 3, 5, 40, 700, 5000] {
            var codes = codes(
                count, codeSize: codeSize, repeating: kind.repeating, clearing: kind.clearing,
                &random)
            let whole = definition(codes, codeSize: codeSize, limit: 40_000)
            #expect(decode(codes, codeSize: codeSize, limit: 40_000) == whole, "\(count)")
            // Every way in which the end may cut a string or four codes.
            for limit in Set([whole.1.count, whole.1.count - 1, whole.1.count / 2, 13, 1])
            where limit > 0 && limit <= whole.1.count {
                let part = decode(codes, codeSize: codeSize, limit: limit)
                #expect(part == (.complete, Array(whole.1[..<limit])), "\(count), \(limit)")
            }
            guard !codes.isEmpty else { continue }
            for _ in 0..<20 {
                codes[.random(in: 0..<codes.count, using: &random)] ^= .random(
                    in: 1...255, using: &random)
                let limit = Int.random(in: 1...20_000, using: &random)
                #expect(
                    decode(codes, codeSize: codeSize, limit: limit)
                        == definition(codes, codeSize: codeSize, limit: limit))
            }
        }
    }

    @Test func `a flag ends it within a million indices`() throws {
        let codes = LZWForge.encode(Array(repeating: 0, count: 3 << 20), codeSize: 2)
        var raster = try GIFRaster()
        try raster.removeAll(reserving: 3 << 20)
        var data = GIFCodeBytes()
        codes.withUnsafeBytes { data.append($0.baseAddress!, count: $0.count) }
        var decoder = LZWDecoder()
        var looks = 0
        let ending = data.withBytes { bytes in
            decoder.decompress(bytes, minimumCodeSize: 2, into: &raster, limit: 3 << 20) {
                looks += 1
                return looks == 2
            }
        }
        #expect(ending == .cancelled)
    }

    private func decode(
        _ codes: [UInt8], codeSize: Int, limit: Int
    ) -> (LZWDecoder.Ending, [UInt8]) {
        guard var raster = try? GIFRaster() else { return (.cancelled, []) }
        try? raster.removeAll(reserving: limit)
        var data = GIFCodeBytes()
        codes.withUnsafeBytes {
            if let base = $0.baseAddress { data.append(base, count: $0.count) }
        }
        var decoder = LZWDecoder()
        let ending = data.withBytes { bytes in
            decoder.decompress(bytes, minimumCodeSize: codeSize, into: &raster, limit: limit) {
                false
            }
        }
        return (ending, Array(UnsafeBufferPointer(start: raster.indices, count: raster.count)))
    }

    /// The first image's indices through the parts of the reader.
    private func ownIndices(_ bytes: [UInt8]) throws -> [UInt8] {
        let scan = try #require(try GIFScan(MemoryBytes(bytes), limits: .web))
        var file = try GIFFile(MemoryBytes(bytes))
        let job = try GIFImageJob()
        try job.load(scan.images[0], index: 0, from: &file, limits: .web)
        job.run(CancellationFlag())
        #expect(job.ending == .complete)
        return Array(UnsafeBufferPointer(start: job.raster.indices, count: job.raster.count))
    }

    /// The first image's indices through giflib's own decompression.
    private func giflibIndices(_ bytes: [UInt8]) throws -> [UInt8] {
        var rest = bytes[...]
        return try withUnsafeMutablePointer(to: &rest) { context in
            var error: CInt = 0
            let file = DGifOpen(
                context,
                { file, target, count in
                    guard let file, let target else { return 0 }
                    let rest = file.pointee.UserData.assumingMemoryBound(
                        to: ArraySlice<UInt8>.self)
                    let length = min(Int(count), rest.pointee.count)
                    for index in 0..<length { target[index] = rest.pointee.removeFirst() }
                    return CInt(length)
                }, &error)
            let handle = try #require(file)
            defer { DGifCloseFile(handle, nil) }
            var record = UNDEFINED_RECORD_TYPE
            #expect(DGifGetRecordType(handle, &record) == GIF_OK)
            #expect(DGifGetImageDesc(handle) == GIF_OK)
            let width = Int(handle.pointee.Image.Width)
            var indices: [UInt8] = []
            for _ in 0..<Int(handle.pointee.Image.Height) {
                var line = [UInt8](repeating: 0, count: width)
                #expect(DGifGetLine(handle, &line, CInt(width)) == GIF_OK)
                indices += line
            }
            return indices
        }
    }
}

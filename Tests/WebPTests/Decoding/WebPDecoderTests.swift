import LazyBase
import LazyMedia
import Support
import Testing

@testable import LazyCodecs

@Suite struct `WebP decoder` {
    @Test(arguments: 0..<60)
    func `frames are composed as libwebp composes them`(seed: UInt64) async throws {
        let file = try WebPForge.random(seed)
        let oracle = try #require(AnimationOracle(file))
        let sequence = try opened(file, .raw)
        let frames = try await sequence.all()
        #expect(frames.map(\.bitmap.visible) == oracle.frames)
        #expect(
            frames.map { Int(($0.presentationTime + $0.duration) / .milliseconds(1)) }
                == oracle.ends)
        if !sequence.info.hasAlpha {
            #expect(frames.allSatisfy { $0.bitmap.visible.allSatisfy { $0 >> 24 == 255 } })
        }
    }

    @Test(arguments: 0..<20)
    func `any order of seeks gives the frames of a sequential read`(seed: UInt64) async throws {
        let sequence = try opened(WebPForge.random(seed, frames: 12))
        let frames = try await sequence.all()
        var random = SplitMix(seed)
        let reader = try sequence.makeReader(ReaderOptions())
        for _ in 0..<40 {
            let index = Int.random(in: 0..<12, using: &random)
            try reader.seek(toIndex: index)
            let frame = try #require(try reader.nextFrame())
            #expect(frame.index == index)
            #expect(frame.bitmap.visible == frames[index].bitmap.visible)
        }
    }

    @Test func `held frames do not change`() async throws {
        let sequence = try opened(WebPForge.random(3, frames: 30))
        var held: [(Bitmap, [UInt32])] = []
        for frame in try await sequence.all() { held.append((frame.bitmap, frame.bitmap.visible)) }
        #expect(held.allSatisfy { $0.visible == $1 })
    }

    @Test(arguments: ["animation.webp", "still.webp", "still-lossless.webp"])
    func `a file on disk reads as one in memory`(name: String) async throws {
        let file = try FileBytes(path: Media.path(name))
        let media = try WebPDecoder().open(
            file, type: try FormatRegistry([.webp]).sniffer.type(of: file), limits: .untrusted)
        let frames = try await FrameSequence(media).all()
        let others = try await opened(Media.array(name)).all()
        #expect(frames[0].duration == (frames.count > 1 ? .milliseconds(100) : .zero))
        #expect(frames.map(\.bitmap) == others.map(\.bitmap))
        #expect(frames.compactMap(\.bitmap.barcode) == (frames.count > 1 ? Array(0..<6) : [7]))
    }

    @Test func `an animation has its size, plays and duration`() async throws {
        let info = try opened(Media.array("animation.webp")).info
        #expect(info.type == .webpAnimation)
        #expect(info.size == PixelSize(width: 96, height: 64))
        #expect(info.frameCount == 6)
        #expect(info.loop == LoopCount(raw: 3, plays: 3))
        #expect(info.duration == .milliseconds(600))
        #expect(!info.hasAlpha)
    }

    @Test(arguments: [0, 5, 10, 11, 100])
    func `delays of 10 ms or less become 100 ms`(delay: Int) async throws {
        var forge = WebPForge(4, 4)
        let picture = try Bitmap.drawn(4, 4) { _, _ in [1, 2, 3, 255] }
        for _ in 0..<2 { try forge.add(picture, duration: delay) }
        let timings = try await opened(forge.file).frameIndex().timings
        #expect(timings[1].presentation.microseconds == (delay <= 10 ? 100 : Int64(delay)) * 1000)
        #expect(timings[1].rawDuration.microseconds == Int64(delay) * 1000)
        let raw = try await opened(forge.file, .raw).all()
        #expect(raw[1].presentationTime == .milliseconds(delay))
    }

    @Test(arguments: [("still.webp", 8.0), ("animation.webp", 6.0)])
    func `frames of another size are similar to frames scaled afterwards`(
        name: String, bound: Double
    ) async throws {
        let sequence = try opened(Media.array(name))
        let whole = try await sequence.all()
        let small = try await sequence.all(size: TargetSize(width: 40))
        for (a, b) in zip(whole, small) {
            let scaled = try a.bitmap.scaled(to: b.bitmap.size)
            #expect(scaled.size.width == 40)
            #expect(b.bitmap.error(to: scaled) < bound)
        }
    }

    @Test func `a canvas is checked before memory is asked for`() throws {
        var canvas = WebPExtended(width: 1 << 24, height: 1 << 24)
        canvas.isAnimated = true
        var file = [UInt8](header: .riff, count: 100) + Array("WEBP".utf8) + canvas.chunk
        file += [UInt8](repeating: 0, count: 70)
        let error = #expect(throws: MediaError.self) { try opened(file) }
        #expect(error?.code == .limitExceeded)
    }

    @Test func `keyframes can be read alone`() async throws {
        var forge = WebPForge(8, 8)
        let whole = try Bitmap.drawn(8, 8) { _, _ in [9, 9, 9, 255] }
        let part = try Bitmap.drawn(2, 2) { _, _ in [200, 9, 9, 255] }
        try forge.add(whole)
        try forge.add(part, x: 2, y: 2)
        try forge.add(whole, clears: true)
        try forge.add(part, x: 4, y: 4)
        let sequence = try opened(forge.file)
        #expect(
            try await sequence.frameIndex().timings.map(\.isKeyframe) == [true, false, true, true])
        let reader = try sequence.makeReader(ReaderOptions(keyframesOnly: true))
        var indices: [Int] = []
        while let frame = try reader.nextFrame() { indices.append(frame.index) }
        #expect(indices == [0, 2, 3])
    }
}

@Suite struct `Damaged WebP` {
    /// What opening and reading all of a file comes to: the number of frames, or an error's code.
    private static func outcome(_ bytes: [UInt8]) async -> Result<Int, MediaError> {
        let limits = DecodingLimits(pixelsPerFrame: 1 << 20, frames: 200, totalPixels: 1 << 24)
        do throws(MediaError) {
            let media = try WebPDecoder().open(
                try MemoryBytes(bytes), type: .webpAnimation, limits: limits)
            let reader = try media.makeReader(ReaderOptions(limits: limits))
            var count = 0
            while try reader.nextFrame() != nil { count += 1 }
            return .success(count)
        } catch {
            return .failure(error)
        }
    }

    @Test func `an animation cut anywhere gives the complete frames`() async throws {
        let file = try Media.array("animation.webp")
        let ends = try #require(try WebPFile(MemoryBytes(file), limits: .web)).images.map {
            $0.content.upperBound
        }
        for length in 0..<file.count {
            let result = await Self.outcome(Array(file[..<length]))
            let whole = ends.count { $0 <= length }
            switch result {
            case .success(let count): #expect(count == whole && count > 0)
            case .failure(let error):
                #expect(whole == 0 && [.truncated, .malformed].contains(error.code))
            }
        }
        let cut = try opened(Array(file[..<(ends[2] + 3)]))
        #expect(cut.info.isTruncated && cut.info.frameCount == 3)
    }

    @Test func `a chunk that leads out of the file is damage`() throws {
        var file = try Media.array("animation.webp")
        let images = try #require(try WebPFile(MemoryBytes(file), limits: .web)).images
        let place = images[2].content.upperBound
        file.replaceSubrange(place..<place + 8, with: [0, 0, 0, 0, 0, 0, 0, 0x3F])
        let info = try opened(file).info
        #expect(info.frameCount == 3 && images.count > 3)
        #expect(info.warnings.map(\.message) == ["Frame 3 of the WebP contradicts the file."])
    }

    @Test(arguments: [nil, PixelSize(width: 48, height: 32)])
    func `rows missing from a complete chunk are transparent`(size: PixelSize?) async throws {
        // The chunk's length agrees with the file, but its picture continues behind the end.
        var file = Array(try Media.array("still.webp").prefix(20))
        let data = try Media.array("still.webp").dropFirst(20).dropLast(120)
        let count = data.count - data.count % 2
        file.replaceSubrange(16..<20, with: [UInt8](header: .lossy, count: count)[4...])
        file.replaceSubrange(4..<8, with: [UInt8](header: .riff, count: count + 12)[4...])
        file += data.prefix(count)
        let sequence = try opened(file)
        let reader = try sequence.makeReader(ReaderOptions(size: size))
        for _ in 0..<2 {
            try reader.seek(toIndex: 0)
            let bitmap = try #require(try reader.nextFrame()).bitmap
            #expect(!bitmap.isOpaque)
            #expect(bitmap[0, 0].w == 255)
            let corner = bitmap[bitmap.size.width - 1, bitmap.size.height - 1]
            #expect(corner == .zero)
        }
        #expect(reader.warnings.count == 1)
    }

    @Test(arguments: ["still.webp", "still-lossless.webp"])
    func `a still picture cut anywhere gives its rows or an error`(name: String) async throws {
        let file = try Media.array(name)
        var rows = 0
        for length in stride(from: 0, to: file.count, by: 7) {
            switch await Self.outcome(Array(file[..<length])) {
            case .success(let count):
                #expect(count == 1)
                rows += 1
            case .failure(let error):
                #expect([.truncated, .malformed].contains(error.code))
            }
        }
        #expect(rows > 0)
        #expect(try opened(Array(file[..<(file.count - 20)])).info.isTruncated)
    }

    @Test(arguments: ["animation.webp", "still.webp", "still-lossless.webp"])
    func `flipped bits never trap`(name: String) async throws {
        let file = try Media.array(name)
        var random = SplitMix(11)
        for _ in 0..<600 {
            var broken = file
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let end = Bool.random(using: &random) ? 64 : broken.count
                broken[Int.random(in: 0..<end, using: &random)] ^=
                    1 << UInt8.random(in: 0..<8, using: &random)
            }
            if case .failure(let error) = await Self.outcome(broken) {
                #expect(!error.message.isEmpty)
            }
        }
    }

    @Test func `nothing is left open`() async {
        // Other tests of this process have handles of their own.
        await #expect(processExitsWith: .success) {
            let file = try Media.array("animation.webp")
            for length in stride(from: file.count, through: 0, by: -file.count / 7) {
                _ = await Self.outcome(Array(file[..<length]))
            }
            precondition(LiveHandles.count == 0)
        }
    }
}

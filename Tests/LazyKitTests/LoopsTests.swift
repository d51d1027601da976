import LazyKit
import LazyMedia
import Support
import Testing

/// The number of plays and the delays, through every format that carries them.
@Suite(.ownThreads) struct LoopsTests {
    static let types: [MediaType] = [.gif, .webpAnimation, .apng, .avifSequence]
    static let plays: [Int?] = [nil, 1, 2, 7]

    private static let tenths = Array(
        repeating: MediaTime(ticks: 1, base: Rational(1, 10)), count: 3)

    private func decoded(_ bytes: [UInt8]) throws -> FrameSequence {
        FrameSequence(try DecoderRegistry.standard.open(MemoryBytes(bytes)), delayRule: .raw)
    }

    private func isRead(_ type: MediaType) -> Bool {
        DecoderRegistry.standard.decoder(for: type) != nil
    }

    private func isWritten(_ type: MediaType) -> Bool {
        EncoderRegistry.standard.types.contains(type)
    }

    @Test(arguments: types, plays) func `an encoder writes the number of plays`(
        type: MediaType, plays: Int?
    ) async throws {
        guard isWritten(type) else { return }
        let movie = LoopsMovie(Self.tenths, loop: LoopCount(raw: nil, plays: plays))
        let bytes = try await movie.encoded(as: type)
        #expect(FileLoop.plays(bytes, type) == plays)
        if isRead(type) { #expect(try decoded(bytes).info.loop.plays == plays) }
    }

    @Test(arguments: types) func `a rewriter turns each number of plays into each other`(
        type: MediaType
    ) async throws {
        guard isWritten(type), let rewriter = type.rewriter else { return }
        var bytes = try await LoopsMovie(Self.tenths, loop: .plays(1)).encoded(as: type)
        for plays in [nil, 7, 1, 2, nil, 1, 7, 2, 1] {
            let change = TimingChange(plays: plays.map { .times($0) } ?? .forever)
            var next: [UInt8] = []
            try rewriter.rewrite(MemoryBytes(bytes), change, limits: .web) { next += $0 }
            bytes = next
            #expect(FileLoop.plays(bytes, type) == plays)
            if isRead(type) {
                #expect(try decoded(bytes).info.loop.plays == plays)
                #expect(try await decoded(bytes).frameIndex().count == 3)
            }
        }
    }

    @Test(.needs("gifsicle"), arguments: plays)
    func `gifsicle reads a GIF's number`(plays: Int?) throws {
        guard let rewriter = MediaType.gif.rewriter else { return }
        let change = TimingChange(plays: plays.map { .times($0) } ?? .forever)
        let forge = GIFForge.twoFrames
        var bytes: [UInt8] = []
        try rewriter.rewrite(MemoryBytes(forge), change, limits: .web) { bytes += $0 }
        let scratch = Scratch()
        let path = scratch.write(bytes, "a.gif")
        let text = String(decoding: Peer.output(of: "gifsicle -I \(path) 2>&1"), as: UTF8.self)
        switch plays {
        case nil: #expect(text.contains("loop forever"))
        case 1: #expect(!text.contains("loop"))
        case let plays?: #expect(text.contains("loop count \(plays - 1)"))
        }
        #expect(!text.contains("warning") && !text.contains("error"))
    }

    @Test(.needs("webpmux"), arguments: plays)
    func `webpmux reads a WebP's number`(plays: Int?) async throws {
        guard isWritten(.webpAnimation), let rewriter = MediaType.webpAnimation.rewriter else {
            return
        }
        let movie = LoopsMovie(Self.tenths, loop: .plays(3))
        let change = TimingChange(
            plays: plays.map { .times($0) } ?? .forever, delays: .each(.milliseconds(50)))
        var bytes: [UInt8] = []
        try rewriter.rewrite(
            MemoryBytes(try await movie.encoded(as: .webpAnimation)), change, limits: .web
        ) { bytes += $0 }
        let scratch = Scratch()
        let path = scratch.write(bytes, "a.webp")
        let text = String(decoding: Peer.output(of: "webpmux -info \(path) 2>&1"), as: UTF8.self)
        #expect(text.contains("Loop Count : \(plays ?? 0)"))
        #expect(text.contains(" 50 "))
    }

    @Test(arguments: types) func `delays of all lengths survive`(type: MediaType) async throws {
        guard isWritten(type), isRead(type) else { return }
        let hundredths: [Int64] = [2, 1, 1000, 5, 33, 7, 1, 100]
        let movie = LoopsMovie(
            hundredths.map { MediaTime(ticks: $0, base: Rational(1, 100)) }, loop: .plays(0))
        let bytes = try await movie.encoded(as: type)
        var got: [Duration] = []
        for try await frame in try decoded(bytes).frames() { got.append(frame.duration) }
        let wanted = hundredths.map { Duration.milliseconds($0 * 10) }
        guard type == .gif else {
            #expect(got == wanted)
            return
        }
        // Browsers take a hundredth for a tenth: two are written, and the frame after it is shorter.
        #expect(got == [20, 20, 9990, 50, 330, 70, 20, 990].map { .milliseconds($0) })
    }

    @Test(arguments: types)
    func `delays are rewritten, and what rounding leaves of a speed is carried`(
        type: MediaType
    ) async throws {
        guard isWritten(type), isRead(type), let rewriter = type.rewriter else { return }
        let bytes = try await LoopsMovie(Self.tenths, loop: .plays(0)).encoded(as: type)
        for (change, milliseconds) in [
            (TimingChange.Delays.each(.milliseconds(333)), type == .gif ? 990 : 999),
            (.speed(2), 150),
            (.speed(0.5), 600),
        ] {
            var next: [UInt8] = []
            try rewriter.rewrite(
                MemoryBytes(bytes), TimingChange(delays: change), limits: .web
            ) { next += $0 }
            let sequence = try decoded(next)
            let total = try await sequence.frameIndex().duration
            let wanted = Duration.milliseconds(milliseconds)
            // A GIF counts hundredths.
            #expect(abs((total - wanted) / .milliseconds(1)) <= (type == .gif ? 5 : 0.01))
            #expect(sequence.info.loop.plays == nil)
        }
    }

    @Test(arguments: types) func `damaged files are refused, and none makes it fall over`(
        type: MediaType
    ) async throws {
        guard isWritten(type), let rewriter = type.rewriter else { return }
        let whole = try await LoopsMovie(Self.tenths, loop: .plays(2)).encoded(as: type)
        let change = TimingChange(plays: .times(5), delays: .speed(3))
        for end in 0..<whole.count {
            do throws(MediaError) {
                try rewriter.rewrite(MemoryBytes(whole[..<end]), change, limits: .web) { _ in }
            } catch {
                #expect(!error.message.isEmpty)
            }
        }
        for place in 0..<min(whole.count, 3000) {
            var bytes = whole
            bytes[place] ^= 0x55
            try? rewriter.rewrite(MemoryBytes(bytes), change, limits: .web) { _ in }
        }
    }
}

extension GIFForge {
    /// Two images of one pixel without any extension, as of 1987.
    fileprivate static var twoFrames: [UInt8] {
        let image: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 0x01, 0]
        return Array("GIF87a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
            + image + image + [0x3B]
    }
}

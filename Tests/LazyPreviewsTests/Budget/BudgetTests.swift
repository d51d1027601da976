import LazyBase
import LazyCodecs
import LazyEditing
import LazyMedia
import Support
import Testing

@testable import LazyPreviews

@Suite struct `Byte budgets` {
    static let model = SizeModel(
        fine: .init(first: 20_000, following: 4_000), coarse: .init(first: 5_000, following: 1_000),
        frames: 30, sections: 3)
    static let floors = [SizeModel.Floors(rate: 0.5, scale: 0.3)]

    @Test(arguments: [
        (1_000_000.0, 0), (168_000, 0), (160_000, 1), (60_000, 1), (42_000, 1), (40_000, 2),
        (25_000, 2), (10_000, 2), (5500, 3),
    ]) func `quality goes first, then size, then frames`(_ budget: Double, _ knobs: Int) throws {
        let level = try #require(Self.model.level(for: budget, Self.floors))
        #expect(Self.model.bytes(level) <= budget)
        #expect((level.coarseness > 0) == (knobs > 0))
        #expect((level.scale < 1) == (knobs > 1))
        #expect((level.rate < 1) == (knobs > 2))
        // No more is given up than is needed.
        if knobs > 0 { #expect(Self.model.bytes(level) > budget * 0.99) }
    }

    @Test func `below the lowest quality there is no level`() {
        #expect(Self.model.level(for: 3000, Self.floors) == nil)
    }

    @Test func `size is given up before quality is bad`() throws {
        let ladder = BudgetLadder(
            full: ThumbnailSettings(edit: ClipEdit(), encoding: EncodingOptions()),
            defaultQuality: 75,
            size: PixelSize(width: 320, height: 180), rate: Rational(10, 1))
        var last = 1.0
        for budget in stride(from: 160_000.0, to: 2000, by: -2000) {
            guard let level = Self.model.level(for: budget, ladder.floors) else { break }
            let settings = ladder.settings(level)
            let quality = settings.encoding.quality ?? 75
            // Blocks are not seen before nothing else is left to be given up.
            #expect(quality >= (level.scale > 0.41 ? 42 : level.scale > 0.21 ? 31 : 20))
            #expect(level.scale <= last)
            last = level.scale
        }
        #expect(last < 0.5)
    }

    static let budgets = [3000, 8000, 20_000, 60_000, 200_000, 5_000_000]

    @Test(arguments: budgets, [MediaType.webpAnimation, .apng, .gif])
    func `a budget is kept with at most two encodings`(
        _ budget: Int, _ type: MediaType
    ) async throws {
        // What the encoder makes of rate and size is not quite what the model takes it for.
        let maker = ScriptedEncoding(type: type, exponent: 1.8, surprise: 1.1)
        let (bytes, report) = try await thumbnail(type, budget).data(
            of: clip, registry: EncoderRegistry([maker.factory]))
        #expect(bytes.count <= budget)
        #expect(report.byteCount == bytes.count)
        #expect(report.encodes <= 2)
        // Two wholes, the least, and two files a sample.
        #expect(maker.wholes.value <= 2 + 1 + 2 * (3 + 6))
        if budget >= 5_000_000 { #expect(report.encoding == .init()) }
    }

    @Test(arguments: [1.6, 3, 8]) func `a budget is kept whatever the encoder does`(
        _ surprise: Double
    ) async throws {
        // A second encoding that is again larger than the first one made believe.
        let maker = ScriptedEncoding(type: .webpAnimation, exponent: 0.7, surprise: surprise)
        do throws(MediaError) {
            let (bytes, _) = try await thumbnail(.webpAnimation, 20_000).data(
                of: clip, registry: EncoderRegistry([maker.factory]))
            #expect(bytes.count <= 20_000)
        } catch {
            #expect(error.code == .limitExceeded)
        }
    }

    @Test func `what cannot be is told in a sentence`() async throws {
        let maker = ScriptedEncoding(type: .webpAnimation, exponent: 1.6, surprise: 1)
        let written = Locked(0)
        await #expect {
            _ = try await thumbnail(.webpAnimation, 200).write(
                clip, registry: EncoderRegistry([maker.factory]),
                to: { (bytes) throws(MediaError) in written.withLock { $0 += bytes.count } })
        } throws: { error in
            let error = error as? MediaError
            return error?.code == .limitExceeded && error?.message.hasSuffix(".") == true
        }
        #expect(written.withLock { $0 } == 0)
    }

    @Test(arguments: [20_000, 80_000]) func `real APNGs keep their budget`(
        _ budget: Int
    ) async throws {
        let clip = try Clips.open("clip.mp4")
        let (bytes, report) = try await thumbnail(.apng, budget).data(
            of: clip, registry: FormatRegistry([.apng]).encoders)
        #expect(bytes.count <= budget)
        #expect(report.frameCount > 1)
    }

    private func thumbnail(_ type: MediaType, _ budget: Int) -> AnimatedThumbnail {
        AnimatedThumbnail(type: type, maxBytes: budget)
    }

    private var clip: FrameSequence {
        FrameSequence(ScriptedMedia(count: 30, size: PixelSize(width: 320, height: 180)))
    }
}

/// Encoders that write as many bytes as a formula says.
struct ScriptedEncoding {
    let type: MediaType
    /// How bytes grow with the sides.
    let exponent: Double
    /// How much larger whole animations are than samples tell.
    let surprise: Double
    let wholes = Census()

    final class Census: Sendable {
        private let count = Locked(0)
        var value: Int { count.withLock { $0 } }
        func add() { count.withLock { $0 += 1 } }
    }

    var factory: EncoderFactory {
        let isVideo = type.family == .video
        let traits = FormatTraits(
            canAnimate: true, loop: !isVideo, alpha: isVideo ? .none : .full,
            fidelity: type == .webpAnimation ? .optional : .exact, side: 16_383)
        return EncoderFactory(type, traits) { ScriptedEncoder(maker: self, options: $0) }
    }
}

struct ScriptedEncoder: MediaEncoding {
    let maker: ScriptedEncoding
    let options: EncodingOptions
    let name = "scripted"
    var type: MediaType { maker.type }

    func encode(
        _ frames: Frames, info: MediaInfo, loop: LoopCount,
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) {
        var bytes = 300.0
        var count = 0
        for try await frame in frames {
            let quality = (options.quality ?? 75) / 75 * Double(options.colors) / 256
            let scale = Double(frame.bitmap.size.width) / 320
            let area = power(scale, maker.exponent)
            bytes += (count == 0 ? 12_000 : 5000) * (0.1 + 0.9 * quality) * area
            count += 1
        }
        maker.wholes.add()
        try write(Array(repeating: 7, count: Int(bytes * (count > 8 ? maker.surprise : 1))))
    }

    private func power(_ base: Double, _ exponent: Double) -> Double {
        // By halves of the exponent: exact enough, and without a library.
        var (result, factor, rest) = (1.0, base, exponent)
        var step = 1.0
        while step > 0.01 {
            if rest >= step {
                result *= factor
                rest -= step
            } else {
                step /= 2
                factor = factor.squareRoot()
            }
        }
        return result
    }
}

import LazyBase
import LazyCodecs
import LazyEditing
import LazyMedia
import Support
import Testing

@testable import LazyRenditions

@Suite struct `Byte budgets` {
    static let model = SizeModel(
        fine: .init(first: 20_000, following: 4_000), coarse: .init(first: 5_000, following: 1_000),
        frames: 30, sections: 3)

    static func ladder(
        _ size: PixelSize, rate: Int64 = 10, keepsSize: Bool = false,
        _ options: EncodingOptions = EncodingOptions(), fidelity: FormatTraits.Fidelity = .lossy
    ) -> BudgetLadder {
        BudgetLadder(
            full: ThumbnailSettings(edit: ClipEdit(), encoding: options),
            traits: FormatTraits(
                canAnimate: true, alpha: .full, fidelity: fidelity, side: 16_383,
                defaultQuality: 75),
            size: size, keepsSize: keepsSize, rate: Rational(rate, 1), frames: 30)
    }

    /// The levels from what was asked for to the smallest one.
    private func levels(_ ladder: BudgetLadder) -> [SizeModel.Level] {
        stride(from: 0, through: ladder.end, by: 0.05).map(ladder.level(at:))
    }

    @Test func `quality goes first, then size, then frames`() throws {
        let ladder = Self.ladder(PixelSize(width: 640, height: 360))
        let levels = levels(ladder)
        for (level, next) in zip(levels, levels.dropFirst()) {
            // One of the three at a time, and never back.
            #expect(next.coarseness >= level.coarseness)
            #expect(next.scale <= level.scale && next.rate <= level.rate)
        }
        let smaller = try #require(levels.first { $0.scale < 1 })
        #expect(abs(smaller.coarseness - 0.6) < 0.01 && smaller.rate == 1)
        let fewer = try #require(levels.first { $0.rate < 1 })
        #expect(abs(fewer.scale - 0.25) < 0.01)
        let bad = try #require(levels.first { $0.coarseness > 0.61 })
        // Blocks are not seen before little else is left to be given up.
        #expect(bad.scale < 0.21 && bad.rate <= 0.51)
        #expect(levels.last == SizeModel.Level(coarseness: 1, rate: 0.2, scale: 0.05))
    }

    @Test func `rates between the limits are tried`() {
        let ladder = Self.ladder(PixelSize(width: 128, height: 128), keepsSize: true)
        let rates = Set(
            levels(ladder).map { ladder.settings($0).edit.frameRate ?? Rational(10, 1) })
        for count in [27, 24, 21, 18, 15] {
            #expect(rates.contains(Rational(Int64(count), 3).reduced), "\(count) of 30 frames")
        }
        // A whole number of steps fills the length.
        #expect(rates.allSatisfy { ($0.numerator * 3) % $0.denominator == 0 })
    }

    @Test(arguments: [false, true], [FormatTraits.Fidelity.exact, .optional])
    func `what a format or a user does not reduce stays`(
        keepsSize: Bool, fidelity: FormatTraits.Fidelity
    ) {
        let options = EncodingOptions(lossless: fidelity == .optional ? true : nil)
        let ladder = Self.ladder(
            PixelSize(width: 320, height: 180), keepsSize: keepsSize, options, fidelity: fidelity)
        for level in levels(ladder) {
            #expect(level.coarseness == 0)
            #expect(ladder.settings(level).encoding == options)
            #expect(!keepsSize || level.scale == 1)
        }
        #expect(ladder.level(at: ladder.end).rate < 1)
    }

    @Test(arguments: stride(from: 3000, through: 150_000, by: 21_000).map(\.self))
    func `a larger size that is asked for never gives a smaller one`(_ budget: Int) async throws {
        var last = 0
        for width in [160, 240, 340, 500, 640] {
            let maker = ScriptedEncoding(type: .webpAnimation, exponent: 1.5, surprise: 1)
            var wanted = thumbnail(.webpAnimation, budget)
            wanted.edit.size = TargetSize(width: width)
            let report = try await wanted.data(
                of: clip(640, 360), encoders: EncoderRegistry([maker.factory])
            ).report
            // By the width of the margin within which a search ends.
            #expect(Double(report.size.width) >= Double(last) * 0.9, "\(width)")
            last = max(last, report.size.width)
        }
    }

    private static let exact = [
        ClipEdit(size: TargetSize(width: 128, height: 96, fit: .cover)),
        ClipEdit(size: TargetSize(width: 128, height: 96, fit: .fill)),
        padded(TargetSize(width: 128), .size(PixelSize(width: 128, height: 96))),
        cropped(.size(PixelSize(width: 128, height: 96))),
    ]

    private static func padded(_ size: TargetSize, _ extent: Padding.Extent) -> ClipEdit {
        var edit = ClipEdit(size: size)
        edit.padding = Padding(extent)
        return edit
    }

    private static func cropped(_ region: CropRegion) -> ClipEdit {
        var edit = ClipEdit(size: TargetSize(width: 320, fit: .scaleDown))
        edit.shape.crop = region
        return edit
    }

    @Test(arguments: exact, [200, 3000, 8000, 20_000, 60_000])
    func `an exact size stays, or nothing is written`(_ edit: ClipEdit, _ budget: Int) async throws
    {
        let maker = ScriptedEncoding(type: .webpAnimation, exponent: 1.6, surprise: 1.1)
        var wanted = thumbnail(.webpAnimation, budget)
        wanted.edit = edit
        do throws(MediaError) {
            let (bytes, report) = try await wanted.data(
                of: clip, encoders: EncoderRegistry([maker.factory]))
            #expect(bytes.count <= budget)
            #expect(report.size == PixelSize(width: 128, height: 96))
            let isReduced = report.frameCount ?? 0 < 30 || report.animation?.encoding.quality != nil
            #expect(report.warnings.contains { $0.code == .reduced } == isReduced)
        } catch {
            #expect(error.code == .limitExceeded && budget < 8000)
            #expect(error.message.contains("of exactly 128x96"))
        }
    }

    @Test func `a border of a ratio does not change the ratio of the picture`() async throws {
        let maker = ScriptedEncoding(type: .webpAnimation, exponent: 1.6, surprise: 1)
        var wanted = thumbnail(.webpAnimation, 20_000)
        wanted.edit = Self.padded(TargetSize(width: 320), .ratio(1, 1))
        let report = try await wanted.data(of: clip, encoders: EncoderRegistry([maker.factory]))
            .report
        #expect(report.size.width == report.size.height && report.size.width < 320)
        let picture = try #require(report.animation?.edit.size)
        #expect(picture.width == report.size.width)
        #expect(abs(Double(picture.height ?? 0) - Double(picture.width ?? 0) * 9 / 16) <= 1)
    }

    @Test func `what is reduced is said`() async throws {
        func warning(_ budget: Int, _ type: MediaType = .webpAnimation) async throws -> String? {
            let maker = ScriptedEncoding(type: type, exponent: 1.6, surprise: 1)
            return try await thumbnail(type, budget).data(
                of: clip, encoders: EncoderRegistry([maker.factory])
            ).report.warnings.first { $0.code == .reduced }?.message
        }
        #expect(try await warning(5_000_000) == nil)
        let quality = try #require(try await warning(120_000))
        #expect(quality.hasPrefix("Reduced to fit into 120000 bytes: quality from 75 to "))
        #expect(!quality.contains("size") && !quality.contains("frames"))
        let size = try #require(try await warning(40_000))
        #expect(size.contains("quality from 75 to 42 and size from 320x180 to "))
        let frames = try #require(try await warning(8000))
        #expect(frames.contains("frames from 30 to ") && frames.contains(" (10 to "))
        let exact = try #require(try await warning(8000, .apng))
        #expect(!exact.contains("quality") && !exact.contains("colors"))
    }

    static let budgets = [3000, 8000, 20_000, 60_000, 200_000, 5_000_000]

    @Test(arguments: budgets, [MediaType.webpAnimation, .apng, .gif])
    func `a budget is kept with few encodings`(
        _ budget: Int, _ type: MediaType
    ) async throws {
        // What the encoder makes of rate and size is not quite what the model takes it for.
        let maker = ScriptedEncoding(type: type, exponent: 1.8, surprise: 1.1)
        let (bytes, report) = try await thumbnail(type, budget).data(
            of: clip, encoders: EncoderRegistry([maker.factory]))
        #expect(bytes.count <= budget)
        #expect(report.byteCount == bytes.count)
        #expect(report.animation?.encodeCount ?? 9 <= 3)
        // Wholes, and two files a sample.
        #expect(maker.wholes.value <= 3 + 2 * (3 + 3))
        if budget >= 5_000_000 { #expect(report.animation?.encoding == .init()) }
    }

    @Test(arguments: [1.6, 3, 8]) func `a budget is kept whatever the encoder does`(
        _ surprise: Double
    ) async throws {
        // A second encoding that is again larger than the first one made believe.
        let maker = ScriptedEncoding(type: .webpAnimation, exponent: 0.7, surprise: surprise)
        do throws(MediaError) {
            let (bytes, _) = try await thumbnail(.webpAnimation, 20_000).data(
                of: clip, encoders: EncoderRegistry([maker.factory]))
            #expect(bytes.count <= 20_000)
        } catch {
            #expect(error.code == .limitExceeded)
        }
    }

    @Test func `what cannot be is told in a sentence`() async throws {
        let maker = ScriptedEncoding(type: .webpAnimation, exponent: 1.6, surprise: 1)
        let sinks = CollectedParts()
        await #expect {
            _ = try await thumbnail(.webpAnimation, 200).make(
                of: .init(clip), into: sinks, encoders: EncoderRegistry([maker.factory]))
        } throws: { error in
            let error = error as? MediaError
            return error?.code == .limitExceeded && error?.message.hasSuffix(".") == true
        }
        #expect(sinks.all[.main] ?? [] == [])
    }

    @Test(arguments: [20_000, 80_000]) func `real APNGs keep their budget`(
        _ budget: Int
    ) async throws {
        let clip = try Clips.open("clip.mp4")
        let (bytes, report) = try await thumbnail(.apng, budget).data(
            of: clip, encoders: FormatRegistry([.apng]).encoders)
        #expect(bytes.count <= budget)
        #expect(report.frameCount ?? 0 > 1)
    }

    private func thumbnail(_ type: MediaType, _ budget: Int) -> Rendition {
        Rendition.animation(as: type, limit: .bytes(budget))
    }

    private var clip: FrameSequence { clip(320, 180) }

    private func clip(_ width: Int, _ height: Int) -> FrameSequence {
        FrameSequence(
            ScriptedMedia(count: 30, size: PixelSize(width: width, height: height)))
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
            fidelity: type == .webpAnimation ? .optional : type == .gif ? .palette : .exact,
            side: 16_383)
        return EncoderFactory(type, traits) { options, _ in
            ScriptedEncoder(maker: self, options: options)
        }
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
            let quality =
                type == .apng ? 1 : (options.quality ?? 75) / 75 * Double(options.colors) / 256
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

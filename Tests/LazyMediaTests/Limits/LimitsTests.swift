import LazyMedia
import Testing

@Suite struct LimitsTests {
    private let size = PixelSize(width: 100, height: 100)

    @Test func `each excess names its limit and value`() {
        let limits = DecodingLimits(
            pixelsPerFrame: 9_999, frames: 3, inputBytes: 10)
        #expect(
            excess { () throws(MediaError) in try limits.check(canvas: size) }
                == .init(limit: "pixelsPerFrame", allowed: 9_999, actual: 10_000))
        #expect(
            excess { () throws(MediaError) in try limits.check(frames: 4) }
                == .init(limit: "frames", allowed: 3, actual: 4))
        #expect(
            excess { () throws(MediaError) in try limits.check(inputBytes: 11) }
                == .init(limit: "inputBytes", allowed: 10, actual: 11))
        let small = DecodingLimits(memory: 39_999, tracks: 7)
        #expect(
            excess { () throws(MediaError) in try small.check(canvas: size) }
                == .init(limit: "memory", allowed: 39_999, actual: 40_000))
        #expect(
            excess { () throws(MediaError) in try small.check(entries: 400) }
                == .init(limit: "memory", allowed: 39_999, actual: 40_000))
        #expect(
            excess { () throws(MediaError) in try small.check(entries: .max) }
                == .init(limit: "memory", allowed: 39_999, actual: .max))
        #expect(
            excess { () throws(MediaError) in try small.check(tracks: 8) }
                == .init(limit: "tracks", allowed: 7, actual: 8))
    }

    @Test func `values equal to a limit pass`() {
        let limits = DecodingLimits(
            pixelsPerFrame: 10_000, frames: 3, inputBytes: 10)
        #expect(throws: Never.self) {
            try limits.check(canvas: size)
            try limits.check(frames: 3)
            try limits.check(inputBytes: 10)
            try DecodingLimits().check(inputBytes: .max)
        }
    }

    @Test func `frames, pixels and time spend a budget`() throws {
        var frames = DecodingBudget(DecodingLimits(frames: 2))
        try frames.spend(frame: size)
        try frames.spend(frame: size)
        #expect(
            excess { () throws(MediaError) in try frames.spend(frame: size) }?.limit == "frames")

        var pixels = DecodingBudget(DecodingLimits(totalPixels: 25_000))
        try pixels.spend(frame: size)
        try pixels.spend(frame: size)
        #expect(
            excess { () throws(MediaError) in try pixels.spend(frame: size) }
                == .init(limit: "totalPixels", allowed: 25_000, actual: 30_000))

        var time = DecodingBudget(DecodingLimits(decodeTime: .seconds(1)))
        try time.spend(time: .milliseconds(999))
        #expect(
            excess { () throws(MediaError) in try time.spend(time: .seconds(2)) }?.limit
                == "decodeTime")
    }

    @Test func `extreme time limits do not trap`() throws {
        let long = DecodingLimits(openTime: .seconds(Int64.max), decodeTime: .seconds(Int64.max))
        var budget = DecodingBudget(long)
        try budget.spend(time: .seconds(Int64.max))
        #expect(
            excess { () throws(MediaError) in try budget.spend(time: .seconds(Int64.max)) }?.limit
                == "decodeTime")
    }

    @Test func `each limit is set and read by its name`() {
        for kind in DecodingLimits.Kind.allCases {
            var limits = DecodingLimits()
            #expect(limits.text(kind) == "none")
            limits.set(kind, to: 1_500_000)
            limits.set(kind, to: .seconds(120))
            #expect(limits.text(kind) == (kind.isTime ? "2m" : "1.5M"))
        }
    }

    @Test func `a file without a size is read as a stream`() throws {
        let source = try FileBytes(path: "/proc/self/status")
        var head = [UInt8](repeating: 0, count: 5)
        let count = try head.withUnsafeMutableBytes { (buffer) throws(MediaError) in
            try source.read(at: 0, into: buffer)
        }
        #expect(count == 5)
        #expect(head == Array("Name:".utf8))
        #expect(source.count > 5)
        #expect(try source.contiguous().count == source.count)
    }

    @Test func `each profile is stricter than the one before`() {
        #expect(DecodingLimits.local.frames == nil)
        #expect(DecodingLimits.web.pixelsPerFrame == 50_000_000)
        #expect(DecodingLimits.local.inputBytes == nil)
        let least = [DecodingLimits.local, .web, .untrusted].map { $0.memory ?? .max }
        #expect(least == least.sorted(by: >))
    }

    private func excess(_ body: () throws(MediaError) -> Void) -> MediaError.Excess? {
        do throws(MediaError) {
            try body()
            return nil
        } catch {
            #expect(error.code == .limitExceeded)
            return error.excess
        }
    }
}

@Suite struct FittingTests {
    @Test(
        arguments: [
            (640, 360, 320, nil, .contain, 320, 180), (640, 360, nil, 90, .contain, 160, 90),
            (640, 360, 100, 100, .contain, 100, 56), (640, 360, 100, 100, .cover, 100, 100),
            (640, 360, 100, 100, .fill, 100, 100), (64, 36, 320, nil, .contain, 320, 180),
            (64, 36, 320, nil, .scaleDown, 64, 36), (640, 360, nil, nil, .contain, 640, 360),
            (1000, 1, 10, 10, .contain, 10, 1), (853, 480, 320, nil, .contain, 320, 180),
        ] as [(Int, Int, Int?, Int?, FitMode, Int, Int)])
    func `target sizes follow CSS`(
        width: Int, height: Int, toWidth: Int?, toHeight: Int?, fit: FitMode, w: Int, h: Int
    ) {
        let target = TargetSize(width: toWidth, height: toHeight, fit: fit)
        #expect(
            target.finalSize(of: PixelSize(width: width, height: height))
                == PixelSize(width: w, height: h))
    }

    @Test func `cover scales until the target is covered`() {
        let target = TargetSize(width: 100, height: 100, fit: .cover)
        #expect(
            target.scaledSize(of: PixelSize(width: 640, height: 360))
                == PixelSize(width: 178, height: 100))
    }
}

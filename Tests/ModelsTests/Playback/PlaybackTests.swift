import LazyBase
import LazyMedia
import LazyPipeline
import Support
import Testing

/// A player that the test drives, of scripted media.
@MainActor
struct Player {
    let clock = ManualClock()
    let pool: FramePool
    let playback: Playback

    init(
        milliseconds: [Int64], loop: LoopCount = .gif(0), looping: Looping = .asAuthored,
        budget: Int = 1 << 20, isPreview: Bool = false, autoplay: Bool = true
    ) {
        pool = FramePool(budget: budget, clock: clock)
        playback = Playback(
            Player.sequence(milliseconds, loop), isPreview: isPreview, looping: looping,
            autoplay: autoplay, drive: .manual, pool: pool, clock: clock)
    }

    static func sequence(_ milliseconds: [Int64], _ loop: LoopCount = .gif(0)) -> FrameSequence {
        var media = ScriptedMedia(count: milliseconds.count, loop: loop)
        media.durations = milliseconds
        media.info.duration = .milliseconds(milliseconds.reduce(0, +))
        return FrameSequence(media)
    }

    static func container(
        _ milliseconds: [Int64], isPreview: Bool, loop: LoopCount = .gif(0)
    ) async throws -> ImageContainer {
        let sequence = sequence(milliseconds, loop)
        let poster = try await sequence.poster()
        return ImageContainer(
            frames: sequence, image: poster.bitmap, type: .gif, isPreview: isPreview)
    }

    /// Moves the clock and says which frame is then on show.
    func advance(_ milliseconds: Int) async -> Int? {
        clock.advance(by: .milliseconds(milliseconds))
        await playback.update()
        return playback.frame?.index
    }

    /// The frames on show after steps of equal length.
    func frames(every milliseconds: Int, count: Int) async -> [Int] {
        var frames: [Int] = []
        for _ in 0..<count { frames.append(await advance(milliseconds) ?? -1) }
        return frames
    }
}

@MainActor struct PlaybackTests {
    @Test func `each frame is shown for its own time`() async {
        let player = Player(milliseconds: [30, 70, 20, 80])
        #expect(await player.playback.update() == .milliseconds(30))
        #expect(player.playback.frame?.index == 0)
        #expect(
            await player.frames(every: 10, count: 40).map(String.init).joined()
                == "0011111112233333333" + "00011111112233333333" + "0")
        #expect(player.playback.currentPlay == 2)
        #expect(player.playback.droppedFrames == 0)
    }

    @Test func `late frames are dropped`() async {
        let player = Player(milliseconds: [10, 10, 10, 10, 10, 10])
        await player.playback.update()
        #expect(await player.advance(35) == 3)
        #expect(player.playback.droppedFrames == 2)
        #expect(await player.advance(30) == 0)
        #expect(player.playback.currentPlay == 1)
        #expect(player.playback.droppedFrames == 4)
    }

    @Test(arguments: [(Looping.asAuthored, 3), (.once, 1), (.times(2), 2)])
    func `the loop count is honored`(looping: Looping, plays: Int) async {
        let player = Player(milliseconds: [100, 100], loop: .gif(2), looping: looping)
        var ends = 0
        player.playback.onFinished = { ends += 1 }
        await player.playback.update()
        for play in 0..<plays {
            #expect(player.playback.currentPlay == play)
            #expect(player.playback.state == .playing)
            #expect(await player.advance(100) == 1)
            _ = await player.advance(100)
        }
        #expect(player.playback.state == .finished)
        #expect(player.playback.frame?.index == 1)
        #expect(ends == 1)
        player.playback.play()
        await player.playback.update()
        #expect(player.playback.frame?.index == 0)
        #expect(player.playback.state == .playing)
    }

    @Test func `an endless loop plays forever`() async {
        let player = Player(milliseconds: [100, 100], loop: .gif(nil), looping: .forever)
        await player.playback.update()
        #expect(await player.advance(1_000_000_100) == 1)
        #expect(player.playback.currentPlay == 5_000_000)
    }

    @Test func `the timeline waits for the first frame and while paused`() async {
        let player = Player(milliseconds: [100, 100, 100])
        player.clock.advance(by: .seconds(5))
        await player.playback.update()
        #expect(player.playback.frame?.index == 0)
        #expect(await player.advance(150) == 1)
        player.playback.pause()
        #expect(player.playback.state == .paused)
        #expect(await player.advance(1000) == 1)
        player.playback.play()
        #expect(await player.advance(49) == 1)
        await player.playback.update()
        #expect(await player.advance(50) == 2)
    }

    @Test func `off screen playback pauses and keeps only the current frame`() async {
        let player = Player(milliseconds: [100, 100, 100, 100])
        await player.playback.update()
        player.playback.isOnScreen = false
        #expect(player.playback.state == .paused)
        #expect(await player.advance(250) == 0)
        #expect(player.pool.statistics.stores.first?.framesKept == 0)
        player.playback.isOnScreen = true
        await player.playback.update()
        #expect(player.playback.state == .playing)
        #expect(await player.advance(100) == 1)
    }

    @Test(arguments: [(0.5, 200), (2, 50), (3, 34), (16, 7), (0.01, 1000), (99, 7)])
    func `the rate sets the duration of a frame`(rate: Double, milliseconds: Int) async throws {
        let player = Player(milliseconds: [100, 100, 100])
        player.playback.rate = rate
        let next = try #require(await player.playback.update())
        #expect(next > .milliseconds(milliseconds - 1) && next <= .milliseconds(milliseconds))
        player.clock.advance(by: next)
        #expect(await player.advance(0) == 1)
    }

    @Test func `the rate may change during playback`() async {
        let player = Player(milliseconds: [100, 100, 100, 100])
        await player.playback.update()
        #expect(await player.advance(150) == 1)
        player.playback.rate = 2
        #expect(await player.advance(25) == 2)
        player.playback.rate = 0
        #expect(player.playback.rate == 2)
        #expect(await player.advance(50) == 3)
    }

    @Test(arguments: [1 << 20, 0])
    func `frames last as long backwards as forwards`(budget: Int) async {
        let player = Player(milliseconds: [30, 70, 20, 80], looping: .forever, budget: budget)
        player.playback.rate = -1
        await player.playback.update()
        #expect(player.playback.frame?.index == 3)
        #expect(
            await player.frames(every: 10, count: 39).map(String.init).joined()
                == "3333333221111111000" + "33333333221111111000")
    }

    @Test func `backwards playback ends at the start`() async {
        let player = Player(milliseconds: [100, 100], loop: .gif(nil))
        player.playback.rate = -1
        await player.playback.update()
        #expect(player.playback.frame?.index == 1)
        #expect(await player.advance(100) == 0)
        #expect(await player.advance(100) == 0)
        #expect(player.playback.state == .finished)
    }

    @Test func `a seek is exact and keeps the play`() async {
        let player = Player(milliseconds: [30, 70, 20, 80])
        await player.playback.update()
        _ = await player.advance(200)
        player.playback.seek(to: .milliseconds(119))
        #expect(await player.advance(0) == 2)
        #expect(player.playback.currentPlay == 1)
        #expect(await player.advance(1) == 3)
        player.playback.seek(toFrame: 1)
        #expect(await player.advance(0) == 1)
        #expect(player.playback.currentTime == .milliseconds(30))
        #expect(await player.advance(70) == 2)
        player.playback.seek(to: .seconds(-3))
        #expect(await player.advance(0) == 0)
    }

    @Test func `a paused player shows the frame it seeks to`() async {
        let player = Player(milliseconds: [100, 100, 100], autoplay: false)
        #expect(await player.advance(100) == nil)
        player.playback.seek(toFrame: 2)
        #expect(await player.advance(100) == 2)
        #expect(player.playback.state == .paused)
        #expect(await player.advance(1000) == 2)
    }

    @Test func `stopping shows the poster and rewinds`() async throws {
        let container = try await Player.container([100, 100], isPreview: false)
        let clock = ManualClock()
        let playback = Playback(
            container, drive: .manual, pool: FramePool(budget: 1 << 20), clock: clock)
        #expect(playback.state == .waiting)
        #expect(playback.image == container.image)
        await playback.update()
        clock.advance(by: .milliseconds(100))
        await playback.update()
        #expect(playback.image != container.image)
        playback.stop()
        #expect(playback.frame == nil)
        #expect(playback.image == container.image)
        playback.play()
        await playback.update()
        #expect(playback.frame?.index == 0)
    }

    @Test func `a still is shown without playback`() async {
        let player = Player(milliseconds: [100])
        #expect(await player.playback.update() == nil)
        #expect(player.playback.frame?.index == 0)
        #expect(player.playback.state == .finished)
    }

    @Test func `a growing preview continues where it was`() async throws {
        let player = Player(milliseconds: [100, 100], isPreview: true)
        await player.playback.update()
        #expect(await player.advance(150) == 1)
        player.playback.update(
            with: try await Player.container([100, 100, 100, 100], isPreview: true))
        #expect(await player.advance(60) == 2)
        #expect(await player.advance(500) == 3)
        #expect(player.playback.state == .waiting)
        player.playback.update(
            with: try await Player.container([100, 100, 100, 100, 100], isPreview: false))
        #expect(await player.advance(0) == 4)
        #expect(player.playback.state == .playing)
        #expect(await player.advance(100) == 0)
        #expect(player.playback.currentPlay == 1)
    }

    @Test func `a damaged sequence plays up to its damage`() async {
        var media = ScriptedMedia(count: 3)
        media.info.frameCount = 3
        let cut = CutMedia(media: media, count: 2)
        let clock = ManualClock()
        let playback = Playback(
            FrameSequence(cut), drive: .manual, pool: FramePool(budget: 1 << 20), clock: clock)
        await playback.update()
        for expected in [1, 0, 1, 0] {
            clock.advance(by: .milliseconds(100))
            await playback.update()
            #expect(playback.frame?.index == expected)
        }
    }

    @Test func `an error stops playback and is published`() async {
        var media = ScriptedMedia(count: 3)
        media.fault = (1, MediaError(.malformed, "It is broken."))
        let clock = ManualClock()
        let playback = Playback(
            FrameSequence(media), drive: .manual, pool: FramePool(budget: 1 << 20), clock: clock)
        await playback.update()
        clock.advance(by: .milliseconds(100))
        await playback.update()
        #expect(playback.error?.code == .malformed)
        #expect(playback.state == .paused)
        #expect(playback.frame?.index == 0)
    }

    @Test func `an automatic player follows its clock and ends when it is released`() async {
        let clock = ManualClock()
        let pool = FramePool(budget: 1 << 20)
        var playback: Playback? = Playback(
            Player.sequence([100, 100, 100]), pool: pool, clock: clock)
        await clock.waitForSleepers()
        #expect(playback?.frame?.index == 0)
        clock.advance(by: .milliseconds(100))
        await clock.waitForSleepers()
        #expect(playback?.frame?.index == 1)
        playback = nil
        #expect(pool.statistics.stores.isEmpty)
    }
}

/// Media whose reader ends before the index does.
struct CutMedia: OpenedMedia {
    let media: ScriptedMedia
    let count: Int
    var info: MediaInfo { media.info }

    func frameIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex {
        media.index
    }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        CutReader(reader: try media.makeReader(options), count: count)
    }

    final class CutReader: PlainReader {
        let reader: any FrameReader
        let count: Int
        let warnings: [MediaWarning] = []

        init(reader: any FrameReader, count: Int) {
            self.reader = reader
            self.count = count
        }

        private var next = 0
        func frame() throws(MediaError) -> Frame? {
            next += 1
            return next > count ? nil : try reader.nextFrame()
        }
        func seek(toIndex index: Int) throws(MediaError) {
            next = index
            try reader.seek(toIndex: index)
        }
        func seek(toTime time: Duration) throws(MediaError) { try reader.seek(toTime: time) }
    }
}

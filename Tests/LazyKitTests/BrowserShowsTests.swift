import BrowserSupport
import Foundation
import LazyBase
import LazyKit
import LazyMedia
import LazyRenditions
import Support
import Testing

/// Files that we wrote, as a browser shows them.
@Suite(.ownThreads, .serialized, .enabled(if: Browser.isInstalled, "Chromium is not installed"))
struct `A browser shows what we write` {
    static let images: [MediaType] = [.gif, .apng, .webpAnimation, .avifSequence]
    static let videos: [MediaType] = [.mp4, .webm]

    /// A clip of numbered pictures as a file of a type, each picture shown for longer.
    static func file(
        _ type: MediaType, slower factor: Double = 1, loop: LoopCount = .plays(0)
    ) async throws -> Browser.File {
        let clip = try FrameSequence(
            opening: FileBytes(path: Media.path("small.mp4")), registry: .standard)
        let slow = try await clip.edited(ClipEdit(speed: 1 / factor))
        let encoder = try EncoderRegistry.standard.encoder(for: type)
        let bytes = Locked<[UInt8]>([])
        try await withTaskExecutorPreference(BlockingPool.shared) {
            try await encoder.encode(
                slow.frames(planes: encoder.prefersPlanes), info: slow.info, loop: loop
            ) { (piece) throws(MediaError) in bytes.withLock { $0 += piece } }
        }
        let mime = type == .apng ? "image/png" : type.mimeType
        let name = "\(type.name)-\(loop.plays ?? 0)"
        return Browser.File(name, type: mime, bytes.withLock { $0 })
    }

    @Test(arguments: images)
    func `frames, delays and plays of pictures`(_ type: MediaType) async throws {
        var files: [Browser.File] = []
        for plays in [0, 1, 3] { files.append(try await Self.file(type, loop: .plays(plays))) }
        for (plays, picture) in zip([0, 1, 3], try await `A real browser`.decode(files)) {
            #expect(picture.frames.count == 24)
            #expect(picture.repeats == (plays == 0 ? nil : plays - 1), "\(type) of \(plays) plays")
            var sum = 0
            for (index, frame) in picture.frames.enumerated() {
                sum += frame.microseconds
                // GIF counts in hundredths; no error adds up. The browser's whole milliseconds of an
                // APNG's exact fractions do.
                let error = abs(sum - (index + 1) * 1_000_000 / 12)
                #expect(error <= (type == .apng ? 1000 * (index + 1) : 5000), "\(type) #\(index)")
            }
            guard plays == 0, type != .avifSequence else { continue }
            let ours = try await `A real browser`.frames(
                of: try FrameSequence(opening: try MemoryBytes(files[0].bytes), registry: .standard)
            )
            #expect(ours.map(\.digest) == picture.frames.map(\.digest), "\(type)")
        }
    }

    @Test(arguments: images + videos)
    func `the right picture is on screen at the right time`(_ type: MediaType) async throws {
        // Half a second a picture; so a busy machine takes no wrong one.
        let file = try await Self.file(type, slower: 6)
        let sources = try await Self.sources()
        try await BlockingPool.shared.run {
            Result {
                let browser = try Browser(files: [file], width: 320, height: 192)
                let isVideo = Self.videos.contains(type)
                let (element, isThere) = isVideo ? ("video", "playing") : ("img", "load")
                // A player has a clock of its own, which waits where a busy machine decodes late.
                let clock = isVideo ? "shown.currentTime" : "(performance.now() - began) / 1000"
                _ = try browser.evaluate(
                    """
                    new Promise((done, failed) => {
                      self.shown = document.createElement('\(element)');
                      shown.style = 'width:320px;height:192px;display:block';
                      shown.muted = shown.autoplay = true;
                      shown.addEventListener('\(isThere)', () => {
                        self.began = performance.now(); requestAnimationFrame(() => done(1)); });
                      shown.addEventListener('error', () => failed(Error('refused')));
                      shown.src = '/\(file.name)';
                      document.body.append(shown);
                    })
                    """)
                var seen: Set<Int> = []
                for _ in 0..<5 {
                    let before = try Self.seconds(clock, browser)
                    let picture = try Self.bitmap(try browser.screenshot())
                    let after = try Self.seconds(clock, browser)
                    let number = try #require(picture.barcode, "\(type) shows no code")
                    let least = max(0, Int((before - 0.3) * 2))
                    let most = Int((after + 0.3) * 2)
                    #expect((least...most).contains(number), "\(type) at \(before) s")
                    seen.insert(number)
                    let distance = Self.distance(picture, try #require(sources[number]))
                    #expect(distance <= 6, "\(type) shows other colors in #\(number)")
                    _ = try browser.evaluate("new Promise(done => setTimeout(done, 600))")
                }
                #expect(seen.count >= 3, "\(type) stands still")
            }
        }.get()
    }

    @Test(arguments: videos)
    func `video is sought to the right picture and has the right length`(
        _ type: MediaType
    ) async throws {
        let file = try await Self.file(type)
        try await BlockingPool.shared.run {
            Result {
                let browser = try Browser(files: [file], width: 320, height: 192)
                let length = try browser.evaluate(
                    """
                    new Promise((done, failed) => {
                      self.clip = document.createElement('video');
                      clip.style = 'width:320px;height:192px;display:block';
                      clip.muted = true;
                      clip.addEventListener('loadeddata', () => done(clip.duration));
                      clip.addEventListener('error', () => failed(Error(clip.error.message)));
                      clip.src = '/\(file.name)';
                      document.body.append(clip);
                    })
                    """)
                #expect(abs(try #require(length as? Double) - 2) < 0.0015, "\(type)")
                for number in [0, 1, 7, 8, 13, 23, 3] {
                    _ = try browser.evaluate(
                        """
                        new Promise(done => {
                          clip.addEventListener('seeked', () => requestAnimationFrame(
                            () => requestAnimationFrame(() => done(1))), {once: true});
                          clip.currentTime = \((Double(number) + 0.5) / 12);
                        })
                        """)
                    #expect(try Self.bitmap(try browser.screenshot()).barcode == number, "\(type)")
                }
            }
        }.get()
    }

    private static func seconds(_ clock: String, _ browser: Browser) throws -> Double {
        try #require((try browser.evaluate(clock) as? NSNumber)?.doubleValue)
    }

    private static func bitmap(_ png: [UInt8]) throws -> Bitmap {
        let opened = try DecoderRegistry.standard.open(try MemoryBytes(png))
        return try #require(try opened.makeReader(ReaderOptions()).nextFrame()).bitmap
    }

    /// The pictures of the clip by their numbers.
    static func sources() async throws -> [Int: Bitmap] {
        let clip = try FrameSequence(
            opening: FileBytes(path: Media.path("small.mp4")), registry: .standard)
        var sources: [Int: Bitmap] = [:]
        for try await frame in clip.frames() { sources[frame.index] = frame.bitmap }
        return sources
    }

    /// How far the colors of two pictures are apart at most, on average over each of 8 by 6 fields.
    static func distance(_ one: Bitmap, _ other: Bitmap) -> Double {
        zip(means(one), means(other)).map { abs($0 - $1) }.max() ?? 255
    }

    private static func means(_ bitmap: Bitmap) -> [Double] {
        let (width, height) = (bitmap.size.width, bitmap.size.height)
        var sums = [Double](repeating: 0, count: 8 * 6 * 3)
        bitmap.withBytes { bytes in
            for y in 0..<(height / 6 * 6) {
                for x in 0..<(width / 8 * 8) {
                    let field = (y / (height / 6) * 8 + x / (width / 8)) * 3
                    for channel in 0..<3 {
                        sums[field + channel] += Double(bytes[y * bitmap.stride + x * 4 + channel])
                    }
                }
            }
        }
        return sums.map { $0 / Double((width / 8) * (height / 6)) }
    }
}

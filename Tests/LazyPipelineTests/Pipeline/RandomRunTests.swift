import FoundationEssentials
import LazyBase
import LazyLoading
import LazyMedia
import LazyPipeline
import Support
import Testing

/// Three thousand loads from many tasks, cancelled, reprioritized and failed at random.
@Suite(.timeLimit(.minutes(5))) struct RandomRunTests {
    @Test(arguments: [1, 2] as [UInt64])
    func `every load ends exactly once and nothing leaks`(seed: UInt64) async {
        let world = RandomWorld()
        weak var gone: ImagePipeline?
        let ends = Counter()
        do {
            let pipeline = world.makePipeline()
            gone = pipeline
            await withTaskGroup { group in
                for worker in 0..<10 {
                    let random = SplitMix(seed * 1000 + UInt64(worker))
                    group.addTask { await world.work(150, pipeline, random, ends) }
                }
            }
        }
        // Cancelled work may still be ending.
        while gone != nil { await Task.yield() }
        #expect(ends.value == 1500)
        #expect(world.doubleEnds.value == 0)
        #expect(world.loader.live == 0)
        #expect(world.loader.maxLive <= 6)
        #expect(world.decoder.opening.value == 0)
        #expect(world.decoder.opening.most <= 2)
        #expect(world.processing.value == 0)
        #expect(world.processing.most <= 2)
        #expect(world.decoder.log.live == 0)
        #expect(world.outcomes.count >= 5, "\(world.outcomes)")
    }
}

/// A loader, a decoder and processors that fail and dawdle by what they are asked for.
final class RandomWorld: Sendable {
    let loader = ScriptedLoader { request in
        let number = Int(request.url.lastPathComponent) ?? 0
        let gate: @Sendable (Int) async -> Void = { index in
            for _ in 0..<((number + index + 1) % 5) { await Task.yield() }
        }
        switch number % 10 {
        case 7: return .init(failure: LoadingError(.reset, "The connection broke."), gate: gate)
        case 8:
            return .init([[1], [2]], bodyFailure: LoadingError(.truncated, "Cut."), gate: gate)
        case 9: return .init([], gate: gate)
        default:
            return .init(
                Given.split(Array("GIF89a".utf8) + [UInt8(number), 0, 0, 0, 0, 0, 0], 3), gate: gate
            )
        }
    }
    let decoder = CountingDecoder()
    let processing = Counter()
    let doubleEnds = Counter()
    private let words = Locked<[String: Int]>([:])

    var outcomes: [String: Int] { words.withLock { $0 } }

    func makePipeline() -> ImagePipeline {
        var configuration = ImagePipeline.Configuration(
            dataLoader: loader, decoders: DecoderRegistry([decoder]))
        configuration.isRateLimiterEnabled = false
        configuration.decodingLimit = 2
        configuration.processingLimit = 2
        configuration.imageCache = PlainImageCache()
        configuration.dataCache = PlainDataCache()
        configuration.isProgressiveDecodingEnabled = true
        return ImagePipeline(configuration: configuration)
    }

    func work(
        _ count: Int, _ pipeline: ImagePipeline, _ random: SplitMix, _ ends: Counter
    ) async {
        var random = random
        var tasks: [ImageTask] = []
        let (ended, continuation) = AsyncStream<Void>.makeStream()
        for _ in 0..<count {
            let isOver = Locked(false)
            let task = pipeline.loadImage(with: request(&random)) { [self] result in
                let wasOver = isOver.withLock { over in
                    defer { over = true }
                    return over
                }
                if wasOver { doubleEnds.add() }
                ends.add()
                words.withLock { $0[Self.word(result), default: 0] += 1 }
                continuation.yield()
            }
            tasks.append(task)
            await disturb(tasks, &random)
            if tasks.count > 30 { tasks.removeFirst(15) }
        }
        for await _ in ended.prefix(count) {}
    }

    private func request(_ random: inout SplitMix) -> ImageRequest {
        let number = Int.random(in: 0..<40, using: &random)
        let names = ["one", "two", "bad"].prefix(Int.random(in: 0...3, using: &random))
        var request = ImageRequest(
            url: Given.url("\(number)"),
            processors: names.map { BusyProcessor(identifier: $0, count: processing) })
        let options: [ImageRequest.Options] = [
            [], [], .disableMemoryCache, .reloadIgnoringCachedData, .disableDiskCache,
            .returnCacheDataDontLoad, .skipDecompression,
        ]
        request.options = options.randomElement(using: &random) ?? []
        request.priority = Priority.allCases.randomElement(using: &random) ?? .normal
        return request
    }

    private func disturb(_ tasks: [ImageTask], _ random: inout SplitMix) async {
        guard let task = tasks.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1: task.cancel()
        case 2: task.priority = Priority.allCases.randomElement(using: &random) ?? .low
        case 3:
            let waiter = Task { _ = try? await task.response }
            if Bool.random(using: &random) { waiter.cancel() }
            await waiter.value
        case 4: for await _ in task.progress { break }
        case 5: await Task.yield()
        default: break
        }
    }

    private static func word(_ result: Result<ImageResponse, PipelineError>) -> String {
        switch result {
        case .success: "success"
        case .failure(let error): error.name
        }
    }
}

/// Opens anything as scripted media, and counts how many it opens at one time.
struct CountingDecoder: MediaDecoding {
    let name = "counting"
    let opening = Counter()
    private let media = ScriptedMedia(count: 3)
    var log: ReaderLog { media.log }

    func canOpen(_ type: MediaType) -> Bool { type == .gif }

    func sniff(_ head: [UInt8]) -> MediaType? {
        head.starts(with: Array("GIF89a".utf8)) ? .gif : nil
    }

    func open(
        _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits
    ) throws(MediaError) -> any OpenedMedia {
        opening.add()
        defer { opening.add(-1) }
        let content = try bytes.contiguous().withBytes { Array($0) }
        if content[6] % 10 == 6 { throw MediaError(.malformed, "Broken.") }
        return media
    }
}

/// Counts how many work at one time; the one named `bad` fails.
struct BusyProcessor: ImageProcessing {
    let identifier: String
    let count: Counter

    func outputSize(for size: PixelSize) -> PixelSize { size }

    func process(_ bitmap: Bitmap, context: ProcessingContext) throws(ProcessingError) -> Bitmap {
        count.add()
        defer { count.add(-1) }
        if identifier == "bad" { throw ProcessingError("It does not want to.") }
        return bitmap
    }
}

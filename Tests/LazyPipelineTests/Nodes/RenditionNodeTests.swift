import FoundationEssentials
import LazyBase
import LazyEditing
import LazyLoading
import LazyMedia
import LazyRenditions
import Support
import Testing

@testable import LazyPipeline

/// Renditions of what requests name: shared work, what is stored, and what ends it.
@Suite(.timeLimit(.minutes(1))) struct RenditionNodeTests {
    private let request = RenditionRig.request
    private let poster = RenditionRig.poster

    // MARK: - Shared work

    @Test func `sixty four equal requests are one download, one decode and one encode`()
        async throws
    {
        let gate = Gate()
        let rig = RenditionRig { if $0 == -1 { await gate.pass() } }
        let pipeline = rig.pipeline()
        let tasks = (0..<64).map { _ in pipeline.renditionTask(for: request, as: poster) }
        for task in tasks { task.begin() }
        gate.open()
        for task in tasks { #expect(try await task.response.text == "one 1 8x8") }
        #expect(rig.asked == 1 && rig.loader.maxLive == 1)
        #expect(rig.decodes.value == 1 && rig.encodes.value == 1)
        #expect(pipeline.activeTaskCount == 0)
        // Later ones are hits.
        let later = try await pipeline.data(for: request, as: poster)
        #expect(later.cacheType == .memory && rig.asked == 1 && rig.encodes.value == 1)
    }

    @Test func `two sizes share the download, and each is encoded once`() async throws {
        let gate = Gate()
        let rig = RenditionRig { if $0 == 1 { await gate.pass() } }
        let pipeline = rig.pipeline()
        let tasks = [4, 2, 4].map { width in
            pipeline.renditionTask(
                for: request, as: .poster(.first, size: TargetSize(width: width)))
        }
        for task in tasks { task.begin() }
        gate.open()
        let sizes = try await [
            tasks[0].response.text, tasks[1].response.text, tasks[2].response.text,
        ].map { $0.suffix(3) }
        #expect(sizes == ["4x4", "2x2", "4x4"])
        #expect(rig.asked == 1 && rig.encodes.value == 2)
    }

    @Test func `readers share the bytes, and a slow one delays nobody`() async throws {
        // In memory, and in a file.
        for size in [1 << 20, 5 << 20] {
            let rig = RenditionRig()
            let pipeline = rig.pipeline(size: size)
            let slow = try await pipeline.data(for: request, as: poster)
            var reader = slow.pieces.makeAsyncIterator()
            #expect(try await reader.next()?.count == 1 << 16)
            // It has read one piece and reads no more, while the others read all.
            let counts = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<63 {
                    group.addTask { [request, poster] in
                        var count = 0
                        let response = try await pipeline.data(for: request, as: poster)
                        for try await piece in response.pieces { count += piece.count }
                        return count
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(counts == Array(repeating: size, count: 63))
            #expect(rig.encodes.value == 1)
            let other = try await pipeline.data(for: request, as: poster)
            #expect((slow.body.bytesInMemory != nil) == (size == 1 << 20))
            if let one = slow.body.bytesInMemory, let two = other.body.bytesInMemory {
                // One copy for all.
                #expect(
                    one.withUnsafeBytes { $0.baseAddress } == two.withUnsafeBytes { $0.baseAddress }
                )
            }
            var rest = 1 << 16
            while let piece = try await reader.next() { rest += piece.count }
            #expect(rest == size)
        }
    }

    @Test func `a request that processes is made of what it shows`() async throws {
        let rig = RenditionRig()
        let pipeline = rig.pipeline()
        let processor = CountingProcessor(identifier: "counting")
        var request = ImageRequest(url: Given.url(), processors: [processor])
        request.thumbnail = .init(maxPixelSize: 4)
        #expect(try await pipeline.data(for: request, as: poster).text == "one 1 4x4")
        #expect(processor.count.value > 0)
        #expect(rig.asked == 1)
        // It is another result than that of the plain request.
        #expect(try await pipeline.data(for: self.request, as: poster).text == "one 2 8x8")
    }

    @Test func `bytes and images from closures are made into renditions`() async throws {
        let rig = RenditionRig()
        let pipeline = rig.pipeline()
        let bytes = ImageRequest(id: "upload", data: { Blob(Given.gif(width: 6, height: 6)) })
        let first = try await pipeline.data(for: bytes, as: poster)
        #expect(try first.text == "one 1 6x6")
        #expect(first.head.tag?.isWeak == false && rig.asked == 0)
        #expect(try await pipeline.data(for: bytes, as: poster).cacheType == .memory)
        let image = ImageRequest(
            id: "drawn", image: { ImageContainer(still: try Picture.plain(4, 4, .one)) })
        #expect(try await pipeline.data(for: image, as: poster).text.hasPrefix("one 2"))
    }

    // MARK: - Cancellation

    @Test(arguments: ["head", "body", "encoder", "queue"])
    func `the last who leaves cancels the work`(stage: String) async throws {
        let (gate, encoding) = (Gate(), Gate())
        let rig = RenditionRig { index in
            if (stage == "head" && index == -1) || (stage == "body" && index == 1) {
                await gate.pass()
            }
        }
        let pipeline = rig.pipeline(gate: stage == "encoder" ? encoding : nil)
        if stage == "queue" { pipeline.queue(.rendering).isSuspended = true }
        let tasks = (0..<2).map { _ in pipeline.renditionTask(for: request, as: poster) }
        for task in tasks { task.begin() }
        switch stage {
        case "encoder": await encoding.waitForArrivals(1)
        case "queue": await eventually { pipeline.queue(.rendering).waitingCount > 0 }
        default: await gate.waitForArrivals(1)
        }
        tasks[0].cancel()
        #expect(tasks[0].isCancelled && pipeline.activeTaskCount > 0)
        tasks[1].cancel()
        #expect(pipeline.activeTaskCount == 0)
        gate.open()
        encoding.open()
        await eventually { rig.loader.live == 0 }
        if stage == "encoder" { await eventually { rig.cancelledEncodes.value > 0 } }
        await eventually { pipeline.queue(.rendering).waitingCount == 0 }
        pipeline.queue(.rendering).isSuspended = false
        #expect(rig.encodes.value == 0)
        await #expect(throws: PipelineError.self) { try await tasks[1].response }
    }

    @Test func `others keep the work of a task that leaves`() async throws {
        let gate = Gate()
        let rig = RenditionRig { if $0 == 1 { await gate.pass() } }
        let pipeline = rig.pipeline()
        let (one, two) = (
            pipeline.renditionTask(for: request, as: poster),
            pipeline.renditionTask(for: request, as: poster)
        )
        one.begin()
        two.begin()
        await gate.waitForArrivals(1)
        one.cancel()
        gate.open()
        #expect(try await two.response.text == "one 1 8x8")
    }

    @Test func `work is kept for a while without a task, and no longer`() async throws {
        for isInTime in [true, false] {
            let gate = Gate()
            let rig = RenditionRig()
            let pipeline = rig.pipeline(gate: gate)
            let task = pipeline.renditionTask(for: request, as: poster)
            task.begin()
            await gate.waitForArrivals(1)
            task.cancel(keeping: .seconds(10))
            #expect(task.isCancelled)
            await rig.clock.waitForSleepers()
            if !isInTime {
                rig.clock.advance(by: .seconds(11))
                await eventually { pipeline.kept.withLock { $0.isEmpty } }
                gate.open()
                await eventually { rig.cancelledEncodes.value > 0 }
                #expect(rig.encodes.value == 0)
                continue
            }
            gate.open()
            let later = try await pipeline.data(for: request, as: poster)
            #expect(try later.text == "one 1 8x8" && rig.encodes.value == 1)
        }
    }

    @Test func `an invalidated pipeline fails its tasks`() async throws {
        let gate = Gate()
        let rig = RenditionRig { if $0 == -1 { await gate.pass() } }
        let pipeline = rig.pipeline()
        let (making, asking) = (
            pipeline.renditionTask(for: request, as: poster),
            pipeline.renditionTask(for: request, as: poster)
        )
        making.begin()
        let head = Task { try await asking.head }
        await gate.waitForArrivals(1)
        await eventually { pipeline.activeTaskCount == 2 }
        pipeline.invalidate()
        gate.open()
        let error = await #expect(throws: PipelineError.self) { try await making.response }
        #expect(error?.name == "pipelineInvalidated")
        await #expect(throws: PipelineError.self) { try await head.value }
        await #expect(throws: PipelineError.self) {
            try await pipeline.data(for: request, as: poster)
        }
    }

    @Test func `progress tells the stage`() async throws {
        let gate = Gate()
        let rig = RenditionRig()
        let pipeline = rig.pipeline(gate: gate)
        let task = pipeline.renditionTask(for: request, as: poster)
        let last = Task {
            var last: RenditionTask.Progress?
            for await progress in task.progress { last = progress }
            return last
        }
        task.begin()
        await gate.waitForArrivals(1)
        gate.open()
        _ = try await task.response
        #expect(await last.value == .rendering(byteCount: 100))
    }

    // MARK: - Faults

    @Test func `an error of each stage is that of the task`() async throws {
        let rig = RenditionRig()
        let pipeline = rig.pipeline()
        let cases: [(ImageRequest, Rendition, Int)] = [
            (ImageRequest(string: ""), poster, 400),
            (request, .poster(.index(9)), 422),
            (request, .poster(.first, as: .webp), 422),
            (ImageRequest(id: "text", data: { Blob(Array("text".utf8)) }), poster, 415),
            (ImageRequest(string: "file:///nowhere/at/all.gif"), poster, 404),
        ]
        for (request, rendition, status) in cases {
            let error = await #expect(throws: PipelineError.self) {
                try await pipeline.data(for: request, as: rendition)
            }
            #expect(error?.httpStatus == status, "\(String(describing: error))")
        }
    }

    @Test func `files that a rendition names are read by a reader only`() async throws {
        let rig = RenditionRig()
        var rendition = poster
        rendition.edit.overlays = [.file(.init("mark.png", .picture()))]
        let refusing = rig.pipeline()
        let error = await #expect(throws: PipelineError.self) {
            try await refusing.data(for: request, as: rendition)
        }
        // Nothing was loaded for it.
        #expect(error?.httpStatus == 422 && rig.asked == 0)
        let reader = MarkReader()
        let reading = rig.pipeline { $0.renditionFiles = reader }
        let first = try await reading.data(for: request, as: rendition)
        #expect(try first.text == "one 1 8x8" && first.report.contains("mark.png"))
        // A file without a digest is read each time: it may be another one by now.
        _ = try await reading.data(for: request, as: rendition)
        #expect(reader.reads.value == 2 && rig.encodes.value == 1)
        reader.color.value = "another"
        _ = try await reading.data(for: request, as: rendition)
        #expect(rig.encodes.value == 2)
    }
}

/// A watermark of one color, which depends on its text.
private final class MarkReader: Rendition.FileReading {
    let reads = Counter()
    let color = LockedBox("first")

    private static func square(_ side: Int) throws(MediaError) -> Bitmap {
        try Bitmap(size: PixelSize(width: side, height: side), isOpaque: true) { bytes in
            for place in bytes.indices { bytes[place] = 255 }
        }
    }

    func bytes(of file: Overlay.File) async throws(MediaError) -> [UInt8] {
        reads.add()
        return Array(color.value.utf8)
    }

    func pictures(
        in bytes: [UInt8], of file: Overlay.File
    ) async throws(MediaError) -> (frames: [Frame], warnings: [MediaWarning]) {
        ([Frame(try Self.square(bytes.count), milliseconds: 1000)], [])
    }
}

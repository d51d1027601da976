import FoundationEssentials
import LazyBase
import LazyKit
import LazyLoading
import LazyMedia
import LazyPipeline
import LazyRenditions
import Support
import Testing

/// Renditions of real formats through a pipeline, as a service makes them.
@Suite(.timeLimit(.minutes(2))) struct RenditionServiceTests {
    private func pipeline() -> ImagePipeline {
        var configuration = ImagePipeline.Configuration.inMemory
        configuration.isRateLimiterEnabled = false
        return ImagePipeline(configuration: configuration)
    }

    private func request(_ path: String) -> ImageRequest {
        ImageRequest(string: "file://" + path)
    }

    @Test(arguments: [
        (#"{"kind": "poster", "output": {"type": "png"}}"#, MediaType.png, 64),
        (
            #"{"kind": "poster", "at": "first", "edit": {"size": "32x"}, "output": {"type": "webp"}}"#,
            .webp, 32
        ),
        (
            #"{"kind": "poster", "edit": {"size": "16x>"}, "output": {"type": "jpeg", "quality": 50}}"#,
            .jpeg, 16
        ),
        (#"{"kind": "animation", "output": {"type": "webp-animation"}}"#, .webpAnimation, 160),
        (#"{"kind": "conversion", "output": {"type": "apng"}}"#, .apng, 160),
        (#"{"kind": "sheet", "columns": 2, "edit": {"size": "32x"}}"#, .jpeg, 64),
    ])
    func `the text of a rendition is what a service needs`(
        text: String, type: MediaType, width: Int
    ) async throws {
        let pipeline = pipeline()
        let rendition = try Rendition(json: text)
        let isPoster = if case .poster = rendition.kind { true } else { false }
        let forge =
            isPoster
            ? GIFForge.stripes(64, 48)
            : try Media.bytes("counter.gif").withBytes { [UInt8]($0) }
        let request = ImageRequest(id: "source", data: { Blob(forge) })
        let response = try await pipeline.data(for: request, as: rendition)
        let made = try FrameSequence(
            opening: MemoryBytes(try response.body.bytes()), registry: .standard)
        #expect(response.head.type == type && made.info.type == type)
        #expect(made.info.size.width == width)
        // The report has the rendition, so that it can be repeated.
        #expect(response.report.contains(rendition.json))
        let direct = try await rendition.data(
            of: .init(FrameSequence(opening: MemoryBytes(forge), registry: .standard)),
            encoders: .standard)
        #expect(direct.bytes == (try response.body.bytes()))
    }

    @Test
    func `sixty four equal requests for an animation are one, and so are the parts of a sheet`()
        async throws
    {
        let pipeline = pipeline()
        let asked = Locked(0)
        let request = ImageRequest(
            id: "clip",
            data: {
                asked.withLock { $0 += 1 }
                return Blob(GIFForge.stripes(64, 48))
            })
        let tasks = (0..<64).map { _ in
            pipeline.renditionTask(for: request, as: .animation(width: 32))
        }
        for task in tasks { task.begin() }
        var bodies: Set<[UInt8]> = []
        for task in tasks { bodies.insert(try await task.response.body.bytes()) }
        #expect(bodies.count == 1 && asked.withLock { $0 } == 1)
        var layout = Rendition.Sheet(columns: 2)
        layout.indexes = [.vtt]
        for part in [Rendition.Part.main, .index(.vtt)] {
            let head = try await pipeline.head(for: request, as: .sheet(layout), part: part)
            let made = try await pipeline.data(for: request, as: .sheet(layout), part: part)
            #expect(head.type == made.head.type && made.body.count > 0)
        }
    }

    @Test func `a loop is made of the bytes, and frames are not kept`() async throws {
        let pipeline = pipeline()
        let bytes = try Media.bytes("counter.gif").withBytes { [UInt8]($0) }
        let request = ImageRequest(id: "loop", data: { Blob(bytes) })
        let response = try await pipeline.data(for: request, as: .loop(.init(plays: .times(3))))
        let made = try response.body.bytes()
        let copy = try FrameSequence(opening: MemoryBytes(made), registry: .standard)
        #expect(copy.info.loop.plays == 3 && abs(made.count - bytes.count) < 30)
        #expect(response.head.type == .gif)
        let error = await #expect(throws: PipelineError.self) {
            try await pipeline.data(for: request, as: .frames())
        }
        #expect(error?.httpStatus == 422)
        var listing = Rendition.Frames()
        (listing.isListing, listing.indexes) = (true, [.framehash])
        let list = try await pipeline.data(
            for: request, as: Rendition(.frames(listing)), part: .index(.framehash))
        let text = String(decoding: try list.body.bytes(), as: UTF8.self)
        #expect(text.split(separator: "\n").count == 3 + (copy.info.frameCount ?? 0))
    }

    @Test func `a file that changes is another version`() async throws {
        let scratch = Scratch()
        let pipeline = pipeline()
        let path = scratch.write(GIFForge.stripes(8, 8), "a.gif")
        let request = request(path)
        let first = try await pipeline.head(for: request, as: .poster())
        #expect(first.tag?.isWeak == true && first.lifetime == nil)
        let made = try await pipeline.data(for: request, as: .poster())
        #expect(made.cacheType == nil)
        let hit = try await pipeline.data(for: request, as: .poster())
        #expect(hit.cacheType == .memory && hit.head.tag == made.head.tag)
        scratch.write(GIFForge.stripes(16, 8), "a.gif")
        let second = try await pipeline.data(for: request, as: .poster())
        #expect(second.cacheType == nil && second.head.tag != made.head.tag)
        let missing = self.request(scratch.path("b.gif"))
        let error = await #expect(throws: PipelineError.self) {
            try await pipeline.data(for: missing, as: .poster())
        }
        #expect(error?.httpStatus == 404 && error?.exitCode == 66)
        let head = await #expect(throws: PipelineError.self) {
            try await pipeline.head(for: missing, as: .poster())
        }
        #expect(head?.httpStatus == 404)
    }

    @Test func `what cannot be made says so before there are bytes`() async throws {
        let pipeline = pipeline()
        func status(_ bytes: [UInt8], _ rendition: Rendition) async -> Int? {
            let id = "\(bytes.count) \(rendition.identifier)"
            do throws(PipelineError) {
                let request = ImageRequest(id: id, data: { Blob(bytes) })
                _ = try await pipeline.data(for: request, as: rendition)
                return nil
            } catch { return error.httpStatus }
        }
        let gif = GIFForge.stripes(8, 8)
        #expect(await status(Array("plain text".utf8), .poster()) == 415)
        #expect(await status(Array(gif.prefix(12)), .poster()) == 422)
        #expect(await status(gif, .poster(.at(.seconds(99)))) == nil)
        #expect(await status(gif, .poster(.embedded)) == 422)
        #expect(await status(gif, .poster(.first, as: .heic)) == 422)
    }

    @Test func `presets have encoders, and a part of a server's memory is for renditions`() {
        let standard = ImagePipeline.Configuration.inMemory
        #expect(!standard.renditionEncoders.types.isEmpty && standard.renditionCacheLimit > 0)
        let server = ImagePipeline.Configuration.server(limit: 400)
        #expect(server.renditionCacheLimit == 100)
        #expect((server.imageCache as? ImageCache)?.costLimit == 300)
        #expect(server.renditionFiles == nil)
    }
}

extension GIFForge {
    /// A picture of two colors.
    fileprivate static func stripes(_ width: Int, _ height: Int) -> [UInt8] {
        var forge = GIFForge(width: width, height: height, palette: [0x102030, 0xE0D0C0])
        forge.image(
            width: width, height: height,
            indices: (0..<width * height).map { UInt8($0 / 3 % 2) })
        forge.trailer()
        return forge.bytes
    }
}

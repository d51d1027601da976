import FoundationEssentials
import HTTPSupport
import LazyBase
import LazyLoading
import LazyMedia
import LazyVideo
import Support
import Testing

@testable import LazyPipeline

/// Previews of films whose tables come after their frames, while the download stands still.
@Suite(.timeLimit(.minutes(2))) struct FilmPreviewTests {
    private static let arrived = 300_000
    private let rest = HTTPSupport.Gate()
    private let clip: [UInt8]

    init() throws { clip = try Media.array("clip.mp4") }

    /// Some ten megabytes, with two of them before the first frame.
    private func film(tablesFirst: Bool = false) -> [UInt8] {
        MovieForge.spread(clip, room: 2_000_000, tablesFirst: tablesFirst)
    }

    /// A server that answers ranges, and stops a download after its first bytes until a gate is open.
    private func server(
        _ film: [UInt8], hasRanges: Bool = true, rangeGate: HTTPSupport.Gate? = nil
    ) throws -> ScriptedServer {
        let rest = rest
        return try ScriptedServer { request in
            if hasRanges, request["Range"] != nil {
                var response = ScriptedServer.Response.serve(film, to: request, etag: "\"1\"")
                if let rangeGate { response.actions.insert(.wait(rangeGate), at: 0) }
                return response
            }
            var headers = [("ETag", "\"1\"")]
            if hasRanges { headers.append(("Accept-Ranges", "bytes")) }
            let head = ScriptedServer.Response.head(200, headers: headers, count: film.count)
            return [
                .send(head + film[..<Self.arrived]), .wait(rest),
                .send(Array(film[Self.arrived...])),
            ]
        }
    }

    private func pipeline(
        _ delegate: (any ImagePipelineDelegate)? = nil
    ) -> ImagePipeline {
        let loader = HTTPLoader()
        let formats = FormatRegistry(MediaFormat.video)
        var configuration = ImagePipeline.Configuration(
            dataLoader: loader, decoders: DecoderRegistry(formats: MediaFormat.video))
        configuration.remoteOpener = RangeOpener(loader: loader, formats: formats)
        configuration.isProgressiveDecodingEnabled = true
        configuration.progressiveDecodingInterval = .zero
        return ImagePipeline(configuration: configuration, delegate: delegate)
    }

    private func firstPreview(_ task: ImageTask) async -> ImageResponse? {
        for await preview in task.previews { return preview }
        return nil
    }

    @Test func `the first frame comes by ranges long before the download's end`() async throws {
        let film = film()
        let server = try server(film)
        let task = pipeline().imageTask(with: ImageRequest(url: server.url("/film.mp4")))
        let preview = try #require(await firstPreview(task))
        #expect(
            preview.isPreview && preview.container.sourceSize == PixelSize(width: 640, height: 360))
        let near = try await FrameSequence(
            DecoderRegistry(formats: MediaFormat.video).open(MemoryBytes(film))
        ).poster(.first)
        #expect(preview.image == near.bitmap)
        // The first bytes, which the download has, are not requested again.
        let ranges = server.requests.compactMap { $0["Range"] }
        #expect(!ranges.isEmpty && ranges.count <= 4)
        #expect(ranges.allSatisfy { !$0.hasPrefix("bytes=0-") })
        rest.open()
        let response = try await task.response
        #expect(!response.isPreview && response.container.isAnimated)
        let sight = server.sight
        #expect(sight.requests.count == ranges.count + 1)
        #expect(sight.sentBytes < film.count + 500_000)
        let network = try #require(task.summary?.networkBytes)
        #expect(network > film.count && network < film.count + 500_000)
    }

    @Test func `two views of a film share its preview`() async throws {
        let server = try server(film())
        let pipeline = pipeline()
        let request = ImageRequest(url: server.url("/shared.mp4"))
        let tasks = [pipeline.imageTask(with: request), pipeline.imageTask(with: request)]
        for task in tasks { #expect(await firstPreview(task) != nil) }
        let count = server.requests.count
        let late = pipeline.imageTask(with: request)
        #expect(await firstPreview(late) != nil)
        rest.open()
        for task in tasks + [late] { _ = try await task.response }
        #expect(server.requests.count == count && count <= 5)
    }

    /// Whether the server has ranges, and whether the tables come first.
    @Test(arguments: [(false, false), (true, true)])
    func `no second request goes out without ranges, nor where the tables come first`(
        hasRanges: Bool, tablesFirst: Bool
    ) async throws {
        let server = try server(film(tablesFirst: tablesFirst), hasRanges: hasRanges)
        let delegate = AskedDelegate()
        let task = pipeline(delegate).imageTask(with: ImageRequest(url: server.url("/one.mp4")))
        await delegate.asked.pass()
        rest.open()
        #expect(try await task.response.container.isAnimated)
        #expect(server.requests.count == 1)
    }

    @Test func `the request for a preview ends with the load`() async throws {
        let server = try server(film(), rangeGate: HTTPSupport.Gate())
        let task = pipeline().imageTask(with: ImageRequest(url: server.url("/cancelled.mp4")))
        await server.wait { $0.requests.contains { $0["Range"] != nil } }
        task.cancel()
        await server.wait { $0.openConnections == 0 }
        #expect(server.requests.count == 2)
    }

    @Test func `a failed preview is not tried again, and the load continues`() async throws {
        let film = film()
        let rest = rest
        let server = try ScriptedServer { request in
            if request["Range"] != nil { return .answer(403) }
            let head = ScriptedServer.Response.head(
                200, headers: [("Accept-Ranges", "bytes")], count: film.count)
            return [
                .send(head + film[..<Self.arrived]), .wait(rest),
                .send(Array(film[Self.arrived...])),
            ]
        }
        let task = pipeline().imageTask(with: ImageRequest(url: server.url("/refused.mp4")))
        await server.wait { $0.requests.count == 2 }
        rest.open()
        #expect(try await task.response.container.isAnimated)
        #expect(server.requests.count == 2)
    }

    @Test func `only what announces ranges of the plain file is read beside its download`() throws {
        let opener = RangeOpener(
            loader: ScriptedLoader { _ in .init([[1]]) }, formats: FormatRegistry(MediaFormat.video)
        )
        let url = try #require(URL(string: "http://example.test/film.mp4"))
        func isOpened(_ headers: HTTPHeaders, count: Int? = 9_000_000, type: MediaType = .mp4)
            -> Bool
        {
            let head = ResponseHead(
                url: url, headers: headers, expectedCount: count, origin: .network)
            return opener.open(type, downloadedBy: LoadRequest(url: url), head) != nil
        }
        #expect(isOpened(["Accept-Ranges": "bytes"]))
        #expect(!isOpened([:]))
        #expect(!isOpened(["Accept-Ranges": "none"]))
        #expect(!isOpened(["Accept-Ranges": "bytes", "Content-Encoding": "gzip"]))
        #expect(!isOpened(["Accept-Ranges": "bytes"], count: nil))
        #expect(!isOpened(["Accept-Ranges": "bytes"], type: .gif))
    }

    /// The boxes of a file in order, how many of its bytes are there, whether they are before the tables.
    @Test(arguments: [
        (["ftyp", "mdat", "moov"], 100, true), (["ftyp", "free", "mdat", "moov"], 200, true),
        (["ftyp", "moov", "mdat"], 100, false), (["ftyp", "mdat"], 1000, false),
        (["ftyp", "mdat", "moov"], 2100, false), (["ftyp", "mdat", "moov"], 10, false),
        (["ftyp", "moof", "mdat", "moov"], 500, false), (["mdat", "moov"], 16, true),
    ]) func `boxes tell whether the tables come last`(
        boxes: [String], arrived: Int, isBefore: Bool
    ) {
        let bytes = boxes.flatMap { name -> [UInt8] in
            let count = name == "mdat" ? 2000 : 32
            return [0, 0, UInt8(count >> 8), UInt8(count & 255)] + Array(name.utf8)
                + [UInt8](repeating: 0, count: count - 8)
        }
        let prefix = Blob(Array(bytes.prefix(arrived)))
        #expect(prefix.isBeforeTables(of: bytes.count) == isBefore)
    }
}

/// Tells when previews of a download are thought of.
private final class AskedDelegate: ImagePipelineDelegate {
    let asked = LazyPipelineTests.Gate()

    func previewPolicy(
        for type: MediaType, prefix: Blob, request: ImageRequest, pipeline: ImagePipeline
    ) -> PreviewPolicy? {
        if type == .mp4 { asked.open() }
        return nil
    }
}

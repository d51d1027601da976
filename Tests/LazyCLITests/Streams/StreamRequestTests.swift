import HTTPSupport
import LazyKit
import LazyLoading
import LazyMedia
import LazyPipeline
import Support
import Testing

/// Requests of the library for playlists.
@Suite(.ownThreads, .needs("ffmpeg", "ffprobe")) struct StreamRequestTests {
    private let files = StreamFiles.shared
    private let pipeline = ImagePipeline(configuration: .withURLCache(nil, imageCache: nil))

    private func paths(_ server: ScriptedServer) -> Set<String> {
        Set(server.requests.map { String($0.path.dropFirst()) })
    }

    @Test func `a poster costs the segment that shows it`() async throws {
        let server = try files.server()
        var request = ImageRequest(url: server.url("/fragments.m3u8"))
        request.selection = .poster(.at(.milliseconds(4510)))
        let poster = try await pipeline.image(for: request)
        let clip = try FrameSequence(path: files.scratch.path("clip.mp4"))
        let own = try await clip.frame(at: .milliseconds(4510)).bitmap
        let isSame = poster.withBytes { Array($0) } == own.withBytes { Array($0) }
        #expect(poster.size == own.size && isSame)
        #expect(paths(server) == ["fragments.m3u8", "f.mp4", "f004.m4s"])
    }

    @Test func `frames have the times of the clip`() async throws {
        let server = try files.server()
        let request = ImageRequest(url: server.url("/ts.m3u8"))
        let frames = try await pipeline.response(for: request).frames
        #expect(frames.info.type == .hls && frames.info.duration == .seconds(12))
        let frame = try await frames.frame(at: .milliseconds(6250))
        #expect(frame.presentationTime == .milliseconds(6200) && frame.index == 62)
        #expect(paths(server) == ["ts.m3u8", "ts0.ts", "ts6.ts"])
        let index = try await frames.frameIndex()
        // The sound of the whole begins 23 ms earlier.
        let length = Duration.seconds(12)...Duration.milliseconds(12_030)
        #expect(index.count == 120 && length.contains(index.duration))
        #expect(paths(server).count == 13)
    }

    @Test func `a thumbnail chooses the variant`() async throws {
        let server = try files.server()
        let request = ImageRequest(
            url: server.url("/main.m3u8"), thumbnail: .init(maxPixelSize: 160))
        let image = try await pipeline.response(for: request)
        #expect(image.frames.info.size == PixelSize(width: 160, height: 90))
        #expect(paths(server).contains("ts.m3u8") && !paths(server).contains("large.m3u8"))
    }

    @Test func `an encrypted stream is a failed decoding`() async throws {
        let server = try ScriptedServer { request in
            .serve(
                Array(
                    StreamFiles.playlist([
                        "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\"", "#EXTINF:1,", "a.ts",
                    ]).utf8), to: request)
        }
        do throws(PipelineError) {
            _ = try await pipeline.image(for: ImageRequest(url: server.url("/a.m3u8")))
            Issue.record("there is an image")
        } catch {
            guard case .decodingFailed(let reason, _) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(reason.code == .encrypted)
        }
    }
}

import FoundationEssentials
import LazyKit
import Support
import Testing

/// What the README shows, with what must come of it; `scripts/test-guides.sh` runs its text.
@Suite struct DocumentationTests {
    @Test func `the README's ten lines work`() async throws {
        let clip = try FrameSequence(path: Media.path("clip.mp4"))
        print(clip.info.size, clip.info.codec)
        let poster = try await clip.poster(.auto, size: TargetSize(width: 320))
        #expect(poster.bitmap.size.width == 320)
        var count = 0
        for try await frame in clip.frames() {
            count += 1
            if count == 125 { print(frame.index, frame.presentationTime, frame.bitmap.size) }
        }
        #expect(count == 125)
        let exact = try await clip.frame(at: .seconds(2))
        #expect(exact.bitmap.barcode == 50)
    }

    @Test func `a thumbnail comes out of a clip as bytes`() async throws {
        let clip = try FrameSequence(path: Media.path("clip.mp4"))
        let thumbnail = Rendition.animation()
        let (bytes, report) = try await thumbnail.data(of: clip)
        print(bytes.count, report.frameCount ?? 0)
        let second = ClipEdit(segments: [.zero ..< .seconds(1)], size: TargetSize(width: 80))
        let piece = try await clip.edited(second)
        func made(of clip: FrameSequence) async throws -> [UInt8] {
            let gif = try await clip.encoded(as: .gif)
            return gif
        }
        let gif = try await made(of: piece)
        #expect(try DecoderRegistry.standard.type(of: MemoryBytes(gif)) == .gif)
        #expect(report.frameCount == 30)
        #expect(try DecoderRegistry.standard.type(of: MemoryBytes(bytes)) == .webpAnimation)
    }

    @Test func `an address gives a response with poster and frames`() async throws {
        let url = try #require(URL(string: "file://" + Media.path("clip.mp4")))
        var request = ImageRequest(url: url)
        request.selection = .poster(.auto)
        let still = try await ImagePipeline.shared.response(for: request)
        #expect(!still.container.isAnimated)
        let response = try await ImagePipeline.shared.response(for: ImageRequest(url: url))
        print(response.image.size, response.container.isAnimated)
        #expect(response.container.isAnimated)
    }

    @Test func `errors can be told apart as the reference shows`() {
        do throws(MediaError) {
            _ = try FrameSequence(
                opening: MemoryBytes(Array("no media at all".utf8)), registry: .standard)
            Issue.record("words were taken for media")
        } catch  where error.code == .unsupported {
            #expect(error.message.contains("not media"))
        } catch {
            Issue.record("\(error)")
        }
    }
}

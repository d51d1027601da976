import FoundationEssentials
import LazyKit
import Support
import Testing

/// Every snippet of the guides, compiled and run; a test below holds them against the texts.
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
        let thumbnail = AnimatedThumbnail()
        let (bytes, report) = try await thumbnail.data(of: clip)
        print(bytes.count, report.frameCount)
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
            _ = try FrameSequence(opening: MemoryBytes(Array("no media at all".utf8)))
            Issue.record("words were taken for media")
        } catch  where error.code == .unsupported {
            #expect(error.message.contains("not media"))
        } catch {
            Issue.record("\(error)")
        }
    }

    /// What a guide shows must stand here too, but for paths, comments and the ways to print.
    @Test(arguments: [
        "LazyKit/LazyKit.docc/Loading", "LazyKit/LazyKit.docc/Caching",
        "LazyKit/LazyKit.docc/Tailoring",
        "LazyKit/LazyKit.docc/Processing", "LazyKit/LazyKit.docc/Models",
        "LazyKit/LazyKit.docc/Previews", "LazyPreviews/LazyPreviews.docc/LazyPreviews",
    ])
    func `each line of the guides stands here`(guide: String) throws {
        let here = try text("Tests/LazyKitTests/GuideTests.swift").split(separator: "\n").map {
            $0.drop { $0 == " " }
        }
        for line in try swiftLines("Sources/\(guide).md") {
            let code = line.drop { $0 == " " }
            #expect(here.contains(code), "\(guide): \(line)")
        }
    }

    @Test(arguments: ["README.md", "Sources/LazyKit/LazyKit.docc/LazyKit.md"])
    func `snippets of the guides are compiled here`(guide: String) throws {
        let here = try text("Tests/LazyKitTests/DocumentationTests.swift")
        for line in try swiftLines(guide) {
            let call =
                line.split(separator: "//")[0].split(separator: "=").last.map(String.init) ?? ""
            let name = call.drop { " {}".contains($0) }.prefix { $0 != "(" }
            #expect(here.contains(name), "\(guide): \(line)")
        }
    }

    private func swiftLines(_ guide: String) throws -> [Substring] {
        let blocks = try text(guide).split(separator: "```swift\n").dropFirst()
        return blocks.flatMap { block in
            block.split(separator: "```")[0].split(separator: "\n").filter {
                !$0.hasPrefix(".pack")
            }
        }
    }

    private func text(_ path: String) throws -> String {
        let root = Media.folder.dropLast("media/".count)
        let bytes = try FileBytes(path: root + path).contiguous()
        return bytes.withBytes { String(decoding: $0, as: UTF8.self) }
    }
}

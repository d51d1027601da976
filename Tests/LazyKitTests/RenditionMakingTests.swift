import LazyBase
import LazyEditing
import LazyKit
import LazyMedia
import Support
import Testing

@testable import LazyRenditions

/// Posters that are made of a source.
@Suite struct RenditionMakingTests {
    private let clip = FrameSequence(
        PaintedMedia(seconds: 2, size: PixelSize(width: 64, height: 32)) { frame, x, _ in
            SIMD4(UInt8(frame * 5), UInt8(x * 3), 0, 255)
        }, limits: .local)

    @Test(arguments: [MediaType.png, .jpeg, .webp])
    func `a poster is the picture, encoded`(type: MediaType) async throws {
        var rendition = Rendition.poster(.index(8), as: type)
        rendition.edit.size = TargetSize(width: 32)
        let (bytes, report) = try await rendition.data(of: .init(clip), encoders: .standard)
        let made = try FrameSequence(opening: MemoryBytes(bytes), registry: .standard)
        #expect(made.info.type == type && made.info.size == PixelSize(width: 32, height: 16))
        #expect(report.parts == [.init(part: .main, type: type, byteCount: bytes.count)])
        #expect(report.size == made.info.size && report.frameCount == 1)
        guard case .poster(let poster) = report.details else { return }
        #expect(poster.timing?.index == 8)
        let expected = try await clip.poster(.index(8), rendition.edit).bitmap
        let shown = try await made.poster().bitmap
        #expect(type == .jpeg || type == .webp || shown == expected)
    }

    @Test func `a time behind the end is refused, and an embedded picture that is not there`()
        async throws
    {
        for choice in [PosterChoice.at(.seconds(3)), .embedded] {
            let error = await #expect(throws: MediaError.self) {
                try await Rendition.poster(choice).data(of: .init(clip), encoders: .standard)
            }
            #expect(error?.code == .notFound)
        }
    }

    @Test func `a sink that fails ends it, and is not finished`() async throws {
        final class Full: Rendition.Sinks, Rendition.Sink {
            let isFinished = Locked(false)
            func open(_ part: Rendition.Part, as type: MediaType) -> any Rendition.Sink { self }
            func write(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
                throw MediaError(.environment, "No space left on device.")
            }
            func finish() { isFinished.withLock { $0 = true } }
        }
        let full = Full()
        let error = await #expect(throws: MediaError.self) {
            try await Rendition.poster().make(of: .init(clip), into: full, encoders: .standard)
        }
        #expect(error?.code == .environment && !full.isFinished.withLock { $0 })
    }

    @Test func `a name in a text is that of the source`() async throws {
        var rendition = Rendition.poster(.first)
        rendition.edit.size = TargetSize(width: 256)
        rendition.edit.overlays = [.text(TextOverlay("{name}"))]
        let one = try await rendition.data(of: .init(clip, name: "WWWW"), encoders: .standard)
        let other = try await rendition.data(of: .init(clip, name: "i"), encoders: .standard)
        #expect(one.bytes != other.bytes)
    }

    @Test func `a report has the same members for every kind`() async throws {
        let report = try await Rendition.poster(.first).data(
            of: .init(clip), encoders: .standard
        ).report
        for member in [
            #""type": "png""#, #""width": 64"#, #""height": 32"#, #""frameCount": 1"#,
            #""byteCount": "#, #""parts": [{"part": "main""#, #""rendition": {"kind": "poster""#,
            #""warnings": []"#,
        ] {
            #expect(report.json.contains(member))
        }
    }
}

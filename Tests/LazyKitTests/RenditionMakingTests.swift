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

    @Test(arguments: [
        (Rendition.poster(.first), [#""index": 0"#]),
        (.animation(as: .gif), [#""reason": "whole""#, #""encodeCount": 1"#, #""loop": {"#]),
        (.conversion(to: .webp), [#""encoder": "#, #""durationUs": 2000000"#, #""choices": ["#]),
        (.sheet(.init(count: 4, columns: 2)), [#""tileWidth": 160"#, #""pageCount": 1"#]),
    ])
    func `a report has the same members for every kind`(
        rendition: Rendition, members: [String]
    ) async throws {
        let (bytes, report) = try await rendition.data(of: clip)
        let made = try FrameSequence(opening: MemoryBytes(bytes), registry: .standard)
        let type = made.info.type.name
        for member in [
            #""type": "\#(type)""#, #""width": \#(made.info.size.width)"#, #""height": "#,
            #""frameCount": "#, #""byteCount": \#(bytes.count)"#, #""parts": [{"part": "main""#,
            #""rendition": \#(rendition.json)"#, #""warnings": ["#,
        ] + members {
            #expect(report.json.contains(member), "\(member) in \(report.json)")
        }
    }

    /// Clips whose frames are too short for GIF, equal, or equal in part.
    static let counted: [(name: String, clip: FrameSequence)] = [
        ("60 frames a second", clip(1, 60) { $0 }), ("equal frames", clip(1, 7) { _ in 0 }),
        ("pairs of equal frames", clip(1, 8) { $0 / 2 }), ("one frame", clip(0.1, 10) { $0 }),
    ]

    private static func clip(
        _ seconds: Double, _ rate: Int64, shade: @escaping @Sendable (Int) -> Int
    ) -> FrameSequence {
        let media = PaintedMedia(
            seconds: seconds, rate: rate, size: PixelSize(width: 32, height: 16)
        ) { frame, x, _ in SIMD4(UInt8(shade(frame) * 4), UInt8(x), 0, 255) }
        return FrameSequence(media, limits: .local)
    }

    @Test(arguments: [
        MediaType.gif, .apng, .webpAnimation, .avifSequence, .mp4, .webm,
    ])
    func `a report counts the frames that are in the file`(type: MediaType) async throws {
        for (name, clip) in Self.counted {
            for rendition in [Rendition.conversion(to: type), .animation(as: type)] {
                let (bytes, report) = try await rendition.data(
                    of: .init(clip), encoders: .standard)
                let made = try FrameSequence(opening: MemoryBytes(bytes), registry: .standard)
                let count = try await made.frameIndex().count
                #expect(report.frameCount == count, "\(name): \(rendition.json)")
            }
        }
    }

    @Test func `the parts of a sheet name each other`() async throws {
        var layout = Rendition.Sheet(count: 6, columns: 2, rows: 1)
        layout.indexes = [.vtt, .json]
        let (bytes, report) = try await Rendition.sheet(layout).parts(of: clip)
        let words = report.parts.map(\.part.description)
        #expect(words == ["page-1", "page-2", "page-3", "vtt", "json"])
        let vtt = String(decoding: bytes[.index(.vtt)] ?? [], as: UTF8.self)
        #expect(vtt.contains("page-3#xywh=160,0,160,80"))
        let json = String(decoding: bytes[.index(.json)] ?? [], as: UTF8.self)
        #expect(json.contains(#""file": "page-2""#))
    }

    @Test func `a loop is the bytes with another number`() async throws {
        let bytes = try FileBytes(path: Media.path("counter.gif"))
        var source = Rendition.Source(
            try FrameSequence(opening: bytes, registry: .standard), name: "counter")
        let change = Rendition.loop(.init(plays: .times(3)))
        let refused = await #expect(throws: MediaError.self) {
            try await change.data(of: source, encoders: .standard)
        }
        #expect(refused?.code == .notWritable)
        source.bytes = bytes
        source.rewriter = DecoderRegistry.standard.rewriter(for: .gif)
        let (made, report) = try await change.data(of: source, encoders: .standard)
        let copy = try FrameSequence(opening: MemoryBytes(made), registry: .standard)
        #expect(copy.info.loop.plays == 3 && report.loop?.plays == 3)
        #expect(abs(made.count - bytes.count) < 30)
    }

    @Test(arguments: [
        ##"{"kind": "poster", "edit": {"padColor": "#ff0000"}}"##,
        #"{"kind": "poster", "edit": {"speed": 2}}"#,
        #"{"kind": "poster", "output": {"maxBytes": 1000}}"#,
        #"{"kind": "poster", "edit": {"overlays": [{"watermark": {"file": "/etc/passwd"}}]}}"#,
        #"{"kind": "animation", "pieces": 2, "edit": {"segments": "1-2"}}"#,
        #"{"kind": "animation", "loopSeam": "none", "edit": {"bounce": true}}"#,
        #"{"kind": "animation", "loopSeam": "bounce", "edit": {"crossfade": "0.2"}}"#,
        #"{"kind": "animation", "edit": {"crossfade": "0.2", "bounce": true}}"#,
        #"{"kind": "animation", "output": {"maxBytes": "source"}}"#,
        #"{"kind": "sheet", "interval": "0"}"#,
        #"{"kind": "sheet", "gap": 2000}"#,
        #"{"kind": "sheet", "edit": {"reverse": true}}"#,
        #"{"kind": "sheet", "edit": {"segments": "0-1,1-2"}}"#,
    ])
    func `what contradicts itself is refused before anything is decoded`(json: String) async throws
    {
        let rendition = try Rendition(json: json)
        var media = ScriptedMedia(count: 3)
        media.fault = (0, MediaError(.malformed, "It was decoded."))
        let source = Rendition.Source(FrameSequence(media))
        let error = await #expect(throws: MediaError.self) {
            try await rendition.data(of: source, encoders: .standard)
        }
        #expect([.notWritable, .notFound].contains(error?.code), "\(error?.message ?? "")")
    }
}

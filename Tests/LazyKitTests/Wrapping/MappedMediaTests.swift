import FoundationEssentials
import LazyBase
import LazyKit
import LazyMedia
import LazyPipeline
import Support
import Testing

@testable import LazyEditing
@testable import LazyRenditions

/// Every capability of opened media through every wrapper of it.
@Suite struct MappedMediaTests {
    struct Wrapper: Sendable, CustomTestStringConvertible {
        let type: String
        var testDescription: String { type }
        /// Whether it has an index of its own, which is known before it is asked for.
        var hasOwnIndex = false
        /// Whether planes come through.
        var carriesPlanes = true
        /// Whether the last frame is available at another size.
        var keepsLastFrame = true
        /// Whether the embedded picture is that of the edited media.
        var keepsCover = true
        let wrap: @Sendable (FrameSequence) async throws -> FrameSequence
    }

    static let wrappers: [Wrapper] = [
        Wrapper(type: "SizedMedia") { $0.decoded(at: TargetSize(width: 20)) },
        Wrapper(type: "RenderedMedia") { $0.rendered(color: .source) },
        Wrapper(type: "FramedMedia") {
            try await $0.edited(ClipEdit(size: TargetSize(width: 24, height: 24, fit: .cover)))
        },
        Wrapper(type: "EditedMedia", hasOwnIndex: true, keepsLastFrame: false) {
            try await $0.edited(ClipEdit(segments: [.milliseconds(200) ..< .milliseconds(750)]))
        },
        Wrapper(type: "TurnedMedia", carriesPlanes: false) {
            try $0.applying(.turn(Turn(degrees: 90)))
        },
        Wrapper(type: "CroppedMedia") {
            let part = PixelRect(x: 2, y: 2, width: 8, height: 8)
            return try $0.applying(.crop(.rect(part), .center))
        },
        Wrapper(type: "PaddedMedia", carriesPlanes: false) {
            try $0.applying(.pad(Padding(.border(3))))
        },
        Wrapper(type: "FilteredMedia", carriesPlanes: false, keepsCover: false) {
            var filter = PictureFilter()
            (filter.blur, filter.pixelate) = (1, 3)
            return try $0.applying(.filter(filter))
        },
        Wrapper(type: "CanvasMedia", carriesPlanes: false, keepsCover: false) {
            let size = PixelSize(width: $0.info.size.width + 5, height: $0.info.size.height + 3)
            return try $0.applying(.canvas(Canvas(size: size, x: 2, y: 1, color: .white)))
        },
        Wrapper(type: "MattedMedia") { sequence in
            sequence.wrapped { MattedMedia(base: $0, color: .white) }
        },
        Wrapper(type: "OverlaidMedia", carriesPlanes: false) {
            let dot = try Bitmap(size: PixelSize(width: 2, height: 2), isOpaque: true) { rows in
                for place in rows.indices { rows[place] = 255 }
            }
            return try $0.applying(.overlay([.picture(PictureOverlay(dot))]))
        },
        Wrapper(type: "UnditheredMedia", carriesPlanes: false, keepsLastFrame: false) {
            $0.undithered(strength: 1)
        },
        Wrapper(type: "CountedMedia") {
            $0.wrapped { CountedMedia(base: $0, watch: CountedMedia.Watch { _ in }) }
        },
        Wrapper(type: "FirstFrameMedia") { $0.wrapped { FirstFrameMedia(base: $0) } },
        Wrapper(type: "ProcessedMedia", carriesPlanes: false, keepsLastFrame: false) {
            try await ImageContainer(frames: $0, image: $0.poster().bitmap)
                .processed(by: ImageProcessors.RoundedCorners(radius: 4)).frames
        },
        Wrapper(type: "ProcessedMedia") {
            try await ImageContainer(frames: $0, image: $0.poster().bitmap)
                .processed(by: ImageProcessors.Resize(TargetSize(width: 20))).frames
        },
    ]

    @Test func `the table has every wrapper`() throws {
        let sources = Project.folder + "Sources"
        let files = try FileManager.default.subpathsOfDirectory(atPath: sources)
        var found: Set<String> = []
        for file in files where file.hasSuffix(".swift") {
            let text = try String(contentsOfFile: "\(sources)/\(file)", encoding: .utf8)
            for match in text.matches(of: /(?:struct|class) (\w+): MappedMedia\b/) {
                found.insert(String(match.output.1))
            }
            let isBare = text.contains(/(?:struct|class) \w+: OpenedMedia\b/)
            #expect(!isBare || !text.contains("let base: any OpenedMedia"), "\(file)")
        }
        // Their base comes from a file or a stream, and they change nothing but what is said of it.
        for name in ["IconPicture", "OpenedRAW", "ArrivedPart"] {
            #expect(found.remove(name) != nil)
        }
        #expect(found == Set(Self.wrappers.map(\.type)))
    }

    @Test(arguments: wrappers) func `the three indexes are those of the frames`(
        _ wrapper: Wrapper
    ) async throws {
        let media = try await opened(wrapper, CapableMedia())
        let timings = try frames(media).map(\.timing)
        let flag = CancellationFlag()
        #expect(try media.frameIndex(flag).timings == timings)
        #expect(try media.containerIndex(flag).timings == timings)
        #expect(try media.cheapFrameIndex(flag)?.timings == timings)
        #expect(media.info.frameCount == timings.count)
    }

    @Test(arguments: wrappers) func `frames keep what their samples mean`(
        _ wrapper: Wrapper
    ) async throws {
        let media = try await opened(wrapper, CapableMedia())
        #expect(try frames(media).allSatisfy { $0.color == CapableMedia.color })
    }

    @Test(arguments: wrappers) func `the film of a motion photo comes through`(
        _ wrapper: Wrapper
    ) async throws {
        let media = try await opened(wrapper, CapableMedia())
        #expect(try media.motionFilm().count == 3)
    }

    @Test(arguments: wrappers) func `sound comes through where frames keep their times`(
        _ wrapper: Wrapper
    ) async throws {
        let media = try await opened(wrapper, CapableMedia())
        let sound = try media.soundTrack(.standard, CancellationFlag())
        #expect((sound != nil) == !["EditedMedia", "FirstFrameMedia"].contains(wrapper.type))
    }

    @Test(arguments: wrappers) func `subtitles come through where frames keep their times`(
        _ wrapper: Wrapper
    ) async throws {
        let media = try await opened(wrapper, CapableMedia())
        let track = try? media.subtitleTrack(.number(3), CancellationFlag())
        #expect(track?.lines.first?.text == (wrapper.type == "EditedMedia" ? nil : "track:3"))
    }

    @Test(arguments: wrappers) func `a costly index is not made for a cheap one`(
        _ wrapper: Wrapper
    ) async throws {
        let base = CapableMedia(isIndexCostly: true)
        let media = try await opened(wrapper, base)
        let before = base.calls.indexes
        let index = try media.cheapFrameIndex(CancellationFlag())
        #expect((index != nil) == wrapper.hasOwnIndex)
        #expect(base.calls.indexes == before)
    }

    @Test(arguments: wrappers) func `frames have the size that is announced or asked for`(
        _ wrapper: Wrapper
    ) async throws {
        let media = try await opened(wrapper, CapableMedia())
        #expect(try frames(media).allSatisfy { $0.bitmap.size == media.info.size })
        let small = PixelSize(width: 7, height: 5)
        let scaled = try frames(media, ReaderOptions(size: small))
        #expect(scaled.allSatisfy { $0.bitmap.size == small })
    }

    @Test(arguments: wrappers) func `a seek gives the frame of a sequential read`(
        _ wrapper: Wrapper
    ) async throws {
        let media = try await opened(wrapper, CapableMedia())
        let all = try frames(media)
        let reader = try media.makeReader(ReaderOptions())
        for number in all.indices.reversed() {
            try reader.seek(toIndex: number)
            #expect(try reader.nextFrame()?.bitmap == all[number].bitmap)
            try reader.seek(toTime: all[number].presentationTime)
            #expect(try reader.nextFrame()?.timing == all[number].timing)
        }
        try reader.seek(toIndex: all.count)
        #expect(try reader.nextFrame()?.index == nil)
    }

    @Test(arguments: wrappers, [nil, PixelSize(width: 10, height: 6)])
    func `the last frame at another size is that of a reader of the size`(
        _ wrapper: Wrapper, _ size: PixelSize?
    ) async throws {
        let media = try await opened(wrapper, CapableMedia())
        let wanted = size ?? media.info.size
        let reader = try media.makeReader(ReaderOptions(isSingleFrame: true))
        _ = try reader.nextFrame()
        let last = try reader.lastFrame(at: wanted)
        #expect((last != nil) == wrapper.keepsLastFrame)
        let first = try #require(try frames(media, ReaderOptions(size: wanted)).first)
        if let last { #expect(last.bitmap == first.bitmap && last.timing == first.timing) }
    }

    @Test(arguments: wrappers) func `the picture of a declined frame is not made`(
        _ wrapper: Wrapper
    ) async throws {
        let base = CapableMedia()
        let media = try await opened(wrapper, base)
        let all = try frames(media)
        let reader = try media.makeReader(ReaderOptions())
        let before = base.calls.pictures
        for whole in all {
            let isWanted = whole.index % 4 == 1
            let next = try #require(try reader.nextFrame { $0.index % 4 == 1 })
            #expect(next.timing == whole.timing)
            #expect(next.frame?.bitmap == (isWanted ? whole.bitmap : nil))
        }
        #expect(try reader.nextFrame { _ in false } == nil)
        #expect(base.calls.pictures - before == all.count { $0.index % 4 == 1 })
    }

    @Test(arguments: wrappers) func `planes, a picture of its own and warnings come through`(
        _ wrapper: Wrapper
    ) async throws {
        let media = try await opened(wrapper, CapableMedia())
        let reader = try media.makeReader(ReaderOptions(planes: true))
        let frame = try #require(try reader.nextFrame())
        #expect((frame.planes != nil) == wrapper.carriesPlanes)
        #expect(frame.planes.map { $0.size == frame.bitmap.size } ?? true)
        #expect(reader.warnings.map(\.message) == ["A frame was read."])
        #expect(try (media.embeddedPoster(ReaderOptions()) != nil) == wrapper.keepsCover)
    }

    /// The media that a wrapper makes of other media.
    private func opened(
        _ wrapper: Wrapper, _ base: CapableMedia
    ) async throws -> any OpenedMedia {
        var media: any OpenedMedia = base
        _ = try await wrapper.wrap(FrameSequence(base)).wrapped {
            media = $0
            return $0
        }
        return media
    }

    private func frames(
        _ media: any OpenedMedia, _ options: ReaderOptions = ReaderOptions()
    ) throws -> [Frame] {
        let reader = try media.makeReader(options)
        var frames: [Frame] = []
        while let frame = try reader.nextFrame() { frames.append(frame) }
        return frames
    }
}

@Suite struct GravityTests {
    @Test func `there is one gravity in the whole kit`() {
        let gravity: Gravity = .center
        #expect(gravity.description == "center")
    }
}

import LazyBase
import LazyKit
import LazyMedia
import Support
import Testing

/// Motion photos of each kind, opened as any file is.
@Suite struct MotionPhotoFilesTests {
    private static func file(_ kind: MotionForge.Kind) throws -> [UInt8] {
        MotionForge.file(
            kind, still: try Media.array(kind == .mpvd ? "photo.heic" : "still.jpg"),
            film: try Media.array("small.mp4"))
    }

    private static func open(
        _ file: [UInt8], _ track: MediaTrack = .main
    ) throws -> FrameSequence {
        try FrameSequence(opening: MemoryBytes(file), registry: .standard, track: track)
    }

    @Test(arguments: MotionForge.Kind.allCases)
    func `the still is shown, and the film on request`(_ kind: MotionForge.Kind) async throws {
        let file = try Self.file(kind)
        let still = try Self.open(file)
        let film = try Media.array("small.mp4")
        let told = try #require(still.info.motion)
        #expect(told.kind.rawValue == kind.rawValue && told.type == .mp4)
        #expect(told.range.count == film.count)
        #expect(still.info.frameCount == 1 && still.info.warnings.isEmpty)
        let plain = try FrameSequence(
            path: Media.path(kind == .mpvd ? "photo.heic" : "still.jpg"))
        #expect(try await still.frame(0).bitmap == plain.frame(0).bitmap)
        #expect(plain.info.motion == nil)

        let moving = try Self.open(file, .motion)
        let source = try FrameSequence(path: Media.path("small.mp4"))
        #expect(moving.info.type == .mp4 && moving.info.motion == nil)
        #expect(try await moving.frameIndex().timings == source.frameIndex().timings)
        for number in [0, 7] {
            #expect(try await moving.frame(number).bitmap == source.frame(number).bitmap)
        }
        #expect(told.duration == source.info.duration)
        #expect(
            try await still.track(.motion, openedBy: .standard).frame(7).bitmap
                == source.frame(7).bitmap)
    }

    @Test(arguments: ["still.jpg", "photo.heic", "still-rgb8.png", "small.mp4"])
    func `other files have no film`(_ name: String) throws {
        let file = try Media.array(name)
        #expect(try Self.open(file).info.motion == nil)
        let error = #expect(throws: MediaError.self) { try Self.open(file, .motion) }
        #expect(error?.code == .trackNotFound)
    }

    @Test(arguments: MotionForge.Kind.allCases)
    func `a still is as good without the film that it announces`(
        _ kind: MotionForge.Kind
    ) async throws {
        let film = try Media.array("small.mp4")
        let lost = [UInt8](repeating: 0, count: film.count)
        var file = try Self.file(kind)
        let start = try #require(file.indices.last { file[$0...].starts(with: film.prefix(32)) })
        file.replaceSubrange(start..<start + film.count, with: lost)
        let still = try Self.open(file)
        #expect(still.info.motion == nil && still.info.warnings.isEmpty)
        #expect(still.info.motionWarning?.code == .malformed)
        #expect(try await !still.frame(0).bitmap.size.description.isEmpty)
        let error = #expect(throws: MediaError.self) { try Self.open(file, .motion) }
        #expect(error?.code == .malformed)
        #expect(error?.message == still.info.motionWarning?.message)
    }

    @Test(arguments: MotionForge.Kind.allCases)
    func `files cut anywhere open or are refused`(_ kind: MotionForge.Kind) throws {
        let file = try Self.file(kind)
        for step in 0..<60 {
            let cut = Array(file[..<(file.count * step / 60)])
            for track in [MediaTrack.main, .motion] {
                do { _ = try Self.open(cut, track) } catch let error as MediaError {
                    #expect(error.code != .environment)
                }
            }
        }
    }

    @Test func `XMP among the items of a HEIC tells the film`() throws {
        let film = try Media.array("small.mp4")
        var forge = HEICForge()
        let xmp = Array(MotionForge.directory([("MotionPhoto", film.count, 0)]).utf8)
        let picture = HEVCPicture.encoded("testsrc2=s=64x64:d=1", width: 64, height: 64)
        forge.add(1, "hvc1", picture.data, picture.properties)
        forge.add(2, "mime", xmp, [])
        let described = try Self.open(forge.bytes + film).info.motion
        #expect(described?.kind == .motionPhoto && described?.range.count == film.count)
        // The box says where the film lies, the XMP when the still was taken.
        let both = try Self.open(forge.bytes + HEICForge.box("mpvd", film)).info.motion
        #expect(both?.kind == .mpvd && both?.stillTime == .milliseconds(500))
    }
}

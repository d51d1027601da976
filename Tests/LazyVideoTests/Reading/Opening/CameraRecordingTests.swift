import LazyMedia
import LazyVideo
import Support
import Testing

/// DHAV, as security cameras write it: forged around the pictures of ffmpeg, and compared with ffmpeg's own reading.
@Suite(.ownThreads) struct CameraRecordingTests {
    /// A recording of Motion JPEG, ten pictures a second, with packets of an unknown kind between.
    private static func recording(_ pictures: [[UInt8]], header: [UInt8] = []) -> [UInt8] {
        var file = header
        for (number, picture) in pictures.enumerated() {
            // Codec 3 and ten a second, and the size in eights of pixels.
            let extra: [UInt8] = [0x81, 0, 3, 10, 0x80, 0, 12, 8]
            let length = 24 + extra.count + picture.count + 8
            let time = 100 * number
            file += Array("DHAV".utf8) + [number == 0 ? 0xFD : 0xFC, 0, 0, 0]
            file += little(number) + little(length) + little(0x3AB6_0000)
            file += [UInt8(time & 255), UInt8(time >> 8), UInt8(extra.count), 0]
            file += extra + picture + Array("dhav".utf8) + little(length)
        }
        return file
    }

    private static func little(_ number: Int) -> [UInt8] {
        [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static func pictures() -> [[UInt8]] {
        let stream = Peer.output(
            of: "ffmpeg -v error -f lavfi -i testsrc2=s=96x64:r=10:d=1.2 -c:v mjpeg -q:v 3"
                + " -f image2pipe - </dev/null")
        var starts = stream.indices.dropLast(2).filter {
            stream[$0...].starts(with: [0xFF, 0xD8, 0xFF])
        }
        starts.append(stream.count)
        return zip(starts, starts.dropFirst()).map { Array(stream[$0..<$1]) }
    }

    @Test(
        .needs("ffmpeg"),
        arguments: [[], Array("DAHUA".utf8) + [UInt8](repeating: 0, count: 0x3FB)])
    func `a recording has its pictures at their times`(header: [UInt8]) async throws {
        let pictures = Self.pictures()
        try #require(pictures.count == 12)
        let media = try opened(MemoryBytes(Self.recording(pictures, header: header)))
        #expect(media.info.type == .dhav && media.info.codec == "mjpeg")
        #expect(media.info.size == PixelSize(width: 96, height: 64))
        let read = try frames(of: media)
        #expect(
            read.map(\.timing.presentation.duration)
                == (0..<12).map { Duration.milliseconds(100 * $0) })
        let stills = try pictures.map { try frames(of: opened(MemoryBytes($0))) }
        #expect(stills.count == read.count)
        let info = try await FrameSequence(media).detailedInfo()
        #expect(info.frameCount == 12 && info.duration == .milliseconds(1200))
        let reader = try media.makeReader(ReaderOptions(isSingleFrame: true))
        for number in [11, 0, 5] {
            try reader.seek(toIndex: number)
            #expect(try reader.nextFrame()?.bitmap == read[number].bitmap)
        }
    }

    @Test(.needs("ffmpeg")) func `a recording that is cut off keeps what came before`() throws {
        let file = Self.recording(Self.pictures())
        for count in stride(from: 40, to: file.count, by: 997) {
            do throws(MediaError) {
                let media = try opened(try MemoryBytes(Array(file.prefix(count))))
                #expect(try frames(of: media).count <= 12)
            } catch {
                #expect([.truncated, .malformed, .unsupported].contains(error.code), "\(error)")
            }
        }
    }
}

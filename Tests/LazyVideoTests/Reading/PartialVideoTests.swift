import LazyMedia
import LazyVideo
import Support
import Testing

/// Files that are still arriving give the correct first frame, or none.
@Suite struct PartialVideoTests {
    private func first(_ bytes: [UInt8], _ type: MediaType) throws -> Frame? {
        do throws(MediaError) {
            let media = try VideoDecoder().open(
                PartialBytes(MemoryBytes(bytes)), type: type, limits: .web)
            return try media.makeReader(ReaderOptions(isSingleFrame: true)).nextFrame()
        } catch {
            #expect(DamagedVideoTests.codes.contains(error.code), "\(error)")
            return nil
        }
    }

    /// Clip, and the share of it at which the first frame is available at the latest.
    @Test(arguments: [
        ("small.mp4", 0.32), ("clip.mp4", 0.11), ("fragmented.mp4", 0.34), ("edit-list.mp4", 0.6),
        ("vp8.webm", 0.17), ("vp9.webm", 0.22), ("vp8-alpha.webm", 0.17), ("av1.mp4", 0.5),
        ("hevc.mp4", 0.5), ("vfr.mp4", 0.5), ("h264.mkv", 0.32), ("rotated-90.mp4", 0.5),
        ("h264.mov", 0.5), ("prores.mov", 0.5), ("h264.ts", 0.25), ("mjpeg.avi", 0.2),
        ("black-first.mp4", 0.5), ("hevc-10bit.mp4", 0.5), ("mpeg4.avi", 0.4),
        ("theora.ogv", 0.3), ("h264.flv", 0.3), ("vfr.mkv", 0.5),
    ]) func `a partial file gives the correct first frame or none`(name: String, share: Double)
        throws
    {
        let bytes = MovieForge.tablesFirst(try Media.array(name))
        let type = try videoType(try Media.bytes(name))
        let whole = try #require(
            try opened(name).makeReader(ReaderOptions(isSingleFrame: true)).nextFrame())
        var earliest: Int?
        for length in stride(from: 1, to: bytes.count, by: max(1, bytes.count / 120)) {
            guard let frame = try first(Array(bytes.prefix(length)), type) else {
                #expect(earliest == nil, "gone again at \(length)")
                continue
            }
            if earliest == nil { earliest = length }
            #expect(frame.bitmap == whole.bitmap, "another picture at \(length)")
            #expect(frame.timing.presentation == whole.timing.presentation)
        }
        #expect(Double(earliest ?? bytes.count) <= share * Double(bytes.count))
    }

    @Test func `a movie with its tables at the end fails after two reads`() throws {
        let whole = try Media.array("moov-last.mp4")
        let counting = CountingBytes(try MemoryBytes(Array(whole.prefix(whole.count - 9))))
        let error = #expect(throws: MediaError.self) {
            _ = try VideoDecoder().open(PartialBytes(counting), type: .mp4, limits: .web)
        }
        #expect(error?.code == .truncated)
        #expect(counting.bytesRead < 400)
    }
}

import LazyMedia
import LazyVideo
import Support
import Testing

/// Damaged films give the same frames and the same warnings each time, and a packet is counted once.
@Suite struct SteadyDamageTests {
    /// A clip with twelve bytes changed, among them those of its pictures.
    private func damaged(_ name: String, seed: UInt64) throws -> MemoryBytes {
        var bytes = try Media.array(name)
        var random = SplitMix(seed)
        for _ in 0..<12 {
            let place = bytes.count / 8 + Int(random.next() % UInt64(bytes.count * 3 / 4))
            bytes[place] = UInt8(truncatingIfNeeded: random.next())
        }
        return try MemoryBytes(bytes)
    }

    /// What a reading of all frames gives.
    private struct Reading: Equatable {
        var frames: [Bitmap] = []
        var times: [FrameTiming] = []
        var warnings: [MediaWarning] = []
        var error: MediaError.Code?
    }

    private func read(_ media: any OpenedMedia, threads: Int) throws -> Reading {
        var reading = Reading()
        let reader = try media.makeReader(ReaderOptions(threads: threads))
        do throws(MediaError) {
            while let frame = try reader.nextFrame() {
                reading.frames.append(frame.bitmap)
                reading.times.append(frame.timing)
            }
        } catch {
            reading.error = error.code
        }
        reading.warnings = reader.warnings
        return reading
    }

    @Test(
        arguments: [
            "h264.mkv", "hevc.mp4", "h264.ts", "mjpeg.avi", "vp8.webm", "fragmented.mp4",
        ], [UInt64(0), 2, 3])
    func `a damaged film is decoded to the same frames each time, whatever the threads`(
        name: String, seed: UInt64
    ) throws {
        let bytes = try damaged(name, seed: seed)
        let first = try read(try opened(bytes), threads: 4)
        // What threads of VP8 make of damage that nothing tells differs from what one makes of it.
        for threads in name == "vp8.webm" ? [4, 4, 4, 4] : [4, 4, 2, 1] {
            #expect(try read(try opened(bytes), threads: threads) == first)
        }
    }

    @Test(arguments: ["h264.mkv", "h264.ts", "clip.mp4"])
    func `damage that is decoded again after a seek is not counted again`(name: String) throws {
        let media = try opened(damaged(name, seed: 1))
        let reader = try media.makeReader(ReaderOptions(threads: 2))
        let count = try rest(of: reader).count
        let warnings = reader.warnings
        #expect(warnings.map(\.code).contains(.corruptPackets))
        for place in [0, count / 2, 1, count - 1] {
            try reader.seek(toIndex: place)
            _ = try reader.nextFrame()
        }
        #expect(reader.warnings == warnings)
    }

    @Test func `an undamaged film is told to be none`() throws {
        for name in ["h264.mkv", "hevc.mp4", "h264.ts", "mjpeg.avi", "vp8.webm", "theora.ogv"] {
            let reading = try read(try opened(name), threads: 4)
            #expect(reading.warnings.isEmpty && reading.error == nil, "\(name)")
        }
    }
}

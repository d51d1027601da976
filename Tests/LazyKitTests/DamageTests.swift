import LazyKit
import LazyMedia
import Support
import Testing

/// Files cut at many lengths and with bytes turned over: frames or a clear error, always an end.
@Suite struct DamageTests {
    private static let small = Media.names.filter { name in
        (try? FileBytes(path: Media.path(name)).count < 20_000) ?? false
    }

    @Test(arguments: Media.names) func `a cut file gives frames or an error`(name: String) throws {
        let bytes = try Media.array(name)
        let whole = readAll(bytes)
        for step in 0..<24 {
            let cut = readAll(Array(bytes.prefix(bytes.count * step / 24)))
            #expect(cut.frames <= max(whole.frames, 1) + 1, "\(name) cut at \(step)/24")
            if cut.frames == 0 { #expect(cut.error != nil, "\(name) cut at \(step)/24") }
        }
    }

    @Test(arguments: small) func `turned bytes give frames or an error`(name: String) throws {
        var bytes = try Media.array(name)
        // The header is where sizes and counts stand: every byte there, some of the rest.
        let places =
            Array(0..<min(96, bytes.count)) + Array(stride(from: 96, to: bytes.count, by: 331))
        for place in places {
            bytes[place] ^= 0xFF
            let result = readAll(bytes)
            if result.frames == 0 { #expect(result.error != nil, "\(name) at \(place)") }
            bytes[place] ^= 0xFF
        }
    }

    private func readAll(_ bytes: [UInt8]) -> (frames: Int, error: MediaError?) {
        var frames = 0
        do throws(MediaError) {
            let limits = DecodingLimits(
                pixelsPerFrame: 4_000_000, frames: 400, totalPixels: 40_000_000)
            let sequence = try FrameSequence(
                opening: MemoryBytes(bytes), limits: limits, registry: .standard)
            let reader = try sequence.makeReader(ReaderOptions(limits: limits))
            while try reader.nextFrame() != nil { frames += 1 }
        } catch {
            return (frames, error)
        }
        return (frames, nil)
    }
}

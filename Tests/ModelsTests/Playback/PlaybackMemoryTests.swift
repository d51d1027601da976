import Glibc
import LazyBase
import LazyCodecs
import LazyMedia
import LazyPipeline
import Support
import Testing

struct PlaybackMemoryTests {
    // In a process of its own, so that what it takes is what this takes.
    @Test func `a hundred playing sequences stay within 256 MiB`() async {
        await #expect(processExitsWith: .success) {
            let before = ProcessMemory.resident
            let pool = FramePool(budget: FramePool.defaultBudget(memory: 256 << 20))
            let frameBytes = 320 * 240 * 4
            await playHundred(pool)
            // Two frames each are more than five per cent of 256 MiB: they are the least.
            expectOrExit(pool.peakBytes <= max(pool.budget, 100 * 2 * frameBytes), 3)
            expectOrExit(pool.peakBytes >= 100 * frameBytes, 4)
            // A sanitizer's shadow of the memory is several times as large.
            if !Sanitizer.isLinked {
                expectOrExit(ProcessMemory.peak - before <= 256 << 20, 5)
            }
        }
    }

    @Test func `within a larger budget all are kept whole or a few frames ahead`() async {
        let frameBytes = 320 * 240 * 4
        let pool = FramePool(budget: 100 * 5 * frameBytes)
        await playHundred(pool, steps: 8)
        #expect(pool.peakBytes <= pool.budget)
    }
}

private func expectOrExit(_ claim: Bool, _ status: CInt) { if !claim { exit(status) } }

/// Plays a hundred GIFs of 320 × 240 through several loops.
@MainActor
private func playHundred(_ pool: FramePool, steps: Int = 30) async {
    let clock = ManualClock()
    var players: [Playback] = []
    for _ in 0..<100 {
        guard let sequence = try? openLargeGIF() else { exit(2) }
        players.append(Playback(sequence, drive: .manual, pool: pool, clock: clock))
    }
    for _ in 0..<steps {
        for player in players { await player.update() }
        clock.advance(by: .milliseconds(100))
    }
    for player in players {
        expectOrExit(player.error == nil && player.currentPlay >= (steps - 1) / 10, 6)
        expectOrExit(player.frame?.index == (steps - 1) % 10, 7)
    }
}

/// Ten frames, each a field of another color.
private let largeGIF: [UInt8] = {
    var forge = GIFForge(width: 320, height: 240, palette: (0..<16).map { UInt32($0 * 0x0F1010) })
    forge.loop(0)
    for frame in 0..<10 {
        forge.control(delay: 10)
        forge.image(
            width: 320, height: 240,
            indices: Array(repeating: UInt8(frame), count: 320 * 240))
    }
    forge.trailer()
    return forge.bytes
}()

private func openLargeGIF() throws -> FrameSequence {
    FrameSequence(try GIFDecoder().open(MemoryBytes(largeGIF), type: .gif, limits: .web))
}

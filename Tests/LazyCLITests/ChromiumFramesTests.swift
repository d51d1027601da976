import LazyKit
import Support
import Testing

@testable import LazyBase
@testable import LazyBatch
@testable import LazyCLI
@testable import LazyRenditions
@testable import LazyTerminal

/// Animations against what Chromium's own decoder makes of them (`media/chromium-frames.txt`).
@Suite struct ChromiumFramesTests {
    struct Reference: Sendable {
        var name: Substring
        var plays: Int?
        var durations: [Int64] = []
        var hashes: [String] = []
    }

    static let references: [Reference] = {
        guard let text = try? Media.array("chromium-frames.txt") else { return [] }
        var references: [Reference] = []
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            if line.hasPrefix("#") {
                continue
            } else if line.hasPrefix(" ") {
                references[references.count - 1].durations.append(Int64(words[0]) ?? -1)
                references[references.count - 1].hashes.append(String(words[1]))
            } else {
                references.append(Reference(name: words[0], plays: Int(words[1])))
            }
        }
        return references
    }()

    @Test func `the table exists`() { #expect(Self.references.count >= 17) }

    @Test(arguments: references) func `pixels, delays and plays equal those of the browser`(
        reference: Reference
    ) async throws {
        let sequence = try FrameSequence(path: Media.path(String(reference.name)))
        var hashes: [String] = []
        var durations: [Int64] = []
        for try await frame in sequence.frames() {
            hashes.append(PixelDigest.hex(frame.bitmap))
            durations.append(frame.timing.rawDuration.microseconds)
        }
        #expect(hashes == reference.hashes)
        #expect(durations == reference.durations)
        // Of a single picture the browser says that it repeats forever.
        if hashes.count > 1 { #expect(sequence.info.loop.plays == reference.plays) }
    }
}

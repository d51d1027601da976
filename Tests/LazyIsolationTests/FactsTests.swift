import LazyBase
import LazyIsolation
import LazyKit
import LazyMedia
import Support
import Testing

/// What is said of a file depends on the file alone: not on where it is decoded, nor on what was counted before.
@Suite(.ownThreads) struct FactsTests {
    private static let registry = DecoderRegistry.standard.isolated(by: Hosts.standard())

    static let names = Media.names.filter { !$0.hasSuffix(".md") && !$0.hasSuffix(".txt") }

    @Test(arguments: names) func `facts are equal wherever they are counted, and when`(
        name: String
    ) async throws {
        var facts: [String] = []
        for registry in [DecoderRegistry.standard, Self.registry] {
            for countsFirst in [false, true] {
                let bytes = try FileBytes(path: Media.path(name))
                guard let media = try? registry.open(bytes, limits: .local) else { continue }
                let sequence = FrameSequence(media, limits: .local)
                if countsFirst { _ = try await sequence.frameIndex() }
                facts.append("\(try await sequence.detailedInfo())")
            }
        }
        // Media that cannot be opened here cannot be opened there.
        #expect([0, 4].contains(facts.count))
        #expect(Set(facts).count <= 1, "\(facts)")
    }
}

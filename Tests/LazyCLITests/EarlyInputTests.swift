import LazyKit
import LazyMedia
import Support
import Testing

@testable import LazyCLI

/// The input that is opened while arguments are parsed.
@Suite(.serialized) struct EarlyInputTests {
    private let clip = Media.path("clip.mp4")
    private let counter = Media.path("counter.gif")

    @Test("only a single file of a command that reads it is opened")
    func onlyFile() {
        #expect(EarlyLibraries.onlyFile(of: ["poster", clip]) == clip)
        #expect(EarlyLibraries.onlyFile(of: ["info", "--json", counter]) == counter)
        #expect(
            EarlyLibraries.onlyFile(of: ["convert", counter, "-o", clip, "-W", "64"]) == counter)
        for arguments in [
            [], ["poster"], ["poster", clip, counter], ["poster", "missing.mp4"], ["poster", "-"],
            ["poster", clip, "-"], ["poster", clip, "http://example.com/a.mp4"], ["fetch", clip],
            ["batch", "poster", clip], ["poster", clip, "--limits", "web"],
            ["poster", clip, "--limit=pixels=1M"],
        ] {
            #expect(EarlyLibraries.onlyFile(of: arguments) == nil, "\(arguments)")
        }
    }

    @Test("what was opened is taken once")
    func once() throws {
        for path in [clip, counter] {
            EarlyInput.open(path, .local, nil)
            let media = try #require(EarlyInput.take(path, .local, nil))
            let expected = try FrameSequence(path: path)
            #expect(media.sequence.info.size == expected.info.size)
            #expect(media.sequence.info.type == expected.info.type)
            #expect(media.byteCount == (try FileBytes(path: path)).count)
            #expect(EarlyInput.take(path, .local, nil) == nil)
        }
    }

    @Test("another input, other limits and another host let it go")
    func others() {
        EarlyInput.open(clip, .local, nil)
        #expect(EarlyInput.take(counter, .local, nil) == nil)
        #expect(EarlyInput.take(clip, .local, nil) == nil)
        EarlyInput.open(clip, .local, nil)
        #expect(EarlyInput.take(clip, .web, nil) == nil)
        EarlyInput.open(clip, .local, nil)
        #expect(
            EarlyInput.take(
                clip, .local, IsolationChoice.always.host(isLocal: true, isUntrusted: false)) == nil
        )
    }

    @Test("a file that cannot be opened is left to the caller")
    func failures() {
        EarlyInput.open("missing.mp4", .local, nil)
        #expect(EarlyInput.take("missing.mp4", .local, nil) == nil)
        EarlyInput.open(Media.path("README.md"), .local, nil)
        #expect(EarlyInput.take(Media.path("README.md"), .local, nil) == nil)
    }

    @Test("of many who want it one gets it, and nobody waits forever")
    func many() async {
        for _ in 0..<20 {
            EarlyInput.open(counter, .local, nil)
            let taken = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<4 {
                    group.addTask { EarlyInput.take(counter, .local, nil) != nil }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(taken == 1)
        }
    }
}

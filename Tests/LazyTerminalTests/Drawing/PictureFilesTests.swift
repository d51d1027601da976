import Glibc
import Testing

@testable import LazyTerminal

/// Pictures in files that a terminal reads and removes; here the test is the terminal.
@Suite(.serialized) struct PictureFilesTests {
    /// A time that advances by 10 ms whenever it is asked for.
    private final class Time {
        var now = Duration.zero
        func next() -> Duration {
            now += .milliseconds(10)
            return now
        }
    }
    private let time = Time()

    private func path(_ slot: Int) -> String {
        PictureFiles.folder(.files) + PictureFiles.name("\(slot)")
    }

    private func hand(_ files: PictureFiles) -> String? {
        [UInt8](repeating: 7, count: 16).withUnsafeBytes { files.hand($0) }
    }

    private func exists(_ slot: Int) -> Bool { access(path(slot), F_OK) == 0 }

    @Test func `what a killed process left is nothing to wait for`() throws {
        close(open(path(0), O_CREAT | O_WRONLY, 0o600))
        let files = try #require(PictureFiles(.files, now: time.next))
        #expect(!files.isBehind)
        #expect(hand(files) != nil)
    }

    @Test func `a terminal that reads gets each picture, and one that is late is behind`() throws {
        let files = try #require(PictureFiles(.files, now: time.next))
        for slot in [0, 1, 2, 0, 1] {
            #expect(hand(files) != nil)
            #expect(exists(slot))
            unlink(path(slot))
        }
        for _ in 0..<3 { #expect(hand(files) != nil) }
        #expect(files.isBehind)
    }

    @Test func `pictures that are not read for a second are lost, and then none is handed over`()
        throws
    {
        let files = try #require(PictureFiles(.files, now: time.next))
        for _ in 0..<3 { #expect(hand(files) != nil) }
        let start = time.now
        #expect(hand(files) == nil)
        #expect(time.now - start > .milliseconds(900))
        #expect(!exists(0))
        #expect(!files.isBehind)
        // The name is free again.
        #expect(hand(files) != nil)
        time.now += .seconds(2)
        #expect(hand(files) == nil)
        #expect(hand(files) != nil)
        #expect(hand(files) == nil)
        // Three are enough.
        #expect(hand(files) == nil)
        #expect(!files.isBehind)
    }

    @Test func `the end removes what was not read`() throws {
        var files = PictureFiles(.files, now: time.next)
        _ = try hand(#require(files))
        #expect(exists(0))
        files = nil
        #expect(!exists(0))
    }
}

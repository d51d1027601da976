import Glibc
import Support
import Testing
import ToolSupport

@testable import LazyBase
@testable import LazyBatch

@Suite(.ownThreads) struct GlobTests {
    private let scratch = Scratch()

    private static let names = [
        "a.mp4", "b.mp4", "B.MP4", "c.gif", ".hidden.mp4", "ä.mp4", "a-1.mp4", "a]b.mp4", "a[b.mp4",
        "a b.mp4", "x*y.mp4", "10.gif", "9.gif", "d/a.mp4", "d/e/a.gif", "d/e/f/z.mp4",
        "d/.h/q.mp4",
        "d.mp4/inner.mp4", "e/a.mp4", "-.mp4", "a\\b.mp4",
    ]

    private static let patterns = [
        "*", "*.mp4", "?.mp4", "[ab].mp4", "[!a]*.mp4", "[^a]*.gif", "[a-c].*", "[]a].mp4",
        "a[]]b*",
        "a[[]b*", ".*.mp4", "**/*.mp4", "**", "d/**", "d/**/a.*", "**/e/*", "d/*/a.gif", "*/a.mp4",
        "[[:digit:]]*.gif", "[[:upper:]].*",
        "x\\*y.mp4", "a[b.mp4", "*[-]*", "[a-]*.mp4", "**/**/a.mp4", "d/e/**/*",
        "*\\ *", "?", "é*", "[ä].mp4", "**/*[!4]",
        "nothing*",
    ]

    private func makeTree() {
        for name in Self.names {
            var path = scratch.path
            for part in name.split(separator: "/").dropLast() {
                path += "/" + part
                mkdir(path, 0o700)
            }
            Tool.write([1], to: scratch.path(name))
        }
        symlink("d", scratch.path("link"))
    }

    // Each pattern in bash with globstar: the same files. Bash sorts by locale, we by bytes.
    @Test func `patterns find what bash finds`() throws {
        makeTree()
        for pattern in Self.patterns {
            let script = """
                cd '\(scratch.path)'; export LC_ALL=C.UTF-8; shopt -s globstar nullglob
                for f in \(pattern.replacing(" ", with: "\\ ").replacing("\\\\ ", with: "\\ ")); do
                [ -f "$f" ] && printf '%s\\0' "$f"; done
                """
            Tool.write(Array(script.utf8), to: scratch.path + ".sh")
            let text = Peer.output(of: "bash '\(scratch.path).sh'")
            let expected = text.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            let found = Glob.files(scratch.path + "/" + pattern).map {
                String($0.dropFirst(scratch.path.count + 1))
            }
            let isPlain = !Glob.isPattern(pattern)
            #expect(
                isPlain || Set(found) == Set(expected), "\(pattern) should find \(expected)")
            #expect(found.count == Set(found).count)
        }
        unlink(scratch.path + ".sh")
    }

    @Test func `found files are in the order of their bytes`() {
        makeTree()
        let found = Glob.files(scratch.path + "/**/*.mp4")
        #expect(found == found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        #expect(found.count > 10)
    }

    @Test(arguments: [
        ("a*", true), ("a\\*", false), ("a", false), ("{a,b}", false), ("a[", true),
        ("\\\\*", true),
    ]) func `a pattern is distinguished from a name`(text: String, isPattern: Bool) {
        #expect(Glob.isPattern(text) == isPattern)
    }

    @Test func `a long row of stars is matched quickly`() {
        let pattern = GlobPattern(String(repeating: "*a", count: 40) + "b")
        #expect(!pattern.matches(String(repeating: "a", count: 400)))
    }
}

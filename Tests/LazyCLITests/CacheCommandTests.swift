import Testing

@testable import LazyBase
@testable import LazyBatch
@testable import LazyCLI
@testable import LazyTerminal

@Suite struct CacheCommandTests {
    @Test(arguments: [
        ("http://a/b.gif", "http://a/b.gif", true), ("HTTP://A:80/b.gif", "http://a/b.gif", true),
        ("http://a/b.gif#x", "http://a/b.gif", true), ("http://a/b", "http://a/b.gif", false),
        ("http://a/*", "http://a/b/c.gif", true), ("*.gif", "http://a/b.gif", true),
        ("*.gif", "http://a/b.mp4", false), ("http://a/b.gi?", "http://a/b.gif", true),
        ("http://a/b.gif", "http://a/b.gif\naccept: image/webp", true),
        ("own key", "own key", true),
    ]) func `a URL or a pattern matches keys`(pattern: String, key: String, isMeant: Bool) {
        #expect(KeyPattern(pattern).matches(key) == isMeant)
    }
}

import Glibc
import Testing

@testable import LazyCache

@Suite struct CacheFolderTests {
    @Test(arguments: [
        (["XDG_CACHE_HOME": "/x/cache", "HOME": "/h"], "/x/cache/lazyimg"),
        (["XDG_CACHE_HOME": "/x/cache/", "HOME": "/h"], "/x/cache/lazyimg"),
        (["XDG_CACHE_HOME": "relative", "HOME": "/h"], "/h/.cache/lazyimg"),
        (["XDG_CACHE_HOME": "", "HOME": "/h"], "/h/.cache/lazyimg"),
        (["HOME": "/h"], "/h/.cache/lazyimg"),
        (["HOME": ""], "/tmp/lazyimg-\(getuid())"),
        (["HOME": "/", "TMPDIR": "/t"], "/t/lazyimg-\(getuid())"),
        ([:], "/tmp/lazyimg-\(getuid())"),
    ])
    func `caches stand where XDG says`(environment: [String: String], folder: String) {
        #expect(CacheFolder.path { environment[$0] } == folder)
    }
}

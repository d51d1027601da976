import Testing

@testable import LazyLoading

@Suite struct CacheFolderTests {
    @Test(arguments: [
        (["XDG_CACHE_HOME": "/x/cache", "HOME": "/h"], "/x/cache/lazyimg"),
        (["XDG_CACHE_HOME": "/x/cache/", "HOME": "/h"], "/x/cache/lazyimg"),
        (["XDG_CACHE_HOME": "relative", "HOME": "/h"], "/h/.cache/lazyimg"),
        (["XDG_CACHE_HOME": "", "HOME": "/h"], "/h/.cache/lazyimg"),
        (["HOME": "/h"], "/h/.cache/lazyimg"),
        (["HOME": "/h", "XDG_RUNTIME_DIR": "/own"], "/h/.cache/lazyimg"),
        (["HOME": "", "XDG_RUNTIME_DIR": "/own"], "/own/lazyimg"),
        (["HOME": "/", "XDG_RUNTIME_DIR": "/own/"], "/own/lazyimg"),
        (["HOME": "/missing", "XDG_RUNTIME_DIR": "/own"], "/own/lazyimg"),
        (["XDG_RUNTIME_DIR": "own"], nil),
        (["XDG_RUNTIME_DIR": "/shared"], nil),
        (["HOME": "/", "TMPDIR": "/own"], nil),
        ([:], nil),
    ])
    func `caches stand where XDG says, and never where users share`(
        environment: [String: String], folder: String?
    ) {
        let place = CacheFolder.place(
            { environment[$0] }, isFolder: { $0 == "/h" },
            isPrivate: { $0.hasPrefix("/own") })
        #expect(place?.folder == folder)
        #expect(place?.isShort ?? false == (folder?.hasPrefix("/own") ?? false))
    }
}

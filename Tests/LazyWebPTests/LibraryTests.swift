import Testing

@testable import LazyWebP

@Suite struct `WebP library` {
    @Test func `its version is known`() {
        #expect(!WebPLibrary.version.isEmpty)
    }
}

import Testing

@testable import LazyAVIF

@Suite struct `AVIF library` {
    @Test func `its version is known`() {
        #expect(!AVIFLibrary.headerVersion.isEmpty)
    }
}

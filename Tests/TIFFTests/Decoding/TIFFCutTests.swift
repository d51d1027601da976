import LazyMedia
import Support
import Testing

@testable import LazyCodecs

/// A TIFF whose file ends before its pixels do: opening it says what showing it says.
@Suite struct TIFFCutTests {
    private let whole = TIFFForge(width: 8, height: 8, rowsPerStrip: 2).bytes

    @Test func `a file without some strips says so when it is opened`() throws {
        for missing in [1, 48, 100] {
            let media = try TIFFDecoder().open(
                MemoryBytes(Array(whole.dropLast(missing))), type: .tiff, limits: .web)
            #expect(media.info.isTruncated)
            #expect(media.info.warnings.map(\.code) == [.truncated])
            #expect(try media.makeReader(ReaderOptions()).nextFrame() != nil)
        }
        let info = try TIFFDecoder().open(MemoryBytes(whole), type: .tiff, limits: .web).info
        #expect(!info.isTruncated && info.warnings.isEmpty)
    }

    @Test func `a file without any strip is refused when it is opened`() throws {
        let error = #expect(throws: MediaError.self) {
            try TIFFDecoder().open(
                MemoryBytes(Array(whole.dropLast(4 * 48 - 10))), type: .tiff, limits: .web)
        }
        #expect(error?.code == .truncated)
    }
}

import Testing

@testable import LazyBase
@testable import LazyCLI

@Suite struct ByteSizeTests {
    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1250, "1.3 kB"), (99_949, "99.9 kB"),
        (99_950, "100 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"), (34_500_000, "34.5 MB"),
        (1_000_000_000, "1.0 GB"), (5_000_000_000_000, "5.0 TB"),
    ]) func `a size is printed with three digits`(bytes: Int, text: String) {
        #expect(ByteSize.text(bytes) == text)
    }
}

import Testing

@testable import LazyBase
@testable import LazyCLI

@Suite struct ByteSizeTests {
    @Test(arguments: [
        ("0", 0), ("1500", 1500), ("1500B", 1500), ("100K", 100_000), ("100kB", 100_000),
        ("1.5M", 1_500_000), ("2 GB", 2_000_000_000), ("4GiB", 4 << 30), ("1t", 1_000_000_000_000),
        ("0.5KiB", 512),
    ]) func `a size is a number and a unit`(text: String, bytes: Int) {
        #expect(ByteSize.parse(text) == bytes)
    }

    @Test(arguments: [
        "", "M", "-1", "1.", ".5", "1.2.3", "1X", "1 M B", "99999999999999999999", "1e3", "1,5M",
        "9999999T",
    ]) func `other texts are not sizes`(text: String) {
        #expect(ByteSize.parse(text) == nil)
    }

    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1250, "1.3 kB"), (99_949, "99.9 kB"),
        (99_950, "100 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"), (34_500_000, "34.5 MB"),
        (1_000_000_000, "1.0 GB"), (5_000_000_000_000, "5.0 TB"),
    ]) func `a size is printed with three digits`(bytes: Int, text: String) {
        #expect(ByteSize.text(bytes) == text)
    }
}

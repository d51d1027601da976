import Support
import Testing

@testable import LazyMedia

@Suite struct ColorQuantizerTests {
    @Test func `the number of threads has no effect on the colors`() {
        var random = SplitMix(7)
        let entries = (0..<20_000).map { _ in
            ColorHistogram.Entry(
                red: .random(in: 0...255, using: &random),
                green: .random(in: 0...255, using: &random),
                blue: .random(in: 0...255, using: &random),
                weight: .random(in: 1...100, using: &random), key: 0)
        }
        let alone = ColorQuantizer(entries, count: 255, threads: 1)
        #expect(alone.colors.count > 200)
        for threads in [2, 3, 8] {
            let together = ColorQuantizer(entries, count: 255, threads: threads)
            #expect(together.colors == alone.colors && together.error == alone.error)
        }
    }
}

import LazyMedia
import Testing

@testable import LazyEditing

/// Which edits ask for a size that nothing may reduce.
@Suite struct ExactSizeTests {
    private static let source = PixelSize(width: 640, height: 272)

    private struct Case: CustomStringConvertible {
        let description: String
        var edit = ClipEdit()
        let isExact: Bool

        init(_ name: String, _ isExact: Bool, _ change: (inout ClipEdit) -> Void) {
            description = name
            self.isExact = isExact
            change(&edit)
        }
    }

    private static let square = TargetSize(width: 128, height: 128)

    private static let cases = [
        Case("nothing", false) { _ in },
        Case("a width", false) { $0.size = TargetSize(width: 320) },
        Case("a box", false) { $0.size = square },
        Case("a box that the picture fills", false) {
            $0.size = TargetSize(width: 320, height: 136)
        },
        Case("a box that is covered", true) {
            $0.size = TargetSize(width: 128, height: 128, fit: .cover)
        },
        Case("a box that is filled", true) {
            $0.size = TargetSize(width: 128, height: 128, fit: .fill)
        },
        Case("a width that is covered", false) { $0.size = TargetSize(width: 128, fit: .cover) },
        Case("a ratio and its box", true) {
            ($0.size, $0.shape.crop) = (square, .ratio(1, 1))
        },
        Case("a ratio and another box", false) {
            ($0.size, $0.shape.crop) = (square, .ratio(16, 9))
        },
        Case("a crop of a size", true) {
            $0.shape.crop = .size(PixelSize(width: 200, height: 100))
        },
        Case("a crop of a size on its side", true) {
            $0.shape.crop = .size(PixelSize(width: 200, height: 100))
            $0.shape.rotation = 90
        },
        Case("a crop that is scaled", false) {
            $0.shape.crop = .rect(PixelRect(x: 9, y: 9, width: 200, height: 100))
            $0.size = TargetSize(width: 100)
        },
        Case("a border up to a size", true) {
            $0.size = square
            $0.padding = Padding(.size(PixelSize(width: 128, height: 128)))
        },
        Case("a border that the picture exceeds", false) {
            $0.size = TargetSize(width: 320)
            $0.padding = Padding(.size(PixelSize(width: 128, height: 300)))
        },
        Case("a border of some pixels", false) {
            $0.size = square
            $0.padding = Padding(.border(4))
        },
    ]

    @Test(arguments: cases)
    private func `a size is exact where both sides were named`(row: Case) throws {
        var bare = row.edit
        bare.padding = nil
        let picture = try bare.pictureSize(of: Self.source)
        let canvas = try row.edit.pictureSize(of: Self.source)
        #expect(row.edit.hasExactSize(picture, on: canvas) == row.isExact)
    }
}

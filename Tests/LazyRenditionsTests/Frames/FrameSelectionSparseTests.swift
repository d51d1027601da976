import LazyEditing
import LazyMedia
import Testing

@testable import LazyRenditions

@Suite struct FrameSelectionSparseTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var what: String
        var isSparse: Bool
        var selection = FrameSelection()
        /// A minute with 1500 frames unless something else is said.
        var type = MediaType.mp4
        var frameCount: Int? = 1500
        var duration: Duration? = .seconds(60)
        var testDescription: String { what }
    }

    static let cases = [
        Case(what: "all frames", isSparse: false),
        Case(
            what: "a frame a second", isSparse: true,
            selection: FrameSelection(rate: Rational(1, 1))),
        Case(
            what: "as many as there are", isSparse: false,
            selection: FrameSelection(rate: Rational(25, 1))),
        Case(
            what: "four fifths", isSparse: false, selection: FrameSelection(rate: Rational(20, 1))),
        Case(what: "every second", isSparse: true, selection: FrameSelection(every: 2)),
        Case(
            what: "keyframes", isSparse: false,
            selection: FrameSelection(every: 2, keyframesOnly: true)),
        Case(
            what: "of a part that is small", isSparse: false,
            selection: FrameSelection(
                part: ClipPart(start: .seconds(10), end: .seconds(12)), every: 2)),
        Case(
            what: "from the middle to the end", isSparse: true,
            selection: FrameSelection(part: ClipPart(start: .seconds(30)), every: 2)),
        Case(
            what: "a few from the start", isSparse: false,
            selection: FrameSelection(every: 2, maximum: 20)),
        Case(
            what: "many from the start", isSparse: true,
            selection: FrameSelection(every: 2, maximum: 200)),
        Case(
            what: "from behind the end", isSparse: false,
            selection: FrameSelection(part: ClipPart(start: .seconds(90)), every: 2)),
        Case(
            what: "of a number of frames that nobody knows", isSparse: true,
            selection: FrameSelection(rate: Rational(5, 1)), type: .webm, frameCount: nil),
        Case(
            what: "of a length that nobody knows", isSparse: false,
            selection: FrameSelection(every: 2), duration: nil),
        Case(
            what: "of packets without times", isSparse: false,
            selection: FrameSelection(every: 2), type: .avi),
        Case(what: "of a GIF", isSparse: false, selection: FrameSelection(every: 2), type: .gif),
    ]

    @Test(arguments: cases) func `times are read first where that spares decoding`(
        item: Case
    ) throws {
        let info = MediaInfo(
            type: item.type, codec: "h264", size: PixelSize(width: 64, height: 48),
            frameCount: item.frameCount, duration: item.duration)
        #expect(item.selection.isSparse(info) == item.isSparse)
    }
}

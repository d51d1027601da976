import LazyMedia
import Support
import Testing

@testable import LazyEditing

/// Crop, rotation, mirrors and borders as values; pixels against ffmpeg are in `EditTests`.
@Suite struct ShapeTests {
    private static let whole = PixelSize(width: 40, height: 30)

    @Test(
        arguments: [
            (.rect(PixelRect(x: 3, y: 4, width: 10, height: 10)), .center, "10x10+3+4"),
            (.rect(PixelRect(x: 0, y: 0, width: 40, height: 30)), .center, "40x30+0+0"),
            (.size(PixelSize(width: 10, height: 10)), .center, "10x10+15+10"),
            (.size(PixelSize(width: 10, height: 10)), .northEast, "10x10+30+0"),
            (.size(PixelSize(width: 40, height: 10)), .south, "40x10+0+20"),
            (.ratio(1, 1), .center, "30x30+5+0"), (.ratio(16, 9), .center, "40x23+0+3"),
            (.ratio(1_000_000, 1), .center, "40x1+0+14"),
        ] as [(CropRegion, Gravity, String)])
    func `a crop is a part of the picture`(
        region: CropRegion, gravity: Gravity, part: String
    ) throws {
        #expect(try region.part(of: Self.whole, gravity).description == part)
    }

    @Test(
        arguments: [
            (
                .rect(PixelRect(x: 40, y: 0, width: 5, height: 5)),
                "is not inside the picture of 40x30; the nearest one is 5x5+35+0."
            ),
            (
                .rect(PixelRect(x: 35, y: 4, width: 10, height: 10)),
                "is not inside the picture of 40x30; the nearest one is 10x10+30+4."
            ),
            (
                .rect(PixelRect(x: 0, y: 1, width: 40, height: 30)),
                "is not inside the picture of 40x30; the nearest one is 40x30+0+0."
            ),
            (
                .rect(PixelRect(x: 0, y: 0, width: 41, height: 10)),
                "does not fit into the picture of 40x30."
            ),
            (.size(PixelSize(width: 999, height: 999)), "does not fit into the picture of 40x30."),
            (.size(PixelSize(width: 10, height: 31)), "does not fit into the picture of 40x30."),
        ] as [(CropRegion, String)])
    func `a crop that is not inside the picture is an error`(region: CropRegion, reason: String)
        throws
    {
        let error = #expect(throws: MediaError.self) { try region.part(of: Self.whole) }
        #expect(error?.message == "The part \(region) \(reason)")
        // A smart gravity does not look for a place that there is not.
        var edit = ClipEdit(gravity: .attention)
        edit.shape.crop = region
        let picture = try Bitmap(size: Self.whole, isOpaque: true) { _ in }
        #expect(throws: MediaError.self) { try picture.edited(edit) }
    }

    @Test(
        arguments: [
            (.border(3), "46x36"), (.size(PixelSize(width: 100, height: 20)), "100x30"),
            (.ratio(16, 9), "53x30"), (.ratio(1, 2), "40x80"), (.border(0), "40x30"),
        ] as [(Padding.Extent, String)])
    func `a border reaches as far as it says`(extent: Padding.Extent, size: String) throws {
        #expect(try Padding(extent).canvas(of: Self.whole).description == size)
    }

    @Test func `a border without end is an error`() {
        #expect(throws: MediaError.self) {
            try Padding(.ratio(1 << 24, 1)).canvas(of: Self.whole)
        }
    }

    @Test func `identifiers tell edits apart, and an edit without shape keeps its own`() {
        var edits = [ClipEdit(), ClipEdit(maxFrames: 9), ClipEdit(maxFrames: 10)]
        for shape in [
            PictureShape(trimsBars: true), PictureShape(crop: .ratio(16, 9)),
            PictureShape(crop: .size(PixelSize(width: 16, height: 9))), PictureShape(rotation: 90),
            PictureShape(isMirrored: true), PictureShape(isFlipped: true),
        ] {
            var edit = ClipEdit()
            edit.shape = shape
            edits.append(edit)
        }
        for padding in [Padding(.border(9)), Padding(.border(9), color: .white)] {
            var edit = ClipEdit()
            edit.padding = padding
            edits.append(edit)
        }
        var matted = ClipEdit()
        matted.matte = .white
        edits.append(matted)
        #expect(Set(edits.map(\.identifier)).count == edits.count)
        #expect(
            ClipEdit().identifier
                == "segments=,rate=source,speed=1.0,reverse=false,bounce=false,crossfade=0,size=source,gravity=center"
        )
    }

    @Test(arguments: [
        PictureShape(rotation: 90), PictureShape(rotation: 180, isMirrored: true),
        PictureShape(crop: .rect(PixelRect(x: 2, y: 2, width: 20, height: 10)), rotation: 270),
        PictureShape(crop: .rect(PixelRect(x: 3, y: 5, width: 21, height: 11))),
        PictureShape(rotation: 30),
    ])
    func `a shaped frame is the same by seek and in sequence, and small frames match`(
        shape: PictureShape
    ) async throws {
        var edit = ClipEdit()
        edit.shape = shape
        let shaped = try await Clips.open("small.mp4").edited(edit)
        var frames: [Frame] = []
        for try await frame in shaped.frames() { frames.append(frame) }
        for index in [7, 0, 20] {
            #expect(try await shaped.frame(index).bitmap == frames[index].bitmap)
        }
        #expect(frames[0].bitmap.size == shaped.info.size)
        #expect(shaped.info.hasAlpha == (shape.rotation == 30))
        let small = try await shaped.frame(3, size: TargetSize(width: 16))
        #expect(small.bitmap.size == shaped.decodedSize(TargetSize(width: 16)))
    }

    @Test func `an even crop keeps planes, so that video is not converted twice`() throws {
        let source = try Clips.open("small.mp4")
        let part = PixelRect(x: 8, y: 4, width: 64, height: 32)
        let media = CroppedMedia(source.media, to: part)
        let reader = try media.makeReader(ReaderOptions(planes: true))
        let frame = try #require(try reader.nextFrame())
        #expect(frame.planes?.size == PixelSize(width: 64, height: 32))
        // Both show the same part; the two converters round differently.
        let converted = try #require(frame.planes).bitmap()
        var sum = 0
        for y in 0..<32 {
            for x in 0..<64 { sum += abs(Int(converted[x, y].y) - Int(frame.bitmap[x, y].y)) }
        }
        #expect(sum < 64 * 32 * 3)
    }

    @Test func `padding at another size keeps the ratio of picture and border`() async throws {
        let padded = try Clips.open("small.mp4").applying(
            .pad(Padding(.size(PixelSize(width: 320, height: 96)), color: .white)))
        #expect(padded.info.size == PixelSize(width: 320, height: 96))
        let small = try await padded.frame(0, size: TargetSize(width: 160)).bitmap
        #expect(small.size == PixelSize(width: 160, height: 48))
        #expect(small[39, 20] == SIMD4(255, 255, 255, 255))
        #expect(small[120, 20] == SIMD4(255, 255, 255, 255))
        let picture = try await Clips.open("small.mp4").frame(0, size: TargetSize(width: 80)).bitmap
        #expect(small[40, 0] == picture[0, 0])
        #expect(small[119, 47] == picture[79, 47])
    }
}

import LazyMedia
import Support
import Testing

@testable import LazyEditing

/// Edits of single pictures: the same pixels as the edit of a sequence of that one picture.
@Suite struct PictureEditTests {
    private static let size = PixelSize(width: 64, height: 48)

    /// A picture without symmetry, with black bars above and below and some transparency.
    private static func picture() throws -> Bitmap {
        try Bitmap(size: size, isOpaque: false) { rows in
            let pixels = rows.bindMemory(to: SIMD4<UInt8>.self)
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let isBar = y < 6 || y >= size.height - 6
                    pixels[y * size.width + x] =
                        isBar
                        ? SIMD4(0, 0, 0, 255)
                        : SIMD4(
                            UInt8(120 + x * 2), UInt8(100 + y * 3), 180,
                            x > 50 && y > 30 ? 200 : 255)
                }
            }
        }
    }

    private static func edit(_ change: (inout ClipEdit) -> Void) -> ClipEdit {
        var edit = ClipEdit()
        change(&edit)
        return edit
    }

    private static let edits: [ClipEdit] = [
        ClipEdit(),
        ClipEdit(size: TargetSize(width: 20, height: 20, fit: .cover), gravity: .northWest),
        edit { $0.shape.trimsBars = true },
        edit { $0.shape.crop = .ratio(1, 1) },
        edit { $0.shape.crop = .rect(PixelRect(x: 3, y: 9, width: 20, height: 11)) },
        edit { $0.shape.rotation = 90 },
        edit {
            $0.shape.isMirrored = true
            $0.size = TargetSize(width: 32)
        },
        edit { $0.padding = Padding(.border(5), color: .white) },
        edit { $0.matte = .white },
        edit {
            $0.shape.trimsBars = true
            $0.shape.crop = .ratio(4, 3)
            $0.size = TargetSize(width: 40)
            $0.padding = Padding(.border(2))
            $0.matte = .black
        },
    ]

    @Test(arguments: edits.indices)
    func `a picture is edited as a sequence of it is`(number: Int) async throws {
        let (edit, picture) = (Self.edits[number], try Self.picture())
        let sequence = try await FrameSequence(still: picture).edited(edit)
        let wanted = try await sequence.frame(at: .zero).bitmap
        let edited = try picture.edited(edit)
        #expect(edited == wanted)
        #expect((edited == picture) == (number == 0))
        if !edit.shape.trimsBars {
            #expect(try edit.pictureSize(of: Self.size) == edited.size)
        }
    }

    @Test func `an overlay is drawn on a picture`() throws {
        let mark = try Bitmap(size: PixelSize(width: 4, height: 4), isOpaque: true) { rows in
            rows.bindMemory(to: SIMD4<UInt8>.self).update(repeating: SIMD4(250, 0, 0, 255))
        }
        let edit = Self.edit {
            $0.overlays = [.picture(PictureOverlay(mark, gravity: .southEast))]
        }
        let edited = try Self.picture().edited(edit)
        #expect(edited[63, 47] == SIMD4(250, 0, 0, 255))
    }

    @Test func `a crop outside of the picture is refused`() throws {
        let edit = Self.edit {
            $0.shape.crop = .rect(PixelRect(x: 64, y: 0, width: 20, height: 11))
        }
        #expect(throws: MediaError.self) {
            try Self.picture().edited(edit)
        }
    }
}

import LazyEditing
import LazyMedia
import Testing

@testable import LazyService

/// Orientations of files, rotations and mirrors together, by the pixels of a small picture.
@Suite struct RotationTests {
    private static let rows = Table("rotations").rows

    /// 4 × 2 pixels of eight colors: where each one is tells how the picture lies.
    private static func picture() throws -> Bitmap {
        try Bitmap(size: PixelSize(width: 4, height: 2), isOpaque: true) { output in
            for place in 0..<8 {
                for channel in 0..<3 { output[place * 4 + channel] = UInt8(place * 30 + channel) }
                output[place * 4 + 3] = 255
            }
        }
    }

    @Test(arguments: rows) func `a picture lies as its row says`(_ row: Table.Row) throws {
        let options = try OptionRules().options(row["options"])
        let stored = try Self.picture()
        let shown = Orientation(exif: Int(row["source_orientation"]) ?? 1)
        // The decoder gives it as it is shown.
        let upright = try stored.turned(shown)
        var edit = ClipEdit()
        edit.shape.rotation = Double(options.rotation)
        edit.shape.isMirrored = options.isMirrored
        edit.shape.isFlipped = options.isFlipped
        edit.shape.liesAsStored = !(options.autoRotates ?? true)
        var info = MediaInfo(type: .png, codec: "png", size: upright.size)
        (info.rotation, info.isMirrored) = (shown.quarterTurns * 90, shown.isMirrored)
        var result = upright
        for step in edit.steps {
            result = try step.settled(for: info).applied(to: result, limits: .web)
        }
        let expected = try stored.turned(Orientation(exif: Int(row["same_as_orientation"]) ?? 1))
        #expect(result.size == expected.size)
        #expect(result.withBytes(Array.init) == expected.withBytes(Array.init))
        let isWide = row.size("result_width", "result_height").width == 200
        #expect(isWide == (result.size.width == 4))
    }
}

/// Edges that are removed, by the pictures that the data describes.
@Suite struct TrimTests {
    private static let rows = Table("sizes").rows.filter { $0["options"].hasPrefix("t:") }

    /// The pictures: gray squares in each other, and three stripes.
    private static func picture(_ name: String) throws -> Bitmap {
        let isGray = name.contains("trim1")
        let size = isGray ? PixelSize(width: 350, height: 250) : PixelSize(width: 200, height: 200)
        return try Bitmap(size: size, isOpaque: !name.contains("trim3")) { output in
            let pixels = output.bindMemory(to: SIMD4<UInt8>.self)
            for y in 0..<size.height {
                for x in 0..<size.width {
                    pixels[y * size.width + x] =
                        isGray ? gray(x, y) : stripe(y, isClear: name.contains("trim3"))
                }
            }
        }
    }

    private static func gray(_ x: Int, _ y: Int) -> SIMD4<UInt8> {
        let rects: [(UInt8, PixelRect)] = [
            (0, PixelRect(x: 50, y: 50, width: 200, height: 100)),
            (51, PixelRect(x: 40, y: 40, width: 230, height: 130)),
            (102, PixelRect(x: 30, y: 30, width: 260, height: 160)),
            (153, PixelRect(x: 20, y: 20, width: 290, height: 190)),
            (204, PixelRect(x: 10, y: 10, width: 320, height: 220)),
        ]
        let gray =
            rects.first { rect in
                (rect.1.x..<rect.1.right).contains(x) && (rect.1.y..<rect.1.bottom).contains(y)
            }?.0 ?? 255
        return SIMD4(gray, gray, gray, 255)
    }

    private static func stripe(_ y: Int, isClear: Bool) -> SIMD4<UInt8> {
        switch y {
        case 0..<30: SIMD4(255, 0, 0, 255)
        case 30..<130: SIMD4(0, 255, 0, 255)
        default: isClear ? SIMD4(0, 0, 0, 0) : SIMD4(0, 0, 255, 255)
        }
    }

    @Test(arguments: rows) func `what is inside of edges stays`(_ row: Table.Row) throws {
        let options = try OptionRules().options(row["options"])
        let trim = try #require(options.edges)
        let picture = try Self.picture(row["source_kind"])
        let inner = trim.inner(of: picture) ?? PixelRect(picture.size)
        #expect(inner.size == row.size("result_width", "result_height"))
        let place = try #require(Table("placements").rows.first { $0.id == row.id })
        #expect("\(inner.x),\(inner.y)" == "\(place["left"]),\(place["top"])")
    }
    /// Edges are those of the picture as it is stored, whatever orientation the file has.
    @Test(arguments: rows, 1...8)
    func `what stays is turned as the picture is`(_ row: Table.Row, orientation: Int) throws {
        let trim = try #require(try OptionRules().options(row["options"]).edges)
        let stored = try Self.picture(row["source_kind"])
        let shown = Orientation(exif: orientation)
        var info = MediaInfo(type: .png, codec: "png", size: stored.size)
        (info.rotation, info.isMirrored) = (shown.quarterTurns * 90, shown.isMirrored)
        let upright = try stored.turned(shown)
        let kept = EditStep.trim(inside: trim.shown(by: info).inner(of: upright))
        let expected = try EditStep.trim(inside: trim.inner(of: stored))
            .applied(to: stored, limits: .web).turned(shown)
        let result = try kept.applied(to: upright, limits: .web)
        #expect(result.size == expected.size)
        #expect(result.withBytes(Array.init) == expected.withBytes(Array.init))
    }
}

import LazyEditing
import LazyMedia
import Testing

@testable import LazyService

/// Sizes and places as the data has them.
@Suite struct PlacementTests {
    private static let rules: OptionRules = {
        var rules = OptionRules()
        rules.allowsBounds = true
        return rules
    }()
    /// Those of the data, and of random options by an independent model of its rules.
    private static let sizes = Table("sizes").rows + Table("computed").rows
    private static let places = Table("placements").rows

    @Test(arguments: sizes) func `a result has the size of its row`(_ row: Table.Row) throws {
        let options = try Self.rules.options(row["options"])
        // What remains of the trimmed picture is a row of its own.
        guard options.edges == nil else { return }
        let source = row.size("source_width", "source_height")
        let isTurned = options.rotation % 180 != 0
        let upright = isTurned ? PixelSize(width: source.height, height: source.width) : source
        let layout = options.placement.layout(of: upright)
        #expect(layout.canvas.size == row.size("result_width", "result_height"))
        #expect(layout.kept.clipped(to: layout.scaled) == layout.kept)
        #expect(layout.part.clipped(to: upright) == layout.part)
    }

    @Test(arguments: places) func `a picture lies where its row says`(_ row: Table.Row) throws {
        let size = try #require(Self.sizes.first { $0.id == row.id })
        let options = try Self.rules.options(size["options"])
        guard options.edges == nil else { return }
        let layout = options.placement.layout(of: size.size("source_width", "source_height"))
        let place = (Int(row["left"]), Int(row["top"]))
        if row["kind"] == "kept" {
            let part = layout.part
            #expect(place == (part.x + layout.kept.x, part.y + layout.kept.y))
            #expect(layout.kept.size == row.size("width", "height"))
        } else {
            #expect(place == (layout.canvas.x, layout.canvas.y))
            #expect(layout.kept.size == row.size("width", "height"))
        }
    }

    @Test(arguments: places) func `a picture is made as its row says`(_ row: Table.Row) throws {
        let size = try #require(Self.sizes.first { $0.id == row.id })
        let options = try Self.rules.options(size["options"])
        guard options.edges == nil else { return }
        let source = try Pictures.plain(size.size("source_width", "source_height"))
        var edit = ClipEdit()
        edit.placement = options.placement
        let result = try source.edited(edit)
        #expect(result.size == size.size("result_width", "result_height"))
        let (left, top) = (Int(row["left"]) ?? 0, Int(row["top"]) ?? 0)
        let part = row.size("width", "height")
        for (x, y) in [
            (0, 0), (part.width - 1, 0), (0, part.height - 1), (part.width / 2, part.height / 3),
        ] {
            if row["kind"] == "kept" {
                #expect(Self.pixel(result, x, y) == Self.pixel(source, left + x, top + y))
            } else {
                #expect(Self.pixel(result, left + x, top + y) == Self.pixel(source, x, y))
            }
        }
        guard row["kind"] != "kept", left > 0 || top > 0 else { return }
        let ground: [UInt8] =
            row["kind"].hasSuffix("transparent") ? [0, 0, 0, 0] : [255, 0, 0, 255]
        #expect(Self.pixel(result, 0, 0) == ground)
    }

    @Test(arguments: sizes.filter { Int($0["source_width"]) ?? 0 <= 200 })
    func `an edit knows its size, and makes it`(_ row: Table.Row) throws {
        let options = try Self.rules.options(row["options"])
        guard options.edges == nil else { return }
        let source = row.size("source_width", "source_height")
        var edit = ClipEdit()
        edit.shape.rotation = Double(options.rotation)
        edit.placement = options.placement
        let expected = row.size("result_width", "result_height")
        #expect(try edit.pictureSize(of: source) == expected)
        #expect(try Pictures.plain(source).edited(edit).size == expected)
    }

    private static func pixel(_ bitmap: Bitmap, _ x: Int, _ y: Int) -> [UInt8] {
        bitmap.withBytes { bytes in
            let place = (y * bitmap.size.width + x) * 4
            return Array(bytes[place..<place + 4])
        }
    }
}

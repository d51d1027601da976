internal import LazyBase
internal import LazyEditing
internal import LazyMedia
internal import LazyRenditions

extension Reports {
    /// `clip.mp4: 60 tiles of 160x90 → clip-sheet.jpg`.
    static func line(_ report: SpriteSheet.Report, input: String, output: String) -> String {
        let plan = report.plan
        let tiles = plan.tiles.count == 1 ? "1 tile" : "\(plan.tiles.count) tiles"
        let more = plan.pages.count > 1 ? " and \(plan.pages.count - 1) more" : ""
        let bytes = ByteSize.text(report.byteCounts.reduce(0, +))
        let name = output == "-" ? "standard output" : output
        return "\(input): \(tiles) of \(plan.tileSize) → \(name)\(more) \(bytes)"
    }

    /// The JSON file next to a sheet: the tiles and their times.
    static func sheet(
        _ report: SpriteSheet.Report, input: String, pages: [String]
    ) -> JSONValue {
        let plan = report.plan
        return .object([
            ("source", .name(input)),
            ("durationUs", .integer(plan.duration.microseconds)),
            ("intervalUs", .integer(plan.interval.microseconds)),
            ("tileWidth", .integer(plan.tileSize.width)),
            ("tileHeight", .integer(plan.tileSize.height)),
            ("columns", .integer(plan.columns)),
            (
                "pages",
                .array(
                    zip(pages, plan.pages).map { file, size in
                        .object([
                            ("file", .name(file)), ("width", .integer(size.width)),
                            ("height", .integer(size.height)),
                        ])
                    })
            ),
            ("tiles", .array(plan.tiles.map { tile($0, report.timings) })),
        ])
    }

    private static func tile(_ tile: SheetPlan.Tile, _ timings: FrameIndex) -> JSONValue {
        let timing =
            timings.timings.indices.contains(tile.frame) ? timings.timings[tile.frame] : nil
        return .object([
            ("index", .integer(tile.index)),
            ("startUs", .integer(tile.start.microseconds)),
            ("endUs", .integer(tile.end.microseconds)),
            ("frame", .integer(tile.frame)),
            ("ptsUs", .integer(timing?.presentation.microseconds)),
            ("key", .bool(timing?.isKeyframe ?? false)),
            ("page", .integer(tile.page)),
            ("x", .integer(tile.rect.x)),
            ("y", .integer(tile.rect.y)),
            ("width", .integer(tile.rect.width)),
            ("height", .integer(tile.rect.height)),
        ])
    }

    /// `sheet --json`: the files, and the number of their tiles.
    static func sheetSummary(
        _ report: SpriteSheet.Report, input: String, outputs: [String], _ byteCount: Int
    ) -> JSONValue {
        let plan = report.plan
        return .object([
            ("input", .name(input)),
            ("outputs", .names(outputs)),
            ("tiles", .integer(plan.tiles.count)),
            ("tileWidth", .integer(plan.tileSize.width)),
            ("tileHeight", .integer(plan.tileSize.height)),
            ("columns", .integer(plan.columns)),
            ("pages", .integer(plan.pages.count)),
            ("intervalUs", .integer(plan.interval.microseconds)),
            ("durationUs", .integer(plan.duration.microseconds)),
            ("bytes", .integer(byteCount)),
            ("warnings", report.warnings.value),
        ])
    }
}

extension JobKey {
    /// The layout of a sheet.
    static func sheet(_ layout: SheetLayout) -> String {
        [
            "interval=\(layout.interval.map { String($0.microseconds) } ?? "auto")",
            "count=\(layout.count.map(String.init) ?? "auto")", "columns=\(layout.columns)",
            "rows=\(layout.rows.map(String.init) ?? "auto")",
            "gap=\(layout.gap)",
            "background=\(layout.background?.description ?? "-")",
            "precision=\(layout.precision.rawValue)",
        ].joined(separator: " ") + (layout.stampsTime ? " stamp" : "")
            + (layout.fillsPages ? " full" : "")
    }
}

extension Reports {
    /// What a contact sheet says of its file: name, picture, length and size.
    static func header(_ info: MediaInfo, _ name: String, _ byteCount: Int?) -> [String] {
        let picture = "\(info.type.title), \(info.codec), \(info.size)\(rate(info))"
        let length = info.duration.map {
            ClockText.short(seconds: $0.ticks(perSecond: 1, .nearest))
        }
        let bytes = byteCount.map { ByteSize.text($0) }
        let rest = [length, bytes].compactMap(\.self).joined(separator: ", ")
        return [name.shown, picture] + (rest.isEmpty ? [] : [rest])
    }
}

internal import LazyBase
internal import LazyMedia

extension SheetPlan {
    /// The WebVTT file that maps times to tiles.
    ///
    /// `files` are the addresses of the pages, relative or absolute; other characters are escaped. The
    /// cues are contiguous from 0 to the end, or over the part that the tiles are of.
    public func webVTT(files: [String]) -> String { webVTT(names: files.map { Array($0.utf8) }) }

    /// The same for names that need not be UTF-8.
    package func webVTT(names files: [[UInt8]]) -> String {
        var text = "WEBVTT\n"
        for tile in tiles {
            let file = tile.page < files.count ? files[tile.page] : []
            // A cue without length is invalid (WebVTT, 4.1).
            let end = max(Self.milliseconds(tile.end), Self.milliseconds(tile.start) + 1)
            let rect = tile.rect
            text += """

                \(ClockText.exact(milliseconds: Self.milliseconds(tile.start))) --> \(ClockText.exact(milliseconds: end))
                \(Self.escaped(file))#xywh=\(rect.x),\(rect.y),\(rect.width),\(rect.height)

                """
        }
        return text
    }

    /// The WebVTT file of chapters, as a `track` of kind `chapters` has it; without any it has no cue.
    static func webVTT(of chapters: [MediaChapter]) -> String {
        chapters.enumerated().reduce("WEBVTT\n") { text, entry in
            let (place, chapter) = entry
            let start = milliseconds(chapter.start)
            let end = max(milliseconds(chapter.end), start + 1)
            return text + """

                \(ClockText.exact(milliseconds: start)) --> \(ClockText.exact(milliseconds: end))
                \(title(chapter.title ?? "Chapter \(place + 1)"))

                """
        }
    }

    /// The text of a cue on one line (WebVTT, 6.4).
    private static func title(_ text: String) -> String {
        var title = ""
        for character in text {
            switch character {
            case "&": title += "&amp;"
            case "<": title += "&lt;"
            case ">": title += "&gt;"
            case _ where character.isNewline: title += " "
            default: title.append(character)
            }
        }
        return title
    }

    /// Whole milliseconds, as WebVTT counts, rounded to the nearest.
    static func milliseconds(_ time: Duration) -> Int64 { (time.microseconds + 500) / 1000 }

    /// An address with other characters escaped (RFC 3986, 2.2 and 2.3).
    ///
    /// Escapes are kept in absolute addresses only; in names a percent sign is escaped.
    static func escaped(_ name: [UInt8]) -> String {
        let isAddress = String(decoding: name, as: UTF8.self).contains("://")
        return PercentEncoding.encode(
            name, allowed: "-._~/!$&'()*+,;=@" + (isAddress ? "%:?" : ""))
    }
}

extension SheetPlan {
    /// The JSON that describes the pages of a sheet: the tiles and their times.
    func index(
        of source: String, pages names: [String], _ timings: FrameIndex,
        _ chapters: [MediaChapter]
    ) -> JSONValue {
        .object([
            ("source", .name(source)), ("durationUs", .integer(duration.microseconds)),
            ("intervalUs", .integer(interval.microseconds)),
            ("tileWidth", .integer(tileSize.width)), ("tileHeight", .integer(tileSize.height)),
            ("columns", .integer(columns)),
            (
                "pages",
                .array(
                    zip(names, pages).map { file, size in
                        .object([
                            ("file", .name(file)), ("width", .integer(size.width)),
                            ("height", .integer(size.height)),
                        ])
                    })
            ),
            ("tiles", .array(tiles.map { $0.value(timings) })),
            ("chapters", .array(chapters.map(\.value))),
        ])
    }
}

extension SheetPlan.Tile {
    fileprivate func value(_ timings: FrameIndex) -> JSONValue {
        let timing = timings.timings.indices.contains(frame) ? timings.timings[frame] : nil
        return .object([
            ("index", .integer(index)), ("startUs", .integer(start.microseconds)),
            ("endUs", .integer(end.microseconds)), ("frame", .integer(frame)),
            ("ptsUs", .integer(timing?.presentation.microseconds)),
            ("key", .bool(timing?.isKeyframe ?? false)), ("page", .integer(page)),
            ("x", .integer(rect.x)), ("y", .integer(rect.y)), ("width", .integer(rect.width)),
            ("height", .integer(rect.height)),
        ])
    }
}

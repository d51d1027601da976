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

internal import LazyMedia

/// What is said of a clip in words, and its chapters, as containers store them.
struct ClipWords {
    var tags = MediaTags()
    var chapters: [MediaChapter] = []

    // MARK: - MP4

    /// The user data of an MP4 file; nothing where nothing is said.
    ///
    /// Tags are those of iTunes (`ilst`), chapters those of Nero (`chpl`), which FFmpeg, mpv and VLC read.
    var movieBox: [UInt8] {
        let parts = list + place + chapterList
        return parts.isEmpty ? [] : ISOBox.make("udta", parts)
    }

    private var list: [UInt8] {
        let entries: [(UInt32, String?)] = [
            (Self.own("nam"), tags.title), (Self.own("ART"), tags.artist),
            (Self.own("alb"), tags.album), (Self.own("day"), tags.date),
            (ISOBox.kind("cprt"), tags.copyright), (Self.own("cmt"), tags.comment),
        ]
        let items = entries.flatMap { name, text -> [UInt8] in
            guard let text else { return [] }
            // UTF-8, of no country.
            return ISOBox.make(
                name,
                ISOBox.makeFull("data", version: 0, flags: 1, [0, 0, 0, 0] + Array(text.utf8)))
        }
        guard !items.isEmpty else { return [] }
        let handler =
            [UInt8](repeating: 0, count: 4) + Array("mdirappl".utf8)
            + [UInt8](repeating: 0, count: 9)
        return ISOBox.makeFull(
            "meta", version: 0,
            ISOBox.makeFull("hdlr", version: 0, handler) + ISOBox.make("ilst", items))
    }

    /// Where and with what it was recorded, as QuickTime has it.
    private var place: [UInt8] {
        let entries = [(Self.own("xyz"), tags.location), (Self.own("mod"), tags.device)]
        return entries.flatMap { name, text -> [UInt8] in
            guard let text else { return [] }
            let bytes = Self.bytes(of: text, most: Int(UInt16.max))
            var head = BigEndian()
            head.put(bytes.count, 2)
            // The language "und", five bits per letter.
            head.put(0x55C4, 2)
            return ISOBox.make(name, head.bytes + bytes)
        }
    }

    /// At most 255, in steps of 100 ns.
    private var chapterList: [UInt8] {
        guard !chapters.isEmpty else { return [] }
        let listed = chapters.prefix(255)
        var body = BigEndian()
        body.put(0, 4)
        body.put(listed.count, 1)
        for chapter in listed {
            let title = Self.bytes(of: chapter.title ?? "", most: 255)
            body.put(chapter.start.nanoseconds / 100, 8)
            body.put(title.count, 1)
            body.bytes += title
        }
        return ISOBox.makeFull("chpl", version: 1, body.bytes)
    }

    /// At most so many bytes of whole characters.
    private static func bytes(of text: String, most: Int) -> [UInt8] {
        var count = 0
        let fitting = text.prefix { character in
            count += character.utf8.count
            return count <= most
        }
        return Array(fitting.utf8)
    }

    /// A type that begins with a copyright sign, as Apple's own do.
    private static func own(_ letters: StaticString) -> UInt32 {
        UnsafeRawBufferPointer(start: letters.utf8Start, count: 3).reduce(0xA9) {
            $0 << 8 | UInt32($1)
        }
    }

    // MARK: - Matroska

    /// Writes chapters and tags (RFC 9559); the title is in the segment's information.
    func put(into file: inout EBML) {
        if !chapters.isEmpty {
            file.put(0x1043_A770) { list in list.put(0x45B9, putChapters) }
        }
        let words = [
            ("ARTIST", tags.artist), ("ALBUM", tags.album), ("DATE", tags.date),
            ("COPYRIGHT", tags.copyright), ("COMMENT", tags.comment),
            ("LOCATION", tags.location), ("MODEL", tags.device),
        ].compactMap { name, text in text.map { (name, $0) } }
        guard !words.isEmpty else { return }
        file.put(0x1254_C367) { list in
            list.put(0x7373) { tag in
                tag.put(0x63C0) { $0.put(0x68CA, 50) }
                for (name, text) in words {
                    tag.put(0x67C8) { word in
                        word.put(0x45A3, name)
                        word.put(0x4487, text)
                    }
                }
            }
        }
    }

    private func putChapters(_ edition: inout EBML) {
        for (place, chapter) in chapters.enumerated() {
            edition.put(0xB6) { atom in
                atom.put(0x73C4, place + 1)
                atom.put(0x91, Int(chapter.start.nanoseconds))
                atom.put(0x92, Int(chapter.end.nanoseconds))
                guard let title = chapter.title else { return }
                atom.put(0x80) { shown in
                    shown.put(0x85, title)
                    shown.put(0x437C, "und")
                }
            }
        }
    }
}

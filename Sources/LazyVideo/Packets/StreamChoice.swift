internal import CFFmpeg
internal import LazyMedia

/// Chooses a container's video stream.
struct StreamChoice {
    private let streams: [UnsafeMutablePointer<AVStream>]
    private let facts: StreamFacts

    init(_ demuxer: Demuxer) {
        streams = demuxer.streams
        facts = demuxer.facts
    }

    /// The video streams in the order of the file; never cover art.
    var videos: [UnsafeMutablePointer<AVStream>] {
        streams.filter { StreamInfo.Kind($0) == .video }
    }

    /// The video stream that is read: the one that was asked for, or the best decodable one.
    var video: UnsafeMutablePointer<AVStream>? {
        if let number = facts.wanted {
            return videos.indices.contains(number - 1) ? videos[number - 1] : nil
        }
        let best = best
        return best.max { area($0) < area($1) }.flatMap { most in
            best.first { area($0) == area(most) }
        }
    }

    /// The video streams that only their size tells apart.
    ///
    /// As in Chromium and FFmpeg (`av_find_best_stream`), what the file says of its tracks comes before pixels: a
    /// disabled track of a movie is as if absent (ISO 14496-12, 8.3.2), and a film is no preview picture.
    var best: [UnsafeMutablePointer<AVStream>] {
        let candidates = videos.filter { !facts.absent.contains(Int($0.pointee.index)) }
        let decodable = candidates.filter {
            VideoCodec.canDecode($0.pointee.codecpar.pointee.codec_id)
        }
        var rest = decodable.isEmpty ? candidates : decodable
        for isBetter in [isMain, isDefault, isFilm] where rest.contains(where: isBetter) {
            rest = rest.filter(isBetter)
        }
        return rest
    }

    /// Whether a stream is there for its own sake.
    private func isMain(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        stream.pointee.disposition
            & (AV_DISPOSITION_TIMED_THUMBNAILS | AV_DISPOSITION_STILL_IMAGE
                | AV_DISPOSITION_DEPENDENT | AV_DISPOSITION_VISUAL_IMPAIRED
                | AV_DISPOSITION_HEARING_IMPAIRED) == 0
    }

    private func isDefault(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        stream.pointee.disposition & AV_DISPOSITION_DEFAULT != 0
    }

    /// Whether a stream has more than one frame, as far as that is known.
    private func isFilm(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        stream.pointee.nb_frames != 1 && !facts.single.contains(Int(stream.pointee.index))
    }

    private func area(_ stream: UnsafeMutablePointer<AVStream>) -> Int64 {
        Demuxer.area(stream)
    }

    /// The cover art, or nil: the front cover, else a song's first picture, and a film's largest.
    var poster: UnsafeMutablePointer<AVStream>? { posters.first }

    /// The attached pictures, the cover art first; the others are for where it cannot be decoded.
    var posters: [UnsafeMutablePointer<AVStream>] {
        let pictures = streams.filter {
            StreamInfo.Kind($0) == .attachedPicture && $0.pointee.attached_pic.size > 0
                && VideoCodec.canDecode($0.pointee.codecpar.pointee.codec_id)
        }
        let front = pictures.first { Self.tag("comment", of: $0) == "Cover (front)" }
        let cover = front ?? (video == nil ? pictures.first : Demuxer.largest(pictures))
        return cover.map { cover in [cover] + pictures.filter { $0 != cover } } ?? []
    }

    /// What a container says in words; Ogg says it with a stream of sound.
    static func tags(of demuxer: Demuxer) -> MediaTags {
        let sound = demuxer.streams.first { StreamInfo.Kind($0) == .audio }
        let places = [demuxer.format?.pointee.metadata, sound?.pointee.metadata]
        func text(_ name: String) -> String? {
            places.lazy.compactMap { tag(name, in: $0) }.first
        }
        func first(_ names: String...) -> String? { names.lazy.compactMap(text).first }
        var tags = MediaTags(title: text("title"), artist: text("artist"), album: text("album"))
        tags.date = first("date", "creation_time", "com.apple.quicktime.creationdate")
        tags.copyright = text("copyright")
        tags.comment = first("comment", "description")
        tags.location = first("location", "com.apple.quicktime.location.ISO6709")
        let device = [
            first("com.apple.quicktime.make", "make"), first("com.apple.quicktime.model", "model"),
        ].compactMap(\.self)
        tags.device = device.isEmpty ? nil : device.joined(separator: " ")
        return tags
    }

    /// The chapters of a container whose film begins at a time of its clock, and has a length.
    ///
    /// Where the end of one is not told, it ends with the next one or with the film.
    static func chapters(
        of demuxer: Demuxer, zero: Duration, length: Duration?
    ) -> [MediaChapter] {
        guard let format = demuxer.format, let chapters = format.pointee.chapters else { return [] }
        let count = min(Int(clamping: format.pointee.nb_chapters), MediaInfo.maxChapters)
        let told = (0..<count).compactMap { place -> MediaChapter? in
            guard let chapter = chapters[place]?.pointee, chapter.time_base.num > 0,
                chapter.time_base.den > 0
            else { return nil }
            let base = Rational(Int64(chapter.time_base.num), Int64(chapter.time_base.den))
            func time(_ ticks: Int64) -> Duration {
                max(.zero, MediaTime(ticks: ticks, base: base).duration - zero)
            }
            return MediaChapter(
                start: time(chapter.start), end: time(chapter.end),
                title: tag("title", in: chapter.metadata))
        }.sorted { $0.start < $1.start }
        return told.indices.map { place in
            let chapter = told[place]
            guard chapter.end == chapter.start else { return chapter }
            let next = place + 1 < told.count ? told[place + 1].start : length
            return MediaChapter(
                start: chapter.start, end: next ?? chapter.start, title: chapter.title)
        }
    }

    /// Descriptions of all streams.
    func report(chosen: Int) -> [StreamInfo] {
        streams.map { stream in
            let parameters = stream.pointee.codecpar.pointee
            let kind = StreamInfo.Kind(stream)
            var info = StreamInfo(
                index: Int(stream.pointee.index), kind: kind,
                codec: CodecName.of(parameters.codec_id, tag: parameters.codec_tag),
                codedSize: kind == .video || kind == .attachedPicture
                    ? PixelSize(checking: Int(parameters.width), Int(parameters.height)) : nil,
                isChosen: Int(stream.pointee.index) == chosen)
            info.language = Self.language(of: stream)
            info.title = Self.tag("title", of: stream)
            let disposition = stream.pointee.disposition
            info.isDefault = disposition & AV_DISPOSITION_DEFAULT != 0
            info.isForced = disposition & AV_DISPOSITION_FORCED != 0
            info.isText = kind == .subtitle && lz_is_text(parameters.codec_id) != 0
            return info
        }
    }

    /// The language of a stream; nil where it is not told.
    static func language(of stream: UnsafeMutablePointer<AVStream>) -> String? {
        tag("language", of: stream).flatMap { $0 == "und" ? nil : $0 }
    }

    /// A tag of a stream, of reasonable length; nil where it is missing or empty.
    private static func tag(
        _ name: String, of stream: UnsafeMutablePointer<AVStream>
    ) -> String? {
        tag(name, in: stream.pointee.metadata)
    }

    private static func tag(_ name: String, in words: OpaquePointer?) -> String? {
        guard let words, let value = lz_dict_value(words, name) else { return nil }
        let text = String(cString: value).prefix(500)
        return text.isEmpty ? nil : String(text)
    }

    /// A tag of the container or its sound, of any length; nil where it is missing.
    static func tag(_ name: String, of demuxer: Demuxer) -> String? {
        let places =
            [demuxer.format?.pointee.metadata] + demuxer.streams.map(\.pointee.metadata)
        return places.lazy.compactMap { $0 }.compactMap { lz_dict_value($0, name) }.first
            .map { String(cString: $0) }
    }

    /// Whether a stream is encrypted: by its sample entry, or Matroska's `ContentEncryption`.
    static func isEncrypted(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        let tag = stream.pointee.codecpar.pointee.codec_tag
        return tag == LZ_TAG_ENCV || tag == LZ_TAG_DRMI
            || lz_dict_value(stream.pointee.metadata, "enc_key_id") != nil
    }
}

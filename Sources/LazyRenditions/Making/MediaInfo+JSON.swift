internal import LazyBase
package import LazyMedia

extension MediaInfo {
    /// The facts in JSON: in `loop`, `raw` is the number in the file, and `plays` the total number of plays, null forever.
    package func members(
        input: String?, byteCount: Int?, frames: FrameIndex?
    ) -> [(String, JSONValue)] {
        let members: [(String, JSONValue)] = [
            ("type", .string(type.name)), ("codec", .string(codec)),
            ("width", .integer(hasPicture ? size.width : nil)),
            ("height", .integer(hasPicture ? size.height : nil)),
            ("frameCount", .integer(frameCount)),
            ("durationUs", .integer(duration?.microseconds)),
            ("startUs", .integer(start.microseconds)), ("loop", LoopCount?(loop).value),
            ("hasAlpha", .bool(hasAlpha)), ("rotation", .integer(rotation)),
            ("pixelAspect", .string(pixelAspect.description)), ("color", colorValue),
            ("bitDepth", .integer(bitDepth)),
            ("pixelFormat", .string(orNull: pixelFormat)),
            ("fieldOrder", .string(fieldOrder.rawValue)),
            ("bitRate", .integer(bitRate.map { Int(clamping: $0) })),
            ("title", .string(orNull: tags.title)), ("artist", .string(orNull: tags.artist)),
            ("album", .string(orNull: tags.album)), ("date", .string(orNull: tags.date)),
            ("copyright", .string(orNull: tags.copyright)),
            ("comment", .string(orNull: tags.comment)),
            ("location", .string(orNull: tags.location)),
            ("device", .string(orNull: tags.device)), ("byteCount", .integer(byteCount)),
            ("truncated", .bool(isTruncated)),
            ("warnings", (warnings + [motionWarning].compactMap(\.self)).value),
            ("streams", .array(streams.map(value))),
            ("chapters", .array(chapters.map(\.value))), ("motion", motion?.value ?? .null),
        ]
        // An estimate has a name of its own.
        let estimate = estimatedFrameCount.map { [("estimatedFrameCount", JSONValue.integer($0))] }
        let times = frames.map { frames in
            [("frames", JSONValue.rows(frames.count) { frames[$0].value })]
        }
        return (input.map { [("input", .name($0))] } ?? []) + members + (estimate ?? [])
            + (times ?? [])
    }

    /// Whether there is anything to show; a song may lack a cover.
    package var hasPicture: Bool {
        !isSong || streams.contains { $0.kind == .attachedPicture }
    }

    /// The number of a track of subtitles, as `--subtitles track:` takes it; nil for other streams.
    package func number(ofSubtitles stream: StreamInfo) -> Int? {
        streams.filter { $0.kind == .subtitle }.firstIndex(of: stream).map { $0 + 1 }
    }

    fileprivate func value(_ stream: StreamInfo) -> JSONValue {
        .object([
            ("index", .integer(stream.index)),
            ("kind", .string(stream.kind.rawValue)),
            ("codec", .string(stream.codec)),
            ("width", .integer(stream.codedSize?.width)),
            ("height", .integer(stream.codedSize?.height)),
            ("chosen", .bool(stream.isChosen)),
            ("language", .string(orNull: stream.language)),
            ("title", .string(orNull: stream.title)),
            ("default", .bool(stream.isDefault)),
            ("forced", .bool(stream.isForced)),
            (
                "subtitles",
                number(ofSubtitles: stream).map { number in
                    .object([("track", .integer(number)), ("text", .bool(stream.isText))])
                } ?? .null
            ),
        ])
    }

    /// What the samples mean, as JSON: names as FFmpeg prints them, luminances in cd/m².
    fileprivate var colorValue: JSONValue {
        var members: [(String, JSONValue)] = [
            ("primaries", .string(color.primaries.description)),
            ("transfer", .string(color.transfer.description)),
            ("matrix", .string(color.matrix.description)),
            ("range", color.isFullRange.map { .string($0 ? "full" : "limited") } ?? .null),
            ("hdr", hdrFormat.map { .string($0) } ?? .null),
        ]
        if let profile = color.profile {
            members.append(
                (
                    "profile",
                    .object([
                        ("name", profile.name.map { .string($0) } ?? .null),
                        ("space", .string(profile.colorSpace)),
                        ("version", .string(profile.version)),
                    ])
                ))
        }
        if let gamma = color.gamma { members.append(("gamma", .number(gamma))) }
        if let display = color.masteringDisplay {
            members.append(("masteringMaximum", .number(display.maximumLuminance)))
            members.append(("masteringMinimum", .number(display.minimumLuminance)))
        }
        if let light = color.contentLight {
            members.append(("maxCLL", .integer(light.maximum)))
            members.append(("maxFALL", .integer(light.maximumAverage)))
        }
        return .object(members)
    }
}

extension MediaChapter {
    /// The chapter in JSON.
    var value: JSONValue {
        .object([
            ("startUs", .integer(start.microseconds)), ("endUs", .integer(end.microseconds)),
            ("title", .string(orNull: title)),
        ])
    }
}

extension FrameTiming {
    fileprivate var value: JSONValue {
        .object([
            ("index", .integer(index)),
            ("ptsUs", .integer(presentation.microseconds)),
            ("durationUs", .integer(duration.microseconds)),
            ("rawDurationUs", .integer(rawDuration.microseconds)),
            ("key", .bool(isKeyframe)),
        ])
    }
}

extension MotionFilm {
    /// The film of a motion photo in JSON.
    fileprivate var value: JSONValue {
        .object([
            ("kind", .string(kind.rawValue)), ("type", .string(type.name)),
            ("offset", .integer(range.lowerBound)), ("byteCount", .integer(range.count)),
            ("durationUs", .integer(duration?.microseconds)),
            ("stillUs", .integer(stillTime?.microseconds)),
        ])
    }
}

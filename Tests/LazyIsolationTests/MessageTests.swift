import LazyBase
import LazyMedia
import Support
import Testing

@testable import LazyIsolation

@Suite struct MessageTests {
    private static let limits = DecodingLimits(
        pixelsPerFrame: 1, memory: nil, frames: 3, openTime: .seconds(2), decodeTime: nil)
    private static let timing = FrameTiming(
        index: 7, presentation: MediaTime(ticks: -5, base: Rational(1, 30)),
        duration: MediaTime(microseconds: 9), rawDuration: .zero, isKeyframe: true)

    private static var info: MediaInfo {
        var info = MediaInfo(
            type: .mp4, codec: "h264", size: PixelSize(width: 3, height: 2), frameCount: 4,
            duration: .milliseconds(1500), loop: .gif(3), hasAlpha: true, rotation: 90,
            isMirrored: true, pixelAspect: Rational(4, 3), isTruncated: true,
            warnings: [MediaWarning(.note, "Ä")],
            streams: [
                StreamInfo(
                    index: 0, kind: .video, codec: "x", codedSize: PixelSize(width: 1, height: 1),
                    isChosen: true)
            ])
        info.streams[0].language = "deu"
        info.streams[0].title = "Ü"
        (info.streams[0].isDefault, info.streams[0].isText) = (true, true)
        info.color = ColorDescription(
            primaries: .bt2020, transfer: .pq, matrix: .bt2020, isFullRange: false, gamma: 0.45,
            chromaticities: Chromaticities(
                red: [0.6, 0.3], green: [0.3, 0.6], blue: [0.1, 0.1], white: [0.3, 0.3]),
            masteringDisplay: MasteringDisplay(maximumLuminance: 1000),
            contentLight: ContentLight(maximum: 900))
        info.motion = MotionFilm(kind: .mpvd, range: 5..<9, type: .mp4, stillTime: .seconds(1))
        info.fieldOrder = .topFirst
        return info
    }

    private static let hostMessages: [HostMessage] = {
        var options = ReaderOptions(size: PixelSize(width: 8, height: 9), limits: limits)
        options.color = .source
        let source = SourceDescription(
            kind: .ranges, count: 99, isRemote: true, isPartial: true, arrived: 7,
            fetchesRanges: true, type: .gif, track: 2)
        return [
            .open(source, limits),
            .rewrite(source, limits, TimingChange(plays: .times(2), delays: .speed(1.5))),
            .begin(.frames(options, slots: 4, slotBytes: 4096)), .begin(.index(.cheap)),
            .begin(.poster(options)), .begin(.sound(.language("eng"))),
            .begin(.subtitles(.standard)),
            .begin(.subtitles(.number(2))), .begin(.subtitles(.language("pt-BR"))),
            .next(generation: 3, free: [0, 2], .ahead), .next(generation: 3, free: [], .timesFirst),
            .wantsPicture(true),
            .seekIndex(generation: 1, 5), .seekTime(generation: 2, .milliseconds(-7)),
            .lastFrame(generation: 9, PixelSize(width: 1, height: 1)), .takePicture,
            .bytes([1, 2, 3]), .noBytes(.cancelled), .nextPacket, .willRead([0, 5, 1 << 40]),
        ]
    }()

    private static let decoderMessages: [DecoderMessage] = [
        .opened(info),
        .failed(
            generation: 1,
            MediaError(
                .limitExceeded, "x", excess: .init(limit: "memory", allowed: 1, actual: 2),
                underlying: SystemError(code: 12)), [MediaWarning(.truncated, "y")]),
        .done(generation: 2, nil),
        .frame(
            FrameMessage(
                generation: 5, slot: 3, layout: .planes, isOpaque: true, timing: timing,
                matrix: .bt709, isFullRange: true, color: .sRGB, warnings: [])),
        .times(generation: 4, timing, [MediaWarning(.note, "z")]), .end(generation: 1, nil),
        .index(
            FrameIndex(
                [0, 1].map {
                    FrameTiming(index: $0, presentation: .zero, duration: .zero, isKeyframe: true)
                })),
        .index(nil),
        .picture(
            PictureOffer(
                size: PixelSize(width: 2, height: 2), isOpaque: false, layout: .deep,
                timing: timing, color: .sRGB)),
        .picture(nil), .needsBytes(offset: 4, count: 100), .willRead(3..<1 << 40),
        .sound(SoundFormat(codec: .aac, header: [1], sampleRate: 48000, channels: 2)),
        .packet(SoundPacket(bytes: [9], start: -3, length: 4)), .packet(nil), .written([7]),
        .counted(
            MediaCounts(
                frameCount: 7, duration: .milliseconds(3), start: .milliseconds(1), bitRate: nil,
                warnings: [])),
        .counted(
            MediaCounts(
                frameCount: nil, duration: nil, start: .zero, bitRate: 5,
                warnings: [MediaWarning(.clockJump, "It jumps.")])),
        .subtitles(
            SubtitleTrack(
                header: "[Ä]",
                lines: [
                    .init(start: -5, duration: 7, text: "0,0,Default,,0,0,0,,a"),
                    .init(start: 6, duration: 0, text: ""),
                ], fonts: [.init(name: "f", bytes: [1, 2])],
                warnings: [MediaWarning(.note, "w")])),
    ]

    private func bytes(_ field: some MessageField) -> [UInt8] {
        var writer = MessageWriter()
        writer.put(field)
        return writer.bytes
    }

    private func parse<Field: MessageField>(
        _ bytes: [UInt8], as type: Field.Type
    ) throws(GrammarError) -> Field {
        var reader = MessageReader(bytes)
        return try reader.field()
    }

    @Test
    func `Messages arrive as they were sent`() throws {
        for message in Self.hostMessages {
            let bytes = bytes(message)
            #expect(self.bytes(try parse(bytes, as: HostMessage.self)) == bytes)
        }
        for message in Self.decoderMessages {
            let bytes = bytes(message)
            #expect(self.bytes(try parse(bytes, as: DecoderMessage.self)) == bytes)
        }
        guard
            case .opened(let info) = try parse(
                bytes(Self.decoderMessages[0]), as: DecoderMessage.self)
        else { return #expect(Bool(false)) }
        #expect(String(describing: info) == String(describing: Self.info))
    }

    @Test
    func `An index takes some ten bytes a frame, and arrives as it was sent`() throws {
        let base = Rational(1, 100)
        var start = MediaTime.zero
        var timings = (0..<1000).map { number in
            defer { start = start + MediaTime(ticks: 4, base: base) }
            return FrameTiming(
                index: number, presentation: start, duration: MediaTime(ticks: 4, base: base),
                isKeyframe: number % 7 == 0)
        }
        // Other bases, an early start, another duration in the file, an equal time in another form.
        for (number, ticks, base) in [
            (3, -1, 3), (500, .min, 1), (501, 80_000, 1_000_000),
        ] as [(Int, Int64, Int64)] {
            timings[number] = FrameTiming(
                index: number, presentation: MediaTime(ticks: ticks, base: Rational(1, base)),
                duration: MediaTime(ticks: ticks, base: Rational(1, base)),
                rawDuration: MediaTime(ticks: 0, base: Rational(1, 7)), isKeyframe: false)
        }
        var index = FrameIndex(timings)
        index.clock = MediaTime(ticks: 126_000, base: Rational(1, 90_000))
        let sent = bytes(index)
        #expect(sent.count < 10 * timings.count)
        #expect(try parse(sent, as: FrameIndex.self).clock == index.clock)
        let arrived = try parse(sent, as: FrameIndex.self).timings
        #expect(arrived == timings)
        #expect(arrived.map { "\($0)" } == timings.map { "\($0)" })
        var changed = sent
        changed[4] = 0xFF
        #expect(throws: GrammarError.self) { try parse(changed, as: FrameIndex.self) }
    }

    @Test
    func `Subtitles may be longer than other texts, within their bounds`() throws {
        let long = SubtitleTrack(header: String(repeating: "[Ä]", count: 40_000), lines: [])
        #expect(try parse(bytes(long), as: SubtitleTrack.self) == long)
        let text = String(repeating: "a", count: SubtitleTrack.maxBytes / 2)
        let lines = [SubtitleTrack.Line](
            repeating: .init(start: 0, duration: 1, text: text), count: 2)
        let most = SubtitleTrack(header: "", lines: lines)
        #expect(try parse(bytes(most), as: SubtitleTrack.self) == most)
        let more = SubtitleTrack(header: "b", lines: lines)
        #expect(throws: GrammarError.self) { try parse(bytes(more), as: SubtitleTrack.self) }
        for line in [
            SubtitleTrack.Line(start: 1 << 60, duration: 1, text: ""),
            SubtitleTrack.Line(start: 0, duration: -1, text: ""),
        ] {
            #expect(throws: GrammarError.self) {
                try parse(bytes(line), as: SubtitleTrack.Line.self)
            }
        }
    }

    @Test
    func `A message that is cut or has bytes behind its end is none`() throws {
        for message in Self.hostMessages.map(bytes) {
            for count in 0..<message.count {
                #expect(throws: GrammarError.self) {
                    try parse(Array(message.prefix(count)), as: HostMessage.self)
                }
            }
            #expect(throws: GrammarError.self) { try parse(message + [0], as: HostMessage.self) }
        }
        for message in Self.decoderMessages.map(bytes) {
            for count in 0..<message.count {
                #expect(throws: GrammarError.self) {
                    try parse(Array(message.prefix(count)), as: DecoderMessage.self)
                }
            }
            #expect(throws: GrammarError.self) { try parse(message + [0], as: DecoderMessage.self) }
        }
    }

    @Test
    func `Messages with changed bytes are errors or other messages, and never traps`() {
        var random = SplitMix(13)
        for original in Self.decoderMessages.map(bytes) + Self.hostMessages.map(bytes) {
            for _ in 0..<2000 {
                var changed = original
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let place = Int.random(in: changed.indices, using: &random)
                    changed[place] =
                        [0, 1, 0x7F, 0x80, 0xFF, .random(in: 0...255, using: &random)]
                        .randomElement(using: &random) ?? 0
                }
                // What is understood means the same when it is sent again.
                if let message = try? parse(changed, as: DecoderMessage.self) {
                    #expect((try? parse(bytes(message), as: DecoderMessage.self)) != nil)
                }
                if let message = try? parse(changed, as: HostMessage.self) {
                    #expect((try? parse(bytes(message), as: HostMessage.self)) != nil)
                }
            }
        }
    }
}

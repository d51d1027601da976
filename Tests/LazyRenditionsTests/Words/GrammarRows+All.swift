import LazyEditing
import LazyMedia
import LazyRenditions

extension GrammarRows {
    static let all = times + shapes + choices + numbers

    private static let time = "a time is written as 12.5, 500ms, 1m2s or 00:01:02.5"

    private static let boundary = time + ", a frame as #120 or a chapter as chapter:3"

    private static let times: [GrammarRows] = [
        GrammarRows(
            "time", Words.time, time,
            [
                ("0", .zero, "0"), ("12", .seconds(12), "12"),
                ("12.5", .milliseconds(12500), "12.5"), ("12.5s", .milliseconds(12500), "12.5"),
                (".5", .milliseconds(500), "0.5"), ("5.", .seconds(5), "5"),
                ("500ms", .milliseconds(500), "0.5"), ("0.001", .milliseconds(1), "0.001"),
                ("0.123456789", .nanoseconds(123_456_789), "0.123456789"),
                ("1m2s", .seconds(62), "62"), ("1m2.5s", .milliseconds(62500), "62.5"),
                ("1h2m3.5s", .milliseconds(3_723_500), "3723.5"), ("2h", .seconds(7200), "7200"),
                ("3min", .seconds(180), "180"), ("1s250ms", .milliseconds(1250), "1.25"),
                ("2d", .seconds(172_800), "172800"), ("1w1d", .seconds(691_200), "691200"),
                ("0:02", .seconds(2), "2"), ("01:02.5", .milliseconds(62500), "62.5"),
                ("00:01:02.5", .milliseconds(62500), "62.5"), ("90:00", .seconds(5400), "5400"),
                ("1:59:59.999", .milliseconds(7_199_999), "7199.999"),
                ("999999999", .seconds(999_999_999), "999999999"),
                ("999999h", .seconds(3_599_996_400), "5952w226800s"),
                ("5953w", .seconds(3_600_374_400), "5953w"),
            ],
            wrong: [
                "", ".", "abc", "-1", "1.2.3", "1m2", "2s1m", "1s1s", "1x", "1:60", "1:2:3:4", "1:",
                ":1", "1:60:00", "1 s", "1e3", "٣", "9999999999", "1:-1", "00:00:60", "nan", "inf",
                "5%", "1d1w",
            ], outside: ["1000000:00"]),
        GrammarRows(
            "age", Words.age, "an age is written as 90s, 15m, 12h, 30d or 2w",
            [
                ("90s", .seconds(90), "90s"), ("15m", .seconds(900), "900s"),
                ("12h", .seconds(43200), "43200s"), ("30d", .seconds(2_592_000), "2592000s"),
                ("2w", .seconds(1_209_600), "1209600s"), ("0s", .zero, "0s"),
                ("1.5h", .seconds(5400), "5400s"),
            ], wrong: ["", "90", "1:30", "d", "-1d", "2y"]),
        GrammarRows(
            "range", Words.range, "a part is written as 1-2.5; \(time)",
            [
                ("1-2.5", .seconds(1)..<(.milliseconds(2500)), "1-2.5"),
                ("10-", .seconds(10)..<ClipEdit.toTheEnd, "10-"),
                ("-3", .zero..<(.seconds(3)), "0-3"), ("-", .zero..<ClipEdit.toTheEnd, "0-"),
                ("10:00-12:00", .seconds(600)..<(.seconds(720)), "600-720"),
            ], wrong: ["", "1", "1-2-3", "a-b"], outside: ["2-1", "1-1"],
            sentences: [
                "2-1": "a segment must end after its start",
                "1-1": "a segment must end after its start",
            ]),
        GrammarRows(
            "step", Words.step,
            "a step is written as 10 for every tenth frame, or with a unit as 10s",
            [
                ("1", .frames(1), "1"), ("10", .frames(10), "10"),
                ("10s", .time(.seconds(10)), "10s"), ("500ms", .time(.milliseconds(500)), "0.5s"),
                ("1m30s", .time(.seconds(90)), "90s"), ("00:00:10", .time(.seconds(10)), "10s"),
            ], wrong: ["", "1.5", "s"], outside: ["0", "-1", "0s", "0:00"]),
        GrammarRows(
            "boundary", Words.boundary, boundary,
            [
                ("12.5", .time(.milliseconds(12500)), "12.5"), ("1m2s", .time(.seconds(62)), "62"),
                ("#0", .frame(0), "#0"), ("#120", .frame(120), "#120"),
                ("chapter:3", .chapter(3), "chapter:3"),
            ], wrong: ["", "#", "#-1", "chapter", "chapter:", "chapter:x", "25%"],
            outside: ["chapter:0"]),
        GrammarRows(
            "section", Words.section, "a part is written as 1-2.5; \(boundary)",
            [
                ("1-2.5", .init(.seconds(1)..<(.milliseconds(2500))), "1-2.5"),
                ("#100-#200", .init(from: .frame(100), to: .frame(200)), "#100-#200"),
                ("#5-", .init(from: .frame(5)), "#5-"),
                ("-#5", .init(from: .time(.zero), to: .frame(5)), "0-#5"),
                ("chapter:3", .init(from: .chapter(3), to: .chapter(4)), "chapter:3"),
                (
                    "chapter:2-chapter:4", .init(from: .chapter(2), to: .chapter(4)),
                    "chapter:2-chapter:4"
                ),
            ], wrong: ["", "1", "#1", "1-2-3", "a-b"], outside: ["2-1", "1-1"],
            sentences: [
                "2-1": "a segment must end after its start",
                "1-1": "a segment must end after its start",
            ]),
        GrammarRows(
            "segments", Words.segments, "segments are written as 1-2.5,10-12; \(boundary)",
            [
                (
                    "1-2.5,10-",
                    [
                        ClipSection(.seconds(1)..<(.milliseconds(2500))),
                        ClipSection(.seconds(10)..<ClipEdit.toTheEnd),
                    ],
                    "1-2.5,10-"
                ),
                (
                    "chapter:1,#5-#9",
                    [
                        ClipSection(from: .chapter(1), to: .chapter(2)),
                        ClipSection(from: .frame(5), to: .frame(9)),
                    ], "chapter:1,#5-#9"
                ),
            ], wrong: ["", "1", "1-2,", ",1-2"], outside: ["1-2,3-1"],
            sentences: ["1-2,3-1": "a segment must end after its start"]),
        GrammarRows(
            "positions", Words.positions,
            "positions are written as 10,25%,#120; \(time)",
            [
                ("10", [.at(.seconds(10))], "10"),
                (
                    "10,25%,#120,last,chapter:2",
                    [.at(.seconds(10)), .percent(25), .index(120), .index(-1), .chapter(2)],
                    "10,25%,#120,last,chapter:2"
                ),
            ], wrong: ["", "10,", "x"], outside: ["auto", "10-20", "embedded"]),
        GrammarRows(
            "rate", Words.rate, "a rate is written as 12, 12.5 or 30000/1001, up to 1000",
            [
                ("12", Rational(12, 1), "12"), ("12.5", Rational(12500, 1000), "12.5"),
                ("0.5", Rational(500, 1000), "0.5"),
                ("29.9701", Rational(299_701, 10_000), "29.9701"),
                ("29.97002997", Rational(29970, 1000), "29.97"),
                ("30000/1001", Rational(30000, 1001), "30000/1001"),
                ("1000", Rational(1000, 1), "1000"),
            ], wrong: ["-1", "a", "", "1m", "5ms", "1:30"],
            outside: [
                "0", "1001", "1/0", "0/5", "1/1000001", "9223372036854775807/9223372036854775806",
            ]),
        GrammarRows(
            "delays", Words.delays, "times are above 0 and separated by commas; \(time)",
            [
                ("0.5", [MediaTime(.milliseconds(500))], "0.5"),
                (
                    "100ms,100ms,2",
                    [.milliseconds(100), .milliseconds(100), .seconds(2)].map { MediaTime($0) },
                    "0.1,0.1,2"
                ),
            ], wrong: ["", "1,", "a"], outside: ["0", "1,0", "86401"]),
    ]

    private static let shapes: [GrammarRows] = [
        GrammarRows(
            "size", Words.size,
            "a size is written as 640x360, 640x, x360 or 256 (a square), with !, ^ or > after it",
            [
                ("640x360", TargetSize(width: 640, height: 360), "640x360"),
                ("640x", TargetSize(width: 640), "640x"), ("x360", TargetSize(height: 360), "x360"),
                ("256", TargetSize(width: 256, height: 256), "256x256"),
                ("640x360!", TargetSize(width: 640, height: 360, fit: .fill), "640x360!"),
                ("128^", TargetSize(width: 128, height: 128, fit: .cover), "128x128^"),
                ("640x>", TargetSize(width: 640, fit: .scaleDown), "640x>"),
            ],
            wrong: ["", "x", "640x360<", "640x360x2", "ax3", "640X360", "!", "640 x 360"],
            outside: ["0x3", "-1x", "99999999999x1", "65536"]),
        GrammarRows(
            "side", Words.side, "a side has 1 to 65535 pixels",
            [("640", 640, "640"), ("65535", 65535, "65535")], wrong: ["", "a", "1.5", "640x"],
            outside: ["0", "65536", "-1"]),
        GrammarRows(
            "fit", Words.fit, "the ways to fit are contain, cover, fill, scale-down",
            FitMode.allCases.map { ($0.rawValue, $0, $0.rawValue) },
            wrong: ["", "Cover", "contian"]),
        GrammarRows(
            "placement", Words.placement, "a placement is written as rt:fill/w:300/h:200/g:no:0:5",
            [
                ("rs:fill:300:200/g:no:0:5", placement, "rt:fill/w:300/h:200/g:no:0:5"),
                ("", Placement(), ""),
            ], wrong: ["w 3", "w:3%"], outside: ["x:1", "q:80"]),
        GrammarRows(
            "edges", Words.edges, "edges are written as 10, 10:ff00ff or 10:ff00ff:1:1",
            [
                ("10", EdgeTrim(threshold: 10), "10::0:0"),
                (
                    "2.5:f0f:1",
                    EdgeTrim(
                        threshold: 2.5, color: PixelColor(red: 255, green: 0, blue: 255),
                        isEqualAcross: true), "2.5:ff00ff:1:0"
                ),
            ], wrong: ["ten", "-1", "1:2:3:4:5"]),
        GrammarRows(
            "crop", Words.crop, "a part is written as 320x240+10+20, 320x240 or 16:9",
            [
                (
                    "320x240+10+20", .rect(PixelRect(x: 10, y: 20, width: 320, height: 240)),
                    "320x240+10+20"
                ),
                (
                    "320:240:10:20", .rect(PixelRect(x: 10, y: 20, width: 320, height: 240)),
                    "320x240+10+20"
                ),
                ("320x240", .size(PixelSize(width: 320, height: 240)), "320x240"),
                ("16:9", .ratio(16, 9), "16:9"),
            ],
            wrong: ["", "320", "320x240+10", "1:2:3", "-1x2", "wide", "320x240+10+20+30", "16:"],
            outside: ["0x1", "0:1", "16777217x1"]),
        GrammarRows(
            "border", Words.border, "a border is written as 20, 640x480 or 16:9",
            [
                ("20", .border(20), "20"),
                ("640x480", .size(PixelSize(width: 640, height: 480)), "640x480"),
                ("16:9", .ratio(16, 9), "16:9"),
            ], wrong: ["", "-1", "20px", "1:2:3", "640x"], outside: ["0x1", "1:0", "16777217"]),
        GrammarRows(
            "color", Words.color, "a color is written as white, #fff, #ff8000 or #ff800080",
            [
                ("white", .white, "#ffffff"), ("RebeccaPurple", PixelColor(0x663399), "#663399"),
                ("#f80", PixelColor(0xFF8800), "#ff8800"),
                ("ff8000", PixelColor(0xFF8000), "#ff8000"),
                ("#ff800080", PixelColor(red: 255, green: 128, blue: 0, alpha: 128), "#ff800080"),
                ("transparent", PixelColor(red: 0, green: 0, blue: 0, alpha: 0), "#00000000"),
            ], wrong: ["", "#12", "#12345", "rgb(1,2,3)", "#ggg"], outside: ["notacolor"]),
        GrammarRows(
            "gravity", Words.gravity,
            """
            write center, smart, entropy, attention, north, south, east, west, north-east, \
            north-west, south-east, south-west or a point such as 0.3,0.5
            """,
            [
                ("center", .center, "center"), ("centre", .center, "center"),
                ("smart", .attention, "smart"), ("attention", .attention, "smart"),
                ("north-east", .northEast, "north-east"), ("northeast", .northEast, "north-east"),
                ("top", .north, "north"), ("bottom-right", .southEast, "south-east"),
                ("entropy", .entropy, "entropy"), ("0.3,0.5", .point(0.3, 0.5), "0.3,0.5"),
                ("1,0", .point(1, 0), "1,0"),
            ], wrong: ["", "0.3", "0.3,0.5,1", "North"], outside: ["middle", "2,1"]),
        GrammarRows(
            "place", Words.place, "it must be center, north, south-east or another such place",
            [("south-west", .southWest, "south-west"), ("centre", .center, "center")],
            wrong: ["", "0.3,0.5"], outside: ["smart", "entropy", "attention", "middle"],
            sentences: ["", "middle"].reduce(into: [:]) { $0[$1] = Words.gravity.expected }),
        GrammarRows(
            "rotation", Words.rotation,
            "it must be a number of degrees from -360 to 360, left or right",
            [
                ("90", 90, "90"), ("-12.5", -12.5, "-12.5"), ("left", 270, "270"),
                ("right", 90, "90"), ("1e1", 10, "10"),
            ], wrong: ["", "up", "nan", "0x10", "90°"], outside: ["361", "-400"]),
        GrammarRows(
            "flip", Words.flip, "the values are horizontal, vertical, both",
            Words.Flip.allCases.map { ($0.rawValue, $0, $0.rawValue) }, wrong: ["", "left"]),
        GrammarRows(
            "speed", Words.speed, "a factor is a number from 0.01 to 100",
            [("2", 2, "2"), ("0.5", 0.5, "0.5"), ("1.5x", 1.5, "1.5")],
            wrong: ["", "x", "fast", "2xx"],
            outside: ["0", "0.001", "101", "-1"]),
    ]

    private static let choices: [GrammarRows] = [
        GrammarRows(
            "poster", Words.poster,
            """
            write auto, first, last, embedded, a time such as 12.5 or 00:01:02.5, a percentage \
            such as 25%, a frame such as #120 or -1, a chapter such as chapter:3, or a part such as \
            10:00-12:00
            """,
            [
                ("chapter:3", .chapter(3), "chapter:3"),
                ("auto", .auto, "auto"), ("first", .first, "first"), ("last", .index(-1), "last"),
                ("embedded", .embedded, "embedded"), ("12.5", .at(.milliseconds(12500)), "12.5"),
                ("00:01:02.5", .at(.milliseconds(62500)), "62.5"),
                ("1m2s", .at(.seconds(62)), "62"),
                ("25%", .percent(25), "25%"), ("0%", .percent(0), "0%"),
                ("100%", .percent(100), "100%"),
                ("12.5%", .percent(12.5), "12.5%"), ("#120", .index(120), "#120"),
                ("#-2", .index(-2), "-2"), ("-1", .index(-1), "last"),
                ("10:00-12:00", .within(.seconds(600)..<(.seconds(720))), "600-720"),
                ("10-", .within(.seconds(10)..<ClipEdit.toTheEnd), "10-"),
            ],
            wrong: ["", "nan%", "#", "#a", "middle", "--", "-1.5", "1-2-3"],
            outside: ["101%", "-5%", "#99999999999", "2-1"]),
        GrammarRows(
            "track", Words.track,
            "the tracks are main, motion, and 1, 2 and so on for video tracks",
            [("main", .main, "main"), ("motion", .motion, "motion"), ("2", .number(2), "2")],
            wrong: ["", "-1", "audio", "1.5"], outside: ["0", "99999999999999999999"]),
        GrammarRows(
            "subtitles", Words.subtitles,
            "a track of subtitles is written as track, track:2 or track:deu",
            [
                ("track", .track(.standard), "track"), ("track:2", .track(.number(2)), "track:2"),
                ("track:deu", .track(.language("deu")), "track:deu"),
                ("track:pt-BR", .track(.language("pt-BR")), "track:pt-BR"),
                ("film.srt", .file("film.srt"), "film.srt"),
                ("./track", .file("./track"), "./track"),
            ], wrong: ["", "track:", "track:german", "track:1.5"],
            outside: ["track:0", "track:10000"]),
        GrammarRows(
            "loops", Words.loops,
            "write a number of plays, 'once', 'forever' (0 elsewhere) or 'source'",
            [
                ("3", .times(3), "3"), ("once", .once, "once"), ("no", .once, "once"),
                ("1", .once, "once"), ("forever", .forever, "forever"),
                ("inf", .forever, "forever"),
                ("source", .asAuthored, "source"),
            ], wrong: ["", "twice", "1.5"], outside: ["0", "-1"]),
        GrammarRows(
            "plays", Words.plays, "write a number of plays, 'once' or 'forever' (0 elsewhere)",
            [("3", .times(3), "3"), ("once", .once, "once"), ("inf", .forever, "forever")],
            wrong: ["", "twice"], outside: ["source", "0"]),
        GrammarRows(
            "limits", Words.limits,
            """
            a limit is written as NAME=VALUE, and the names are pixels, memory, frames, \
            total-pixels, input, tracks, fonts, open-time, time
            """,
            [
                (
                    "pixels=100M,time=5m,frames=none,fonts=0",
                    [
                        .number(.pixelsPerFrame, 100_000_000), .time(.decodeTime, .seconds(300)),
                        .number(.frames, nil), .number(.fontBytes, 0),
                    ], "pixels=100M,time=300,frames=none,fonts=0"
                ),
                (
                    "time=none,memory=2GiB", [.time(.decodeTime, nil), .number(.memory, 2 << 30)],
                    "time=none,memory=2147483648"
                ),
            ], wrong: ["", "pixels", "pixels=1=2", "pixels=1,"],
            outside: ["size=1", "pixels=0", "time=2K"],
            sentences: [
                "pixels=0": "a number is written as 1500, 100K, 50M or 2G, or 'none'",
                "time=2K": "\(time), or 'none'",
            ]),
        GrammarRows(
            "profile", Words.profile, "the profiles are local, web, untrusted",
            [
                ("local", .local, "local"), ("web", .web, "web"),
                ("untrusted", .untrusted, "untrusted"), ("trusted", .local, "local"),
            ], wrong: ["", "own"]),
        GrammarRows(
            "type", Words.type(among: [.webp, .webpAnimation, .jpeg, .apng, .png]),
            "the types are webp, \(MediaType.webpAnimation.name), jpg, apng, png",
            [
                ("webp", .webp, "webp"), ("JPG", .jpeg, "jpg"), ("jpeg", .jpeg, "jpg"),
                ("png", .png, "png"), ("apng", .apng, "apng"),
                (MediaType.webpAnimation.name, .webpAnimation, MediaType.webpAnimation.name),
            ], wrong: ["", ".png"], outside: ["gif", "tiff"]),
        words("tone", Words.tone, "the ways to map HDR are browser, bt2390, clip"),
        words("dither", Words.choice(Dither.self), "the values are auto, none, ordered, diffusion"),
        words("palettes", Words.choice(PaletteScope.self)),
        words("codec", Words.choice(VideoCodecChoice.self), "the values are h264, vp9, av1"),
        words("seam", Words.choice(LoopSeam.self), "the values are auto, none, crossfade, bounce"),
        words("undithering", Words.choice(Rendition.Conversion.Undithering.self)),
        GrammarRows(
            "sound", Words.sound,
            "write copy, the number of a sound such as 2, its language such as eng, or none",
            [
                ("copy", .copy(.standard), "copy"), ("2", .copy(.number(2)), "2"),
                ("eng", .copy(.language("eng")), "eng"),
                ("pt-BR", .copy(.language("pt-BR")), "pt-BR"),
                ("none", Rendition.Conversion.Sound.none, "none"),
            ], wrong: ["", "-1", "track:2"], outside: ["0", "99999"]),
        words("kept", Words.choice(Rendition.Conversion.Kept.self)),
        words("platform", Words.choice(Rendition.Platform.self)),
    ]

    /// The rows of an enumeration.
    private static func words<Word: CaseIterable & RawRepresentable<String> & Equatable>(
        _ name: String, _ grammar: Grammar<Word>, _ expected: String? = nil
    ) -> GrammarRows {
        let all = Word.allCases.map(\.rawValue)
        return GrammarRows(
            name, grammar, expected ?? "the values are \(all.joined(separator: ", "))",
            Word.allCases.map { ($0.rawValue, $0, $0.rawValue) }, wrong: ["", "frobnicate", "0"])
    }

    private static let numbers: [GrammarRows] = [
        GrammarRows(
            "byteCount", Words.byteCount, "a size is written as 1500, 200K, 1.5M or 64KiB",
            [
                ("1500", 1500, "1.5K"), ("1500B", 1500, "1.5K"), ("100K", 100_000, "100K"),
                ("100kB", 100_000, "100K"), ("1.5M", 1_500_000, "1.5M"),
                ("8.2M", 8_200_000, "8.2M"),
                ("2 GB", 2_000_000_000, "2G"), ("4GiB", 4 << 30, "4294967296"),
                ("1t", 1_000_000_000_000, "1000G"), ("0.5KiB", 512, "512"),
                ("1.2345678901234K", 1234, "1234"),
            ],
            wrong: [
                "", "M", "-1", "1.", ".5", "1.2.3", "1X", "1 M B", "1e3", "1,5M",
            ], outside: ["0", "99999999999999999999", "9999999T"]),
        number("quality", Words.quality, 0...100), number("opacity", Words.opacity, 0...1),
        percent("textSize", Words.textSize), percent("watermarkSize", Words.watermarkSize),
        whole("effort", Words.effort, 0...10), whole("colors", Words.colors, 2...256),
        whole("pieces", Words.pieces, 1...10), whole("threads", Words.threads, 0...256),
        whole(
            "count", Words.count, 1...2_147_483_647, "it must be a whole number of at least 1"),
        whole(
            "distance", Words.distance, 0...2_147_483_647, "it must be a whole number of at least 0"
        ),
    ]

    private static func percent(_ name: String, _ grammar: Grammar<Double>) -> GrammarRows {
        GrammarRows(
            name, grammar, "it must be a number from 1 to 100",
            [
                ("1", 1, "1"), ("20%", 20, "20"), ("100.0", 100, "100"), ("12.5%", 12.5, "12.5"),
            ], wrong: ["", "nan", "%", "1,5", "5 %", "5%%"], outside: ["100.1%", "0", "-1%"])
    }

    private static func number(
        _ name: String, _ grammar: Grammar<Double>, _ range: ClosedRange<Double>
    ) -> GrammarRows {
        let (least, most) = (Int(range.lowerBound), Int(range.upperBound))
        return GrammarRows(
            name, grammar, "it must be a number from \(least) to \(most)",
            [
                ("\(least)", range.lowerBound, "\(least)"),
                ("\(most).0", range.upperBound, "\(most)"),
                ("\(most)e0", range.upperBound, "\(most)"),
                ("\(most - 1).25", range.upperBound - 0.75, "\(most - 1).25"),
            ], wrong: ["", "nan", "0x1", "1,5", "many", "1 "], outside: ["\(most).01", "-0.5"])
    }

    private static var placement: Placement {
        var placement = Placement()
        placement.resizing = .fill
        (placement.width, placement.height) = (300, 200)
        placement.anchor = .init(.north, y: 5)
        return placement
    }

    private static func whole(
        _ name: String, _ grammar: Grammar<Int>, _ range: ClosedRange<Int>,
        _ expected: String? = nil
    ) -> GrammarRows {
        let (least, most) = (range.lowerBound, range.upperBound)
        return GrammarRows(
            name, grammar, expected ?? "it must be a whole number from \(least) to \(most)",
            [("\(least)", least, "\(least)"), ("\(most)", most, "\(most)")],
            wrong: ["", "1.5", "0x1", "many"], outside: ["\(least - 1)", "\(most + 1)"])
    }
}

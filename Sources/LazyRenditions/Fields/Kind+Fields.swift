internal import LazyMedia

extension Rendition.Facts {
    static let fields: [Field<Rendition.Facts>] = [
        Field("frames", \.listsFrames, "Whether the time of each frame is listed."),
        Field("quick", \.isQuick, "Whether the header of a film is enough."),
    ]
}

extension Rendition.Animation {
    static let fields: [Field<Rendition.Animation>] = [
        Field("length", \.length, Words.time, "The length of the selected segments."),
        Field("pieces", \.pieces, Words.pieces, "The most segments that are selected."),
        Field(
            "loopSeam", \.seam, unless: .auto, Words.choice(LoopSeam.self),
            "How the loop is closed."),
        Field("loop", \.looping, unless: .forever, Words.loops, "How often it plays."),
    ]
}

extension Rendition.Conversion {
    static let fields: [Field<Rendition.Conversion>] = [
        Field("loop", \.looping, Words.loops, "How often it plays."),
        Field(
            "undither", \.undithering, unless: .auto, Words.choice(Undithering.self),
            "Whether dithering is removed first."),
        Field("audio", \.sound, Words.sound, "What becomes of the sound."),
        Field(
            "keep", \.kept, unless: .safe, Words.choice(Kept.self),
            "What is kept of words and chapters."),
        Field("still", \.isStill, "Whether only the first frame is written."),
    ]
}

extension TimingChange {
    static let fields: [Field<TimingChange>] = [
        Field("loop", \.plays, unless: .asAuthored, Words.loops, "How often it plays."),
        Field("delay", \.delay, Words.time, "The duration of every frame."),
        Field("speed", \.speed, Words.speed, "The factor by which delays are divided."),
    ]

    fileprivate var delay: Duration? {
        get { if case .each(let delay)? = delays { delay } else { nil } }
        set { delays = newValue.map { .each($0) } }
    }

    fileprivate var speed: Double? {
        get { if case .speed(let factor)? = delays { factor } else { nil } }
        set { delays = newValue.map { .speed($0) } }
    }
}

extension Rendition.Sheet {
    static let fields: [Field<Rendition.Sheet>] = [
        Field("interval", \.interval, Words.time, "The time between tiles."),
        Field("count", \.count, Words.count, "The number of tiles."),
        Field("columns", \.columns, unless: 10, Words.count, "Tiles per row."),
        Field("rows", \.rows, Words.count, "Rows per page."),
        Field("gap", \.gap, unless: 0, Words.distance, "Pixels between tiles."),
        Field("background", \.background, Words.color, "The color between and behind tiles."),
        Field(
            "precision", \.precision, unless: .near, Words.choice(Precision.self),
            "Which frames tiles show."),
        Field("stamp", \.stampsTime, "Whether each tile has the time of its frame."),
        Field("fillPages", \.fillsPages, "Whether every page has all columns and rows."),
        Field("heading", \.hasHeading, "Whether the file is named above the tiles."),
        Field(
            "indexes", \.indexes, unless: [],
            Words.choice(of: [Rendition.Index.vtt, .json, .chapters]).list(
                "indexes are written as vtt,json", samples: ["vtt", "vtt,json,chapters"]),
            "The files that describe the pages."),
    ]
}

extension Rendition.Frames {
    static let fields: [Field<Rendition.Frames>] = [
        Field(
            "every", \.every, unless: .frames(1), Words.step,
            "Every Nth frame is taken, or one for each step of time."),
        Field("at", \.positions, unless: [], Words.positions, "The frames that are taken."),
        Field("scenes", \.scenesOnly, "Whether the first frame of each scene is taken."),
        Field("keyframes", \.keyframesOnly, "Whether only keyframes are taken."),
        Field("count", \.maximum, Words.count, "The most frames."),
        Field("fps", \.rate, Words.rate, "The rate that times are divided by."),
        Field("listing", \.isListing, "Whether there are no pictures."),
        Field("hashes", \.hashesPixels, "Whether the list has hashes of pixels."),
        Field(
            "indexes", \.indexes, unless: [],
            Words.choice(of: [Rendition.Index.json, .framehash]).list(
                "indexes are written as json,framehash", samples: ["json", "json,framehash"]),
            "The files that list the frames."),
    ]
}

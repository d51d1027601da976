public import LazyMedia

extension MediaWarning.Code {
    /// The source has sound, the written video has none.
    public static let soundDropped = MediaWarning.Code(rawValue: "soundDropped")
    /// Other sounds, subtitles, chapters, attachments or words of the source are not written.
    public static let partsDropped = MediaWarning.Code(rawValue: "partsDropped")
    /// There is no sound to copy.
    public static let soundMissing = MediaWarning.Code(rawValue: "soundMissing")
    /// The format has no loop count, and the source had one.
    public static let loopLost = MediaWarning.Code(rawValue: "loopLost")
    /// Transparency was flattened, or soft edges became hard.
    public static let alphaLost = MediaWarning.Code(rawValue: "alphaLost")
    /// Delays are rounded to the format's steps; errors are diffused, so that the sum is kept.
    public static let delaysRounded = MediaWarning.Code(rawValue: "delaysRounded")
    /// Frames of different lengths are written in a format that has one rate.
    public static let timesLost = MediaWarning.Code(rawValue: "timesLost")
    /// Frames are shorter than players support in this format, or are left out for that.
    public static let delaysTooShort = MediaWarning.Code(rawValue: "delaysTooShort")
    /// Browsers do not show the colors that are in the file.
    public static let colorsMisread = MediaWarning.Code(rawValue: "colorsMisread")
    /// A picture is written with fewer bits a sample than it has.
    public static let depthReduced = MediaWarning.Code(rawValue: "depthReduced")
    /// An animation was requested of one frame.
    public static let isStill = MediaWarning.Code(rawValue: "still")
    /// Something was asked for that changes nothing in what was made.
    public static let withoutEffect = MediaWarning.Code(rawValue: "withoutEffect")
    /// Quality, size or frames were reduced for a budget of bytes, or a cross-fade for the length of the clip.
    public static let reduced = MediaWarning.Code(rawValue: "reduced")
}

extension MediaWarning {
    /// What is said of a picture that lost its transparency; white lies behind it unless asked otherwise.
    static func flattened(_ type: MediaType, over background: PixelColor?) -> MediaWarning {
        let color = (background ?? .white).description.prefix(6)
        return MediaWarning(
            .alphaLost, "\(type.title) has no transparency: it is flattened over #\(color).")
    }
}

extension EncoderRegistry {
    /// Whether pictures of a type have no transparency.
    func isOpaque(_ type: MediaType) -> Bool {
        traits(for: type).map { $0.alpha == .none } ?? [.pnm, .y4m].contains(type)
    }
}

extension MediaError.Code {
    /// The source is an animation, and the requested format holds one picture.
    public static let isAnimation = MediaError.Code(rawValue: "animation")
}

extension Rendition {
    /// What a picture loses that is written with fewer bits a sample; of AVIF with loss 12 are enough, and palettes
    /// have colors, not bits.
    func depthLoss(of info: MediaInfo, as type: MediaType) -> MediaWarning? {
        guard info.type.family == .still, let depth = info.bitDepth, type != .gif else {
            return nil
        }
        let isDeep = [.png, .apng, .avif].contains(type)
        let (written, reason): (Int, String)
        if !isDeep {
            (written, reason) = (8, ", as \(type.title) has no more")
        } else if reading.color != .source {
            (written, reason) = (8, ", unless the colors of the source are kept")
        } else {
            let isExact = type == .avif && output.encoding.lossless == true
            (written, reason) = isExact ? (12, ", as AVIF has no more") : (depth, "")
        }
        guard depth > written else { return nil }
        return MediaWarning(
            .depthReduced,
            "The picture has \(depth) bits a sample and is written with \(written)\(reason).")
    }
}

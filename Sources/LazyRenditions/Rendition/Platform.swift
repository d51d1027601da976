internal import LazyEditing
public import LazyMedia

extension Rendition {
    /// A place that takes small animations within bounds of its own.
    ///
    /// One table has them all (`bounds`), each with where it is written and when that was read; sizes in kB count
    /// 1000 bytes, since some of them count 1024 and none complains of less.
    public enum Platform: String, CaseIterable, Hashable, Sendable {
        /// A custom emoji of Discord.
        case discordEmoji = "discord-emoji"
        /// A sticker of Discord.
        case discordSticker = "discord-sticker"
        /// A custom emoji of Slack.
        case slackEmoji = "slack-emoji"
        /// A video sticker of Telegram.
        case telegramSticker = "telegram-sticker"
        /// A custom emoji of Telegram.
        case telegramEmoji = "telegram-emoji"
        /// A sticker of WhatsApp.
        case whatsappSticker = "whatsapp-sticker"

        /// What it takes.
        public var bounds: Bounds {
            switch self {
            case .discordEmoji:
                Bounds(
                    [.gif, .webpAnimation], 128, .atMost, bytes: 256_000,
                    source: "support.discord.com, Custom Emojis")
            case .discordSticker:
                Bounds(
                    [.gif, .apng], 320, .exactly, bytes: 512_000, length: .seconds(5),
                    source: "support.discord.com, Stickers")
            case .slackEmoji:
                Bounds(
                    [.gif], 128, .atMost, bytes: 128_000, frames: 50,
                    source: "slack.com/help, Add custom emoji")
            case .telegramSticker:
                Bounds(
                    [.webm], 512, .longerSide, bytes: 256_000, length: .seconds(3), rate: 30,
                    codec: .vp9, source: "core.telegram.org/stickers")
            case .telegramEmoji:
                Bounds(
                    [.webm], 100, .exactly, bytes: 256_000, length: .seconds(3), rate: 30,
                    codec: .vp9, source: "core.telegram.org/stickers")
            case .whatsappSticker:
                Bounds(
                    [.webpAnimation], 512, .exactly, bytes: 500_000, ofStill: 100_000,
                    length: .seconds(10), rate: 125, source: "github.com/WhatsApp/stickers")
            }
        }

        /// The bounds of a platform.
        public struct Bounds: Sendable {
            /// What the side is.
            public enum Shape: String, Sendable {
                /// The longer side has at most so many pixels.
                case atMost
                /// The longer side has so many.
                case longerSide
                /// Both sides have so many; what is not square gets a transparent border.
                case exactly
            }

            /// The types, the usual one first.
            public let types: [MediaType]
            /// Pixels of a side.
            public let side: Int
            /// What the side is.
            public let shape: Shape
            /// The most bytes.
            public let byteCount: Int
            /// The most bytes of a file that does not move, where those are fewer.
            public let stillByteCount: Int?
            /// The longest duration, or nil.
            public let length: Duration?
            /// The most frames a second, or nil.
            public let rate: Int?
            /// The most frames, or nil.
            public let frameCount: Int?
            /// The codec of video, or nil where any will do.
            public let codec: VideoCodecChoice?
            /// Where this is written.
            public let source: String
            /// When it was read, as a date.
            public let date: String

            fileprivate init(
                _ types: [MediaType], _ side: Int, _ shape: Shape, bytes: Int,
                ofStill stillBytes: Int? = nil, length: Duration? = nil, rate: Int? = nil,
                frames: Int? = nil, codec: VideoCodecChoice? = nil, source: String,
                date: String = "2026-11-29"
            ) {
                (self.types, self.side, self.shape, byteCount) = (types, side, shape, bytes)
                (stillByteCount, self.codec) = (stillBytes, codec)
                (self.length, self.rate, frameCount) = (length, rate, frames)
                (self.source, self.date) = (source, date)
            }
        }
    }
}

extension Rendition {
    /// The same with what its platform takes, where nothing else was asked for.
    ///
    /// Throws `.notWritable` for a type that it does not take, and for other kinds than animations.
    func fitted() throws(MediaError) -> Rendition {
        guard let platform = output.platform else { return self }
        guard case .animation = kind else {
            throw MediaError(.notWritable, "The bounds of a platform are for animations.")
        }
        let bounds = platform.bounds
        var fitted = self
        if let type = output.type, !bounds.types.contains(type) {
            let titles = bounds.types.map(\.title).joined(separator: " or ")
            throw MediaError(
                .notWritable, "\(platform.rawValue) is written as \(titles), not \(type.title).")
        }
        fitted.output.type = output.type ?? bounds.types.first
        try checkAsked(of: platform)
        if case .bytes? = output.limit {} else { fitted.output.limit = .bytes(bounds.byteCount) }
        if let most = bounds.frameCount {
            fitted.edit.maxFrames = edit.maxFrames ?? most
            fitted.edit.frameRate = edit.frameRate ?? rate(of: fitted.edit.maxFrames ?? most)
        }
        if edit.size == nil, edit.padding == nil {
            let fit: FitMode = bounds.shape == .atMost ? .scaleDown : .contain
            fitted.edit.size = TargetSize(width: bounds.side, height: bounds.side, fit: fit)
        }
        if bounds.shape == .exactly, edit.padding == nil {
            let side = PixelSize(width: bounds.side, height: bounds.side)
            fitted.edit.padding = Padding(
                .size(side), color: PixelColor(red: 0, green: 0, blue: 0, alpha: 0))
        }
        return fitted
    }
}

extension Rendition {
    /// Throws `.notWritable` where more was asked for than a platform takes.
    private func checkAsked(of platform: Platform) throws(MediaError) {
        let bounds = platform.bounds
        func refuse(_ thing: String, _ most: String) -> MediaError {
            MediaError(.notWritable, "\(platform.rawValue) takes \(thing) of at most \(most).")
        }
        if case .bytes(let count)? = output.limit, count > bounds.byteCount {
            throw refuse("files", "\(bounds.byteCount) bytes")
        }
        if let codec = bounds.codec, let asked = output.encoding.codec, asked != codec {
            throw MediaError(
                .notWritable,
                "\(platform.rawValue) takes video of \(codec.rawValue), not of \(asked.rawValue).")
        }
        if let most = bounds.frameCount, let asked = edit.maxFrames, asked > most {
            throw refuse("animations", "\(most) frames")
        }
        if let most = bounds.rate, let asked = edit.frameRate, asked.doubleValue > Double(most) {
            throw refuse("animations", "\(most) frames per second")
        }
        if let most = bounds.length, case .animation(let animation) = kind,
            let asked = animation.length, asked > most
        {
            throw refuse("animations", most.inSeconds)
        }
    }

    /// The rate at which a length that was asked for has so many frames, where that is below the usual one.
    private func rate(of frames: Int) -> Rational? {
        guard case .animation(let animation) = kind, let length = animation.length,
            frames > 0, length > .seconds(frames) / 10
        else { return nil }
        let milliseconds = Int64(min(1e12, length / .milliseconds(1)))
        return Rational(Int64(frames) * 1000, milliseconds).reduced
    }
}

extension Rendition.Platform.Bounds {
    /// A limit of bytes, or the lower one of files that do not move.
    func limit(ofStill asked: Rendition.ByteLimit?) -> Rendition.ByteLimit? {
        guard let stillByteCount, case .bytes(let count)? = asked else { return asked }
        return .bytes(min(count, stillByteCount))
    }

    /// Throws `.notWritable` for pictures and frames that the platform does not take, since something else was asked
    /// for.
    func check(_ size: PixelSize, length: Duration) throws(MediaError) {
        let longer = max(size.width, size.height)
        let isRight =
            switch shape {
            case .atMost: longer <= side
            case .longerSide: longer == side
            case .exactly: size == PixelSize(width: side, height: side)
            }
        guard isRight else {
            throw MediaError(
                .notWritable, "The result would be \(size), and has to be \(sides).")
        }
        if let most = self.length, length > most {
            throw MediaError(
                .notWritable,
                "The parts that were asked for last \(length.inSeconds), and \(most.inSeconds) are the most."
            )
        }
    }

    /// The size in words, such as `320x320`.
    package var sides: String {
        switch shape {
        case .atMost: "at most \(side)x\(side)"
        case .longerSide: "\(side) pixels on the longer side"
        case .exactly: "\(side)x\(side)"
        }
    }
}

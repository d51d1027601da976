internal import LazyEditing
internal import LazyMedia
internal import LazyRenditions

/// What is made of a source for a path, and how it is sent.
struct RenditionPlan: Sendable {
    /// What is made.
    var rendition: Rendition
    /// The part of it that is sent.
    var part = Rendition.Part.main
    /// The format, for the name of the file.
    var format: ServiceFormat
    /// Whether the source is sent where it has fewer bytes and nothing but pixels.
    var mayBeSource = false
    /// The most bytes of a picture whose quality may go down for that; 0 for any number.
    var maxBytes = 0

    /// The least quality.
    private static let least = 10.0

    /// Lowers the quality for a result of a number of bytes; false if that is few enough, or nothing is left to lower.
    mutating func lowerQuality(than count: Int) -> Bool {
        guard maxBytes > 0, count > maxBytes else { return false }
        let quality = rendition.output.encoding.quality ?? 80
        guard quality > Self.least else { return false }
        // Bytes fall a little more slowly than quality.
        let share = min(max(Double(maxBytes) / Double(count), 0.5), 0.95)
        rendition.output.encoding.quality = max(Self.least, (quality * share).rounded(.down))
        return true
    }
}

/// Decides what is made of a source.
struct RenditionPlanning {
    let options: ServiceOptions
    let facts: SourceFacts
    let rules: RenditionRules
    let accepts: Negotiation

    /// The plan; throws 404, 415 or 422 for what is not made.
    func plan() throws(ServiceError) -> RenditionPlan {
        try checkSource()
        if options.format == .json { return RenditionPlan(rendition: .facts(), format: .json) }
        if options.sheet != nil || options.format == .vtt { return try sheet() }
        if options.animation != nil || !options.segments.isEmpty { return try animation() }
        if facts.moves, !isStill { return try moving() }
        return try still()
    }

    // MARK: - The source

    /// Throws 422 for a source beyond its bounds.
    func checkSource() throws(ServiceError) {
        let pixels = Double(facts.size.width) * Double(facts.size.height)
        if let most = least(options.bounds.megapixels, rules.bounds.megapixels),
            pixels > most * 1_000_000
        {
            throw ServiceError(422, "The source of \(facts.size) has too many pixels.")
        }
        if let most = least(options.bounds.byteCount, rules.bounds.byteCount),
            let count = facts.byteCount, count > most
        {
            throw ServiceError(422, "The source of \(count) bytes is too large.")
        }
        if facts.moves, !facts.isFilm,
            let most = least(options.bounds.frameMegapixels, rules.bounds.frameMegapixels),
            pixels > most * 1_000_000
        {
            throw ServiceError(422, "The frames of \(facts.size) have too many pixels.")
        }
    }

    /// The smaller bound; 0 and nil are none.
    private func least<Number: Comparable & AdditiveArithmetic>(
        _ one: Number?, _ other: Number?
    ) -> Number? {
        [one, other].compactMap(\.self).filter { $0 > .zero }.min()
    }

    /// The most frames of an animation, up to what a rendition may say; nil for all.
    private var frames: Int? {
        least(options.bounds.frames, rules.bounds.frames).map { min($0, Int(Int32.max)) }
    }

    // MARK: - Kinds

    /// Whether one picture is made of what moves.
    private var isStill: Bool {
        if options.isStill || options.poster != nil || options.page != nil || frames == 1 {
            return true
        }
        if options.videoSecond != nil { return true }
        let wanted = options.format
        if facts.isFilm { return wanted?.isFilm != true && wanted != .apng }
        return wanted.map { $0.moving == nil } ?? false
    }

    private func still() throws(ServiceError) -> RenditionPlan {
        let format = written(options.format ?? stillFormat)
        guard let type = format.still, fits(format) else { throw unwritable(format) }
        var rendition = Rendition(.poster(choice), edit: try edit(for: format))
        rendition.output = output(type, format)
        var plan = RenditionPlan(rendition: rendition, format: format)
        plan.mayBeSource = !facts.moves && isSourceAsked(format)
        if [.jpeg, .webp, .avif, .jxl].contains(format) { plan.maxBytes = options.maxBytes }
        return plan
    }

    /// Which picture.
    private var choice: PosterChoice {
        if let poster = options.poster { return poster }
        if let page = options.page { return .index(page) }
        guard facts.moves else { return .first }
        if facts.isFilm {
            // Films often begin black, whatever makes stills of animations.
            guard let second = options.videoSecond ?? rules.videoSecond else { return .auto }
            return .at(time(shown(second)))
        }
        return options.isStill || frames == 1 ? .first : .auto
    }

    private func moving() throws(ServiceError) -> RenditionPlan {
        // Of films the best parts are shown: all of one would be made for longer than somebody waits.
        if facts.isFilm { return try animation() }
        let format = options.format ?? movingFormat
        guard let type = format.moving else { throw unwritable(format) }
        var edit = try edit(for: format)
        edit.maxFrames = frames
        var rendition = Rendition(.conversion(.init()), edit: edit)
        rendition.output = output(type, format)
        var plan = RenditionPlan(rendition: rendition, format: format)
        if format != .apng { plan.maxBytes = options.maxBytes }
        plan.mayBeSource = frames == nil && isSourceAsked(format)
        return plan
    }

    private func animation() throws(ServiceError) -> RenditionPlan {
        let format = options.format ?? (facts.isFilm ? .webp : movingFormat)
        guard let type = format.moving else { throw unwritable(format) }
        guard facts.moves else {
            throw ServiceError(422, "The source is one picture, of which no animation is made.")
        }
        let wanted = options.animation ?? .init()
        var edit = try edit(for: format)
        edit.segments = try segments()
        edit.frameRate = try wanted.rate.map(rate)
        edit.maxFrames = wanted.frames ?? frames
        if wanted.width > 0 || wanted.height > 0, options.placement.sizeHint == nil {
            var placement = edit.placement ?? Placement()
            (placement.width, placement.height) = (wanted.width, wanted.height)
            switch wanted.fitting {
            case .within: break
            case .extended:
                placement.extends = .init()
                placement.background = placement.background ?? .black
            case .filled(let x, let y):
                (placement.resizing, placement.anchor) = (.fill, .init(.point(x, y)))
            }
            edit.placement = placement
        }
        var animation = Rendition.Animation()
        if edit.segments.isEmpty { animation.length = wanted.seconds.map(time) }
        if let step = try step(of: wanted), let delay = wanted.delay {
            let speed = step * 1000 / delay
            guard (0.01...100).contains(speed) else {
                throw ServiceError(
                    404,
                    "In the option vta, a step is at least a hundredth of a delay and at most 100 of them."
                )
            }
            edit.speed = speed
            edit.frameRate = try rate(1000 / delay)
            if edit.segments.isEmpty { edit.segments = [firstTime..<ClipEdit.toTheEnd] }
        }
        if let seconds = animation.length, seconds > rules.longestAnimation {
            throw ServiceError(
                404,
                "An animation has at most \(rules.longestAnimation.components.seconds) seconds.")
        }
        var rendition = Rendition(.animation(animation), edit: edit)
        rendition.output = output(type, format)
        if options.maxBytes > 0 { rendition.output.limit = .bytes(options.maxBytes) }
        return RenditionPlan(rendition: rendition, format: format)
    }

    /// The time from one picture to the next; nil where the best parts are shown.
    private func step(of wanted: ServiceOptions.AnimationOptions) throws(ServiceError) -> Double? {
        guard wanted.isSpread, let frames = wanted.frames else { return wanted.step }
        guard let length = facts.duration, length > 0 else {
            throw ServiceError(422, "The length of the source is not known.")
        }
        return length / Double(frames)
    }

    /// When the pictures begin that follow one another in steps.
    private var firstTime: Duration { time(shown(options.videoSecond ?? 0)) }

    /// A second at which a film has a picture: a short one has a last picture.
    private func shown(_ second: Double) -> Double {
        min(second, facts.duration.map { max(0, $0 - 0.001) } ?? second)
    }

    private func rate(_ value: Double) throws(ServiceError) -> Rational {
        guard (0.01...120).contains(value) else {
            throw ServiceError(404, "A rate is 0.01 to 120 frames a second.")
        }
        return Rational(Int64((value * 1000).rounded()), 1000).reduced
    }

    /// The parts of the clip, of which times below 0 count from its end.
    private func segments() throws(ServiceError) -> [Range<Duration>] {
        var segments: [Range<Duration>] = []
        for part in options.segments {
            func time(_ seconds: Double) throws(ServiceError) -> Duration {
                guard seconds < 0 else { return self.time(seconds) }
                guard let length = facts.duration else {
                    throw ServiceError(422, "The length of the source is not known.")
                }
                return self.time(max(0, length + seconds))
            }
            let start = try time(part.start)
            let end = try part.end.map { end throws(ServiceError) in try time(end) }
            guard (end ?? ClipEdit.toTheEnd) > start else {
                throw ServiceError(404, "In the option lz_segments, a part ends before it begins.")
            }
            segments.append(start..<(end ?? ClipEdit.toTheEnd))
        }
        // A part beyond the end takes nothing off, and of an unknown length all counts that was asked for.
        let end = facts.duration.map { Duration.seconds($0) } ?? ClipEdit.toTheEnd
        let length = segments.reduce(Duration.zero) { sum, part in
            sum + max(.zero, min(part.upperBound, end) - part.lowerBound)
        }
        if length > rules.longestAnimation {
            throw ServiceError(
                404,
                "An animation has at most \(rules.longestAnimation.components.seconds) seconds.")
        }
        return segments
    }

    private func sheet() throws(ServiceError) -> RenditionPlan {
        let wanted = options.sheet ?? .init()
        let isIndex = options.format == .vtt
        let format = isIndex ? .jpeg : options.format ?? .jpeg
        guard let type = format.still, format != .gif else { throw unwritable(format) }
        let count = wanted.rows.map { $0 * wanted.columns }
        guard count ?? 1 <= rules.mostTiles else {
            throw ServiceError(404, "A sheet has at most \(rules.mostTiles) tiles.")
        }
        var sheet = Rendition.Sheet(
            interval: wanted.interval.map(time),
            count: wanted.interval == nil ? count : nil, columns: wanted.columns,
            rows: wanted.rows)
        sheet.indexes = [.vtt]
        var edit = try edit(for: format)
        edit.size = TargetSize(
            width: wanted.width ?? (wanted.height == nil ? size(options.placement.width) : nil),
            height: wanted.height ?? size(options.placement.height), fit: .contain)
        if edit.size?.width == nil, edit.size?.height == nil { edit.size = nil }
        if let width = edit.size?.width, let height = edit.size?.height {
            switch wanted.fitting {
            case .within: break
            case .extended: edit.padding = .init(.size(PixelSize(width: width, height: height)))
            case .filled(let x, let y):
                edit.size?.fit = .cover
                edit.gravity = .point(x, y)
            }
        }
        if options.videoSecond != nil { edit.segments = [firstTime..<ClipEdit.toTheEnd] }
        edit.placement = nil
        var rendition = Rendition(.sheet(sheet), edit: edit)
        rendition.output = output(type, format)
        return RenditionPlan(
            rendition: rendition, part: isIndex ? .index(.vtt) : page(of: sheet),
            format: isIndex ? .vtt : format)
    }

    /// The page of a sheet that is asked for; the only one has no number.
    private func page(of sheet: Rendition.Sheet) -> Rendition.Part {
        if let number = options.page, number > 0 { return .page(number) }
        guard let rows = sheet.rows, let interval = sheet.interval, let length = facts.duration
        else { return .main }
        let tiles = (Duration.seconds(length) / interval).rounded(.up)
        return tiles > Double(rows * max(1, sheet.columns)) ? .page(0) : .main
    }

    /// The side of a tile; nil where none is asked for.
    private func size(_ side: Int) -> Int? { (1...65_535).contains(side) ? side : nil }

    /// A time in microseconds, which is written and read as the same.
    private func time(_ seconds: Double) -> Duration {
        .microseconds(Int64((min(seconds, 1e9) * 1_000_000).rounded()))
    }

    // MARK: - Formats

    private func unwritable(_ format: ServiceFormat) -> ServiceError {
        ServiceError(422, "The source is not written as \(format.ending).")
    }

    private func fits(_ format: ServiceFormat) -> Bool { !format.isFilm }

    /// The format that a picture gets where one is asked for: not all clients show AVIF of a side below 16 pixels.
    private func written(_ format: ServiceFormat) -> ServiceFormat {
        let layout = options.placement.layout(of: upright)
        let size = layout.canvas.size
        guard format == .avif, min(size.width, size.height) < 16 else { return format }
        let isClear = facts.hasAlpha || size != layout.kept.size
        return isClear && options.placement.background == nil ? .png : .jpeg
    }

    private var stillFormat: ServiceFormat {
        if let format = preferred(isMoving: false) { return format }
        switch facts.format {
        case .jpeg, .png, .webp, .avif, .gif: return facts.format ?? .jpeg
        case .apng: return .png
        default: return facts.hasAlpha ? .png : .jpeg
        }
    }

    private var movingFormat: ServiceFormat {
        if let format = preferred(isMoving: true) { return format }
        switch facts.format {
        case .gif, .webp, .avif, .apng: return facts.format ?? .webp
        default: return .webp
        }
    }

    /// The format that a client is known to show, where none is asked for.
    ///
    /// Moving AVIF takes long to encode.
    private func preferred(isMoving: Bool) -> ServiceFormat? {
        if rules.prefersAVIF, accepts.showsAVIF, !isMoving { return .avif }
        return rules.prefersWebP && accepts.showsWebP ? .webp : nil
    }

    private func output(_ type: MediaType, _ format: ServiceFormat) -> Rendition.Output {
        var encoding = EncodingOptions()
        let quality = options.quality > 0 ? options.quality : options.formatQuality[format] ?? 0
        if quality > 0 { encoding.quality = Double(quality) }
        encoding.background = options.placement.background
        return Rendition.Output(type, encoding)
    }

    // MARK: - Pictures

    private func edit(for format: ServiceFormat) throws(ServiceError) -> ClipEdit {
        var edit = ClipEdit()
        edit.shape.rotation = Double(options.rotation)
        edit.shape.isMirrored = options.isMirrored
        edit.shape.isFlipped = options.isFlipped
        edit.shape.edges = options.edges
        edit.shape.liesAsStored = !(options.autoRotates ?? true)
        var placement = options.placement
        let size = placement.layout(of: upright).canvas.size
        let most = min(rules.longestSide, format.longestSide)
        if max(size.width, size.height) > most {
            placement.limit = placement.limit > 0 ? min(placement.limit, most) : most
        }
        if placement != Placement() { edit.placement = placement }
        if let watermark = watermark(on: placement) { edit.overlays = [.picture(watermark)] }
        return edit
    }

    /// The size of the source after its rotation.
    private var upright: PixelSize {
        options.rotation % 180 == 0
            ? facts.size : PixelSize(width: facts.size.height, height: facts.size.width)
    }

    /// The picture of the service as a path wants it; nil for none.
    private func watermark(on placement: Placement) -> PictureOverlay? {
        guard let wanted = options.watermark, var overlay = rules.watermark else { return nil }
        overlay.opacity *= wanted.opacity
        overlay.layout = .arranged(
            .init(
                wanted.anchor, density: placement.layout(of: upright).density,
                share: wanted.scale, isRepeated: wanted.isRepeated))
        return overlay.opacity > 0 ? overlay : nil
    }

    /// Whether nothing but the type of the source is asked for, so that it is an answer where it is a `PlainFile`.
    private func isSourceAsked(_ format: ServiceFormat) -> Bool {
        guard rules.sendsSource, format == facts.format, !facts.isTurned else { return false }
        let layout = options.placement.layout(of: facts.size)
        let side = max(facts.size.width, facts.size.height)
        return side <= min(rules.longestSide, format.longestSide) && options.edges == nil
            && options.autoRotates ?? true
            && options.placement.filter.isIdentity && options.rotation == 0 && !options.isMirrored
            && !options.isFlipped
            && options.quality == 0 && options.formatQuality[format] == nil
            && options.placement.background == nil && watermark(on: options.placement) == nil
            && layout.keepsAll(of: facts.size)
    }
}

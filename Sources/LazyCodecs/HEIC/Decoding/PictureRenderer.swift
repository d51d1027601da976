internal import LazyMedia

/// Decodes and puts together what a plan says.
final class PictureRenderer {
    private let source: CodedPictures
    let options: ReaderOptions
    private let deadline: ContinuousClock.Instant?
    private(set) var warnings: [MediaWarning] = []
    /// What the samples of the picture mean.
    private(set) var color = ColorDescription.sRGB
    private var codedPixels = 0

    /// Begins a picture: no tile is counted.
    func restart(at size: PixelSize) throws(MediaError) {
        try options.limits.check(canvas: size)
        codedPixels = 0
    }

    init(_ source: CodedPictures, _ options: ReaderOptions) {
        self.source = source
        self.options = options
        // Times beyond a year do not fit into an instant everywhere.
        deadline = options.limits.decodeTime.map { .now.advanced(by: min($0, .seconds(1 << 25))) }
    }

    /// The picture as it is shown, at a size.
    func bitmap(of plan: PicturePlan, at size: PixelSize) throws(MediaError) -> Bitmap {
        try options.limits.check(canvas: size)
        if let small = try reduced(plan, to: size) { return small }
        try restart(at: size)
        return try picture(plan, options.limits, isMask: false).shown(plan.view, at: size)
    }

    /// A much smaller picture from averaged samples, or nil where those would be too few.
    private func reduced(
        _ plan: PicturePlan, to size: PixelSize
    ) throws(MediaError) -> Bitmap? {
        guard plan.alpha.isEmpty, let plain = try plainTiles(plan) else { return nil }
        let crop = plan.view.crop
        let sides = plain.flatMap { [$0.place.x, $0.place.y, $0.place.width, $0.place.height] }
        guard
            let reduction = PlaneReduction(
                from: plan.shown, to: size,
                dividing: sides + [
                    crop.x, crop.y, crop.width, crop.height, plan.size.width, plan.size.height,
                ])
        else { return nil }
        let small = PixelSize(
            width: plan.size.width / reduction.factor, height: plan.size.height / reduction.factor)
        return try tiles(plain, small, options.limits, reducedBy: reduction)
            .shown(plan.view.divided(by: reduction.factor), at: size)
    }

    /// The coded pictures of a plan that is nothing else; nil for others.
    func plainTiles(
        _ plan: PicturePlan, isMask: Bool = false
    ) throws(MediaError) -> [TileRun.Tile]? {
        switch plan.content {
        case .coded(let item): return [try tile(item, plan, plan, (0, 0), isMask: isMask)]
        case .grid(let recipe, let tiles):
            return try plainTiles(plan, recipe, tiles, isMask: isMask)
        case .overlay, .same: return nil
        }
    }

    /// A picture that another one takes, as it is shown.
    private func shown(
        _ plan: PicturePlan, _ limits: DecodingLimits, isMask: Bool
    ) throws(MediaError) -> Bitmap {
        try picture(plan, limits, isMask: isMask).shown(plan.view, at: plan.shown)
    }

    /// A picture with its alpha, before its view is applied.
    private func picture(
        _ plan: PicturePlan, _ limits: DecodingLimits, isMask: Bool
    ) throws(MediaError) -> Bitmap {
        // The canvas, and the one that it is turned or masked into.
        let canvases = plan.view.isPlain(plan.size) && plan.alpha.isEmpty ? 1 : 2
        try limits.check(canvases: canvases, of: plan.size)
        let rest = try limits.remaining(beside: plan.size.rgbaByteCount * canvases)
        let colors = try content(plan, rest, isMask: isMask)
        guard !isMask, let alpha = plan.alpha.first else { return colors }
        let mask = try picture(alpha, rest, isMask: true)
        // A mask that is not turned belongs to the picture before it is turned.
        let isBefore = alpha.view.isPlain(alpha.size) || plan.view.isPlain(plan.size)
        guard !isBefore, !plan.view.isPlain(plan.size) else {
            return try colors.masked(
                by: try mask.shown(alpha.view, at: alpha.shown),
                isPremultiplied: plan.isPremultiplied)
        }
        // Both are turned alike (ISO/IEC 23000-22, 7.3.5.2): before that they are of one shape.
        return try colors.masked(by: mask, isPremultiplied: plan.isPremultiplied)
    }

    private func content(
        _ plan: PicturePlan, _ limits: DecodingLimits, isMask: Bool
    ) throws(MediaError) -> Bitmap {
        switch plan.content {
        case .coded(let item):
            return try tiles([tile(item, plan, plan, (0, 0), isMask: isMask)], plan.size, limits)
        case .grid(let recipe, let tiles):
            return try grid(plan, recipe, tiles, limits, isMask: isMask)
        case .overlay(let recipe, let pictures):
            return try overlay(recipe, pictures, limits, isMask: isMask)
        case .same(let pictures): return try shown(pictures[0], limits, isMask: isMask)
        }
    }

    private func tile(
        _ item: CodedItem, _ plan: PicturePlan, _ whole: PicturePlan, _ origin: (x: Int, y: Int),
        isMask: Bool
    ) throws(MediaError) -> TileRun.Tile {
        let (sum, isTooMany) = codedPixels.addingReportingOverflow(item.size.pixelCount)
        codedPixels = isTooMany ? .max : sum
        try options.limits.check(codedPixels, most: options.limits.totalPixels, .totalPixels) {
            "The HEIC's tiles have more pixels than the limit of \($0)."
        }
        let rect = PixelRect(
            x: origin.x, y: origin.y, width: item.size.width, height: item.size.height)
        return TileRun.Tile(
            item: item, color: isMask ? nil : plan.color.completed(by: whole.color),
            place: rect.clipped(to: whole.size) ?? .empty)
    }

    private func tiles(
        _ tiles: [TileRun.Tile], _ size: PixelSize, _ limits: DecodingLimits,
        reducedBy reduction: PlaneReduction? = nil
    ) throws(MediaError) -> Bitmap {
        var isWhole = true
        let bitmap = try Bitmap(size: size, isOpaque: true) { (rows) throws(MediaError) in
            guard let start = rows.baseAddress else { return }
            isWhole = try run(
                tiles, into: .init(start: start, width: size.width), limits, reducedBy: reduction)
        }
        return isWhole ? bitmap : bitmap.notOpaque
    }

    /// Decodes tiles into a canvas; false where some are missing.
    func run(
        _ tiles: [TileRun.Tile], into canvas: TileRun.Canvas, _ limits: DecodingLimits,
        reducedBy reduction: PlaneReduction? = nil
    ) throws(MediaError) -> Bool {
        var options = options
        options.limits = limits
        let outcome = try TileRun(
            tiles, into: canvas, source, options, until: deadline, reducedBy: reduction
        ).run()
        if let color = outcome.color { self.color = color }
        if let warning = outcome.warning { warn(warning) }
        if outcome.damaged > 0 {
            warn(.init(.corruptPackets, "The HEIC is damaged: parts of the picture are concealed."))
        }
        guard outcome.missing > 0, let error = outcome.error else { return true }
        let code: MediaWarning.Code = error.code == .truncated ? .truncated : .malformed
        warn(.init(code, "The HEIC lacks \(outcome.missing) of \(tiles.count) tiles."))
        return false
    }

    private func grid(
        _ plan: PicturePlan, _ recipe: GridRecipe, _ pictures: [PicturePlan],
        _ limits: DecodingLimits, isMask: Bool
    ) throws(MediaError) -> Bitmap {
        if let plain = try plainTiles(plan, recipe, pictures, isMask: isMask) {
            return try tiles(plain, recipe.size, limits)
        }
        return try Bitmap(size: recipe.size, isOpaque: !plan.hasAlpha) {
            (rows) throws(MediaError) in
            for (index, picture) in pictures.enumerated() {
                try options.cancellation.check()
                let bitmap = try shown(picture, limits, isMask: isMask)
                bitmap.draw(
                    at: recipe.origin(of: index, pictures[0].shown), into: rows, recipe.size,
                    isBlended: false)
            }
        }
    }

    /// The tiles of a grid, where each is nothing but a coded picture; those outside are left out.
    private func plainTiles(
        _ plan: PicturePlan, _ recipe: GridRecipe, _ pictures: [PicturePlan], isMask: Bool
    ) throws(MediaError) -> [TileRun.Tile]? {
        var plain: [TileRun.Tile] = []
        for (index, picture) in pictures.enumerated() {
            guard let item = picture.plainItem else { return nil }
            let origin = recipe.origin(of: index, picture.shown)
            plain.append(try tile(item, picture, plan, origin, isMask: isMask))
        }
        return plain.filter { !$0.place.isEmpty }
    }

    private func overlay(
        _ recipe: OverlayRecipe, _ pictures: [PicturePlan], _ limits: DecodingLimits, isMask: Bool
    ) throws(MediaError) -> Bitmap {
        let isOpaque = recipe.background.w == 255
        return try Bitmap(size: recipe.size, isOpaque: isOpaque) { (rows) throws(MediaError) in
            let pixels = rows.bindMemory(to: SIMD4<UInt8>.self)
            pixels.update(repeating: recipe.background)
            for (picture, offset) in zip(pictures, recipe.offsets) {
                try options.cancellation.check()
                let bitmap = try shown(picture, limits, isMask: isMask)
                bitmap.draw(at: offset, into: rows, recipe.size, isBlended: true)
            }
        }
    }

    private func warn(_ warning: MediaWarning) {
        if !warnings.contains(warning) { warnings.append(warning) }
    }
}

internal import LazyMedia

/// Decodes and puts together what a plan says.
final class PictureRenderer {
    private let media: OpenedHEIC
    private let options: ReaderOptions
    private let deadline: ContinuousClock.Instant?
    private(set) var warnings: [MediaWarning] = []
    private var codedPixels = 0

    init(_ media: OpenedHEIC, _ options: ReaderOptions) {
        self.media = media
        self.options = options
        // Times beyond a year do not fit into an instant everywhere.
        deadline = options.limits.decodeTime.map { .now.advanced(by: min($0, .seconds(1 << 25))) }
    }

    /// The picture as it is shown, at a size.
    func bitmap(of plan: PicturePlan, at size: PixelSize) throws(MediaError) -> Bitmap {
        try options.limits.check(canvas: size)
        return try picture(plan, options.limits, isMask: false).shown(plan.view, at: size)
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
        _ tiles: [TileRun.Tile], _ size: PixelSize, _ limits: DecodingLimits
    ) throws(MediaError) -> Bitmap {
        var outcome = TileRun.Outcome()
        let bitmap = try Bitmap(size: size, isOpaque: true) { (rows) throws(MediaError) in
            guard let canvas = rows.bindMemory(to: UInt32.self).baseAddress else { return }
            var options = options
            options.limits = limits
            outcome = try TileRun(
                tiles, into: canvas, stride: size.width, media, options, until: deadline
            ).run()
        }
        if let warning = outcome.warning { warn(warning) }
        if outcome.damaged > 0 {
            warn(.init(.corruptPackets, "The HEIC is damaged: parts of the picture are concealed."))
        }
        guard outcome.missing > 0, let error = outcome.error else { return bitmap }
        let code: MediaWarning.Code = error.code == .truncated ? .truncated : .malformed
        warn(.init(code, "The HEIC lacks \(outcome.missing) of \(tiles.count) tiles."))
        return bitmap.notOpaque
    }

    private func grid(
        _ plan: PicturePlan, _ recipe: GridRecipe, _ pictures: [PicturePlan],
        _ limits: DecodingLimits, isMask: Bool
    ) throws(MediaError) -> Bitmap {
        let side = pictures[0].shown
        func origin(_ index: Int) -> (x: Int, y: Int) {
            (index % recipe.columns * side.width, index / recipe.columns * side.height)
        }
        var plain: [TileRun.Tile] = []
        for (index, picture) in pictures.enumerated() {
            guard let item = picture.plainItem else { break }
            plain.append(try tile(item, picture, plan, origin(index), isMask: isMask))
        }
        if plain.count == pictures.count {
            return try tiles(plain.filter { !$0.place.isEmpty }, recipe.size, limits)
        }
        return try Bitmap(size: recipe.size, isOpaque: !plan.hasAlpha) {
            (rows) throws(MediaError) in
            for (index, picture) in pictures.enumerated() {
                try options.cancellation.check()
                let bitmap = try shown(picture, limits, isMask: isMask)
                bitmap.draw(at: origin(index), into: rows, recipe.size, isBlended: false)
            }
        }
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

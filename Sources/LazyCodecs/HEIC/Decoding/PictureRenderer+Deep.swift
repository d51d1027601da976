internal import LazyMedia

extension PictureRenderer {
    /// The picture as it is shown with 16 bits a sample, in the colors of the file.
    ///
    /// For plans that are `isDeep`.
    func deepBitmap(of plan: PicturePlan, at size: PixelSize) throws(MediaError) -> DeepBitmap {
        try restart(at: size)
        // The samples, and what they are cropped, turned or scaled to.
        let canvases = 6 + (plan.alpha.isEmpty ? 0 : 4)
        try options.limits.check(canvases: canvases, of: plan.size)
        let rest = try options.limits.remaining(beside: plan.size.rgbaByteCount * canvases)
        var picture = try content(plan, rest, isMask: false)
        if let alpha = plan.alpha.first {
            let mask = try content(alpha, rest, isMask: true)
            // A mask that is turned as the picture is belongs to it before both are turned.
            let areTurned = !alpha.view.isPlain(alpha.size) && !plan.view.isPlain(plan.size)
            picture = try picture.masked(
                by: areTurned ? mask : mask.shown(alpha.view, at: alpha.shown),
                isPremultiplied: plan.isPremultiplied)
        }
        return try picture.shown(plan.view, at: size)
    }

    private func content(
        _ plan: PicturePlan, _ limits: DecodingLimits, isMask: Bool
    ) throws(MediaError) -> DeepBitmap {
        if case .same(let pictures) = plan.content {
            return try content(pictures[0], limits, isMask: isMask)
                .shown(pictures[0].view, at: pictures[0].shown)
        }
        guard let tiles = try plainTiles(plan, isMask: isMask) else {
            throw .heic("has a picture that is put together of others")
        }
        var isWhole = true
        let bitmap = try DeepBitmap(size: plan.size, isOpaque: true) { (rows) throws(MediaError) in
            guard let start = rows.baseAddress else { return }
            isWhole = try run(
                tiles, into: .init(start: start, width: plan.size.width, isDeep: true), limits)
        }
        return isWhole ? bitmap : bitmap.notOpaque
    }
}

extension DeepBitmap {
    /// The part that a view shows, turned, at a size.
    fileprivate func shown(
        _ view: PictureView, at wanted: PixelSize
    ) throws(MediaError) -> DeepBitmap {
        try cropped(to: view.crop).turned(view.orientation).scaled(to: wanted)
    }

    /// The same colors with alpha from the red of another picture, which is stretched to the same size.
    fileprivate func masked(
        by mask: DeepBitmap, isPremultiplied: Bool
    ) throws(MediaError) -> DeepBitmap {
        let mask = try mask.scaled(to: size)
        return try DeepBitmap(size: size, isOpaque: false) { output in
            let target = output.bindMemory(to: SIMD4<UInt16>.self)
            withBytes { colors in
                mask.withBytes { levels in
                    let (colors, levels) = (
                        colors.bindMemory(to: SIMD4<UInt16>.self),
                        levels.bindMemory(to: SIMD4<UInt16>.self)
                    )
                    for index in target.indices {
                        var pixel = colors[index]
                        // What could not be decoded stays transparent.
                        pixel.w = min(pixel.w, levels[index].x)
                        target[index] = isPremultiplied ? pixel.straight : pixel
                    }
                }
            }
        }
    }
}

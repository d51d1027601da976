package import LazyMedia

extension Placement {
    /// What a placement means for pictures of a size; pure.
    package struct Layout: Hashable, Sendable {
        /// The part of the source that is kept.
        package var part: PixelRect
        /// The size that it is scaled to.
        package var scaled: PixelSize
        /// The part of that which is kept.
        package var kept: PixelRect
        /// The canvas, and where the kept part is on it.
        package var canvas: Canvas
        /// The factor of offsets and of the border.
        package var density = 1.0

        /// Whether pictures of a size stay as they are.
        package func keepsAll(of size: PixelSize) -> Bool {
            part.size == size && scaled == size && kept.size == size && canvas.size == size
        }
    }

    /// The layout for pictures of a size, which are upright and turned already.
    ///
    /// Sizes are rounded half away from zero, places half to even. A smart gravity counts as the center.
    package func layout(of source: PixelSize) -> Layout {
        let part = croppedSize(of: source)
        var scale = scale(of: part)
        var sizes = sizes(of: part, scale)
        if limit > 0 {
            let longer = max(sizes.canvas(with: border).width, sizes.canvas(with: border).height)
            if longer > limit {
                // One factor for all that is scaled; then all is rounded once more.
                scale.shrink(by: Double(limit) / Double(longer), of: part)
                sizes = self.sizes(of: part, scale)
            }
        }
        return layout(of: source, part, sizes)
    }

    // MARK: - Steps

    /// The part of the source, in pixels of the source.
    private func croppedSize(of source: PixelSize) -> PixelSize {
        func side(_ wanted: Double, _ whole: Int) -> Int {
            if wanted <= 0 { return whole }
            let pixels =
                wanted >= 1
                ? Int(min(wanted, Double(whole))) : max(1, rounded(wanted * Double(whole)))
            return min(pixels, whole)
        }
        let crop = crop ?? Crop()
        let (width, height) = (side(crop.width, source.width), side(crop.height, source.height))
        guard let ratio = cropRatio else { return PixelSize(width: width, height: height) }
        let isWide = Double(width) / Double(height) > ratio.value
        return isWide != ratio.enlarges
            ? PixelSize(
                width: side(max(1, Double(height) * ratio.value).rounded(), source.width),
                height: height)
            : PixelSize(
                width: width,
                height: side(max(1, Double(width) / ratio.value).rounded(), source.height))
    }

    /// The factors of both sides and of what grows with the density.
    private func scale(of part: PixelSize) -> Scale {
        // In imgproxy's order, by how much each side shrinks: products of inverse factors round otherwise at halves.
        let (own, wanted) = (Sides(part), wantedSides(of: part))
        var shrinks = Sides(own.width / wanted.width, own.height / wanted.height)
        if width == 0, resizing != .force { shrinks.width = shrinks.height }
        if height == 0, resizing != .force { shrinks.height = shrinks.width }
        if width > 0, height > 0 {
            switch resizing(of: part) {
            case .fit: shrinks = Sides(both: shrinks.larger)
            case .fill, .fillDown: shrinks = Sides(both: shrinks.smaller)
            case .force, .auto: break
            }
        }
        shrinks.width /= zoomX
        shrinks.height /= zoomY
        var density = density
        if !enlarges {
            // Where the target is beyond the source, the density makes up for it, up to 1.
            let least = shrinks.smaller
            if least < 1 {
                shrinks = Sides(shrinks.width / least, shrinks.height / least)
                if extends == nil { density /= least }
            }
            density = min(density, shrinks.smaller)
        }
        limit(&shrinks, of: own)
        shrinks = Sides(
            min(shrinks.width / density, own.width), min(shrinks.height / density, own.height))
        return Scale(factors: Sides(1 / shrinks.width, 1 / shrinks.height), density: density)
    }

    private func wantedSides(of part: PixelSize) -> Sides {
        Sides(
            width > 0 ? Double(width) : Double(part.width),
            height > 0 ? Double(height) : Double(part.height))
    }

    private func resizing(of part: PixelSize) -> Resizing {
        guard resizing == .auto else { return resizing }
        return (part.width >= part.height) == (width >= height) ? .fill : .fit
    }

    /// Shrinks both sides less where one would be below the least one.
    private func limit(_ shrinks: inout Sides, of own: Sides) {
        if minWidth > 0 {
            let most = own.width / Double(minWidth)
            if most < shrinks.width {
                shrinks = Sides(most, shrinks.height / (shrinks.width / most))
            }
        }
        if minHeight > 0 {
            let most = own.height / Double(minHeight)
            if most < shrinks.height {
                shrinks = Sides(shrinks.width / (shrinks.height / most), most)
            }
        }
    }

    private func sizes(of part: PixelSize, _ scale: Scale) -> Sizes {
        let scaled = PixelSize(
            width: max(1, rounded(Double(part.width) * scale.factors.width)),
            height: max(1, rounded(Double(part.height) * scale.factors.height)))
        let target = (
            width: rounded(Double(width) * (scale.density * zoomX)),
            height: rounded(Double(height) * (scale.density * zoomY))
        )
        let kept = keptSize(of: scaled, target)
        return Sizes(
            scaled: scaled, kept: kept, inner: innerCanvas(of: kept, target), density: scale.density
        )
    }

    /// The part of the scaled picture.
    private func keptSize(
        of scaled: PixelSize, _ target: (width: Int, height: Int)
    ) -> PixelSize {
        var (width, height) = target
        if resizing == .fillDown, !enlarges, width > 0, height > 0 {
            let across = Double(width) / Double(scaled.width)
            let down = Double(height) / Double(scaled.height)
            let (tall, wide) = (
                Double(height) / Double(width), Double(width) / Double(height)
            )
            if across > down, across > 1 {
                (width, height) = (scaled.width, rounded(Double(scaled.width) * tall))
            } else if down > across, down > 1 {
                (width, height) = (rounded(Double(scaled.height) * wide), scaled.height)
            }
        }
        return PixelSize(
            width: width > 0 ? min(width, scaled.width) : scaled.width,
            height: height > 0 ? min(height, scaled.height) : scaled.height)
    }

    /// The canvas without its border.
    private func innerCanvas(
        of kept: PixelSize, _ target: (width: Int, height: Int)
    ) -> PixelSize {
        var (width, height) = (kept.width, kept.height)
        if extends != nil {
            (width, height) = (max(width, target.width), max(height, target.height))
        }
        if extendsRatio != nil, target.width > 0, target.height > 0 {
            let (wide, tall) = (Double(target.width), Double(target.height))
            let across = Double(target.width) / Double(kept.width)
            let down = Double(target.height) / Double(kept.height)
            if down > across {
                height = max(height, rounded(Double(kept.width) * (tall / wide)))
            } else if across > down {
                width = max(width, rounded(Double(kept.height) * (wide / tall)))
            }
        }
        return PixelSize(width: width, height: height)
    }

    private func layout(of source: PixelSize, _ part: PixelSize, _ sizes: Sizes) -> Layout {
        let first = (crop?.anchor ?? anchor).place(part, in: source, density: 1)
        let second = anchor.place(sizes.kept, in: sizes.scaled, density: sizes.density)
        let free = (extends ?? extendsRatio ?? Anchor())
            .place(sizes.kept, in: sizes.inner, density: sizes.density)
        let border = sizes.scaled(border)
        return Layout(
            part: PixelRect(first, part), scaled: sizes.scaled,
            kept: PixelRect(second, sizes.kept),
            canvas: Canvas(
                size: sizes.canvas(with: self.border), x: free.x + border.left,
                y: free.y + border.top, color: background),
            density: sizes.density)
    }
}

// MARK: - Values of the calculation

/// Two lengths, or two factors.
private struct Sides {
    var width, height: Double

    init(_ width: Double, _ height: Double) { (self.width, self.height) = (width, height) }
    init(both side: Double) { self.init(side, side) }
    init(_ size: PixelSize) { self.init(Double(size.width), Double(size.height)) }

    var smaller: Double { min(width, height) }
    var larger: Double { max(width, height) }

    /// Factors that leave at least one pixel of each side.
    func atLeastOnePixel(of own: Sides) -> Sides {
        Sides(max(width, 1 / own.width), max(height, 1 / own.height))
    }
}

/// The factors of a picture, and of offsets and borders.
private struct Scale {
    var factors: Sides
    var density: Double

    mutating func shrink(by factor: Double, of part: PixelSize) {
        factors = Sides(factors.width * factor, factors.height * factor)
            .atLeastOnePixel(of: Sides(part))
        density *= factor
    }
}

/// The rounded sizes.
private struct Sizes {
    let scaled, kept, inner: PixelSize
    let density: Double

    func scaled(_ border: Placement.Border) -> Placement.Border {
        func side(_ length: Int) -> Int {
            Int(bounded: (Double(length) * density).rounded(.toNearestOrEven))
        }
        return Placement.Border(
            top: side(border.top), right: side(border.right), bottom: side(border.bottom),
            left: side(border.left))
    }

    func canvas(with border: Placement.Border) -> PixelSize {
        let border = scaled(border)
        return PixelSize(
            width: inner.width + border.left + border.right,
            height: inner.height + border.top + border.bottom)
    }
}

/// Half away from zero.
private func rounded(_ value: Double) -> Int { Int(bounded: value.rounded()) }

extension Int {
    /// A length, up to more than any picture has, so that sums do not overflow.
    init(bounded value: Double) {
        self.init(value.isNaN ? 0 : Swift.min(Swift.max(value, -0x1p28), 0x1p28))
    }
}

extension PixelRect {
    fileprivate init(_ place: (x: Int, y: Int), _ size: PixelSize) {
        self.init(x: place.x, y: place.y, width: size.width, height: size.height)
    }
}

extension Placement.Anchor {
    /// The upper left corner of a rectangle within a larger one.
    fileprivate func place(
        _ inner: PixelSize, in outer: PixelSize, density: Double
    ) -> (x: Int, y: Int) {
        let focus = gravity.focus ?? (0.5, 0.5)
        if case .point = gravity {
            return (
                Self.around(focus.x, inner.width, outer.width),
                Self.around(focus.y, inner.height, outer.height)
            )
        }
        return (
            Self.start(focus.x, x, inner.width, outer.width, density),
            Self.start(focus.y, y, inner.height, outer.height, density)
        )
    }

    /// The upper left corner of a picture on another one, of which at least a pixel is inside.
    package func origin(
        of picture: PixelSize, on whole: PixelSize, density: Double
    ) -> (x: Int, y: Int) {
        let focus = gravity.focus ?? (0.5, 0.5)
        func start(_ focus: Double, _ offset: Double, _ inner: Int, _ outer: Int) -> Int {
            let start = Self.free(focus, offset, inner, outer, density)
            return min(max(1 - inner, start), outer - 1)
        }
        return (
            start(focus.x, x, picture.width, whole.width),
            start(focus.y, y, picture.height, whole.height)
        )
    }

    private static func around(_ share: Double, _ inner: Int, _ outer: Int) -> Int {
        let point = Int(bounded: (share * Double(outer)).rounded(.toNearestOrEven))
        return min(max(0, point - inner / 2), max(0, outer - inner))
    }

    private static func start(
        _ focus: Double, _ offset: Double, _ inner: Int, _ outer: Int, _ density: Double
    ) -> Int {
        min(max(0, free(focus, offset, inner, outer, density)), max(0, outer - inner))
    }

    /// The start of a line on another one, which may be outside.
    private static func free(
        _ focus: Double, _ offset: Double, _ inner: Int, _ outer: Int, _ density: Double
    ) -> Int {
        let moved = abs(offset) >= 1 ? offset * density : offset * Double(outer)
        let offset = Int(bounded: moved.rounded(.toNearestOrEven))
        return switch focus {
        case 0: offset
        case 1: outer - inner - offset
        default: Int((Double(outer - inner + 1) / 2).rounded(.toNearestOrEven)) + offset
        }
    }
}

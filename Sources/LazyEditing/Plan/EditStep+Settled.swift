package import LazyMedia

extension EditStep {
    /// The step with all that depends on the pictures of a sequence; may decode some.
    ///
    /// Bars are judged over the whole sequence, and a smart gravity looks at the frames that the edit
    /// keeps.
    func settled(
        for sequence: FrameSequence, of edit: ClipEdit
    ) async throws(MediaError) -> EditStep {
        switch self {
        case .trim(nil): return .trim(inside: try await sequence.pictureInsideBars())
        case .trimEdges(let trim):
            // The first picture decides for all.
            let rule = edit.shape.liesAsStored ? trim : trim.shown(by: sequence.info)
            return .trim(
                inside: try await sequence.cancellable { (flag) throws(MediaError) in
                    rule.inner(of: try sequence.picture(flag))
                })
        case .lieAsStored: return settled(for: sequence.info)
        case .overlay(let overlays): return .overlay(try await sequence.reading(overlays))
        case .cut(let edit, nil): return .cut(edit, try await sequence.frameIndex())
        default:
            guard let (gravity, share) = smartGravity(for: sequence.info.size) else { return self }
            var kept = sequence
            if !edit.keepsAllFrames {
                kept = try sequence.applying(.cut(edit, try await sequence.frameIndex()))
            }
            return placed(at: try await SmartCrop(for: gravity).focus(of: kept, keeping: share))
        }
    }

    /// The step with all that depends on what a file says of itself.
    package func settled(for info: MediaInfo) -> EditStep {
        if case .lieAsStored = self { .turn(Turn(storing: info)) } else { self }
    }

    /// The step with all that depends on pictures, where there is one of a size; it has no tracks.
    func settled(
        for size: PixelSize, _ picture: () throws(MediaError) -> Bitmap
    ) throws(MediaError) -> EditStep {
        switch self {
        case .trim(nil):
            var peaks = PeakLuma(size)
            peaks.add(try picture())
            return .trim(inside: peaks.inner)
        case .trimEdges(let trim): return .trim(inside: trim.inner(of: try picture()))
        case .overlay(let overlays): return .overlay(overlays.filter { !$0.isOfTrack })
        default:
            guard let (gravity, share) = smartGravity(for: size) else { return self }
            return placed(at: try SmartCrop(for: gravity).focus(of: picture(), keeping: share))
        }
    }

    /// A gravity that pictures decide, and the shares of width and height that are kept; nil where
    /// nothing is to be decided.
    private func smartGravity(
        for size: PixelSize
    ) -> (gravity: Gravity, share: (across: Double, down: Double))? {
        let (whole, kept): (PixelSize, PixelSize)
        let gravity: Gravity
        switch self {
        case .crop(let region, let place)
        where region.needsGravity && (try? region.part(of: size)) != nil:
            (whole, kept, gravity) = (size, region.size(in: size), place)
        case .fit(let target, let place):
            (whole, kept, gravity) = (
                target.scaledSize(of: size), target.finalSize(of: size), place
            )
        default: return nil
        }
        guard gravity.focus == nil, kept != whole else { return nil }
        return (
            gravity,
            (
                Double(kept.width) / Double(whole.width),
                Double(kept.height) / Double(whole.height)
            )
        )
    }

    /// The step around a point.
    private func placed(at focus: (x: Double, y: Double)) -> EditStep {
        let point = Gravity.point(focus.x, focus.y)
        return switch self {
        case .crop(let region, _): .crop(region, point)
        case .fit(let target, _): .fit(target, point)
        default: self
        }
    }
}

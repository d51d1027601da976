package import LazyMedia

/// One step of an edit; `ClipEdit.steps` has their order.
///
/// Some steps depend on pictures: black bars, a smart gravity, the subtitles of a track. `settled`
/// makes them steps that depend on none. Steps that are not settled trim nothing and keep the middle.
package enum EditStep: Sendable {
    /// Black bars are removed; nil where they are still to be found.
    case trim(inside: PixelRect?)
    /// Edges of one color are removed, which are still to be found.
    case trimEdges(EdgeTrim)
    /// Stills lie as their file stores them, not as it says that they are shown.
    case lieAsStored
    /// A part is kept.
    case crop(CropRegion, Gravity)
    /// Pictures are rotated and mirrored.
    case turn(Turn)
    /// Pictures are scaled, and with `.cover` cropped.
    case fit(TargetSize, Gravity)
    /// Pictures are placed on a canvas: the steps of `Placement.steps(for:)`.
    case place(Placement)
    /// The pixels of pictures are filtered.
    case filter(PictureFilter)
    /// Pictures are put on a canvas.
    case canvas(Canvas)
    /// A border is added.
    case pad(Padding)
    /// Texts, pictures and subtitles are drawn.
    case overlay([Overlay])
    /// Frames are selected and get other times: segments, speed, frame rate, the number of frames, reverse,
    /// bounce and cross-fade, in this order (`EditPlan`). Nil where the times of the source are still to be read.
    case cut(ClipEdit, FrameIndex?)
    /// Partly transparent pixels are blended over a color.
    case matte(PixelColor)

    /// Whether it comes before scaling, so that a poster is chosen from pictures after it.
    var precedesScaling: Bool {
        switch self {
        case .trim, .trimEdges, .lieAsStored, .crop, .turn: true
        case .fit, .place, .filter, .canvas, .pad, .overlay, .cut, .matte: false
        }
    }

    /// Whether it selects frames and changes no picture.
    var isCut: Bool { if case .cut = self { true } else { false } }

    /// The size of a picture after the step; throws `.notWritable` for an impossible crop or border.
    package func size(of size: PixelSize) throws(MediaError) -> PixelSize {
        switch self {
        case .trim(let inside): inside?.size ?? size
        case .crop(let region, let gravity): try region.part(of: size, gravity).size
        case .turn(let turn): turn.size(of: size)
        case .fit(let target, _): target.finalSize(of: size)
        case .place(let placement): placement.layout(of: size).canvas.size
        case .canvas(let canvas): canvas.size
        case .pad(let padding): try padding.canvas(of: size)
        case .trimEdges, .lieAsStored, .filter, .overlay, .cut, .matte: size
        }
    }

    /// Media with the step applied to its frames as they are decoded.
    package func applied(
        to media: any OpenedMedia, limits: DecodingLimits,
        _ cancellation: CancellationFlag = CancellationFlag()
    ) throws(MediaError) -> any OpenedMedia {
        let size = media.info.size
        switch self {
        case .trim(let inside):
            guard let inside else { return media }
            return CroppedMedia(media, to: inside)
        case .crop(let region, let gravity):
            let part = try region.part(of: size, gravity)
            return part == PixelRect(size)
                ? media : CroppedMedia(media, to: part, region: region, gravity)
        case .turn(let turn): return try TurnedMedia(media, turn, limits: limits)
        case .fit(let target, let gravity):
            guard target.finalSize(of: size) != size || target.scaledSize(of: size) != size else {
                return media
            }
            return try FramedMedia(media, target, gravity, limits: limits)
        case .place(let placement):
            var placed = media
            for step in placement.steps(for: size) {
                placed = try step.applied(to: placed, limits: limits, cancellation)
            }
            return placed
        // What is not settled changes nothing.
        case .trimEdges, .lieAsStored: return media
        case .filter(let filter): return FilteredMedia(base: media, filter: filter)
        case .canvas(let canvas):
            guard !canvas.keeps(size, hasAlpha: media.info.hasAlpha) else { return media }
            return try CanvasMedia(media, canvas, limits: limits)
        case .pad(let padding):
            guard try padding.canvas(of: size) != size else { return media }
            return try PaddedMedia(media, padding, limits: limits)
        case .overlay(let overlays): return OverlaidMedia(base: media, overlays: overlays)
        case .cut(let edit, let index):
            let timing = if let index { index } else { try media.frameIndex(cancellation) }
            return try EditedMedia(media, timing, edit, limits: limits)
        case .matte(let color):
            return media.info.hasAlpha ? MattedMedia(base: media, color: color) : media
        }
    }
}

extension FrameSequence {
    /// The sequence with a step applied, which is settled.
    func applying(_ step: EditStep) throws(MediaError) -> FrameSequence {
        try wrapped { (media) throws(MediaError) in try step.applied(to: media, limits: limits) }
    }
}

internal import LazyEditing
public import LazyMedia

extension Rendition {
    /// The same, with nothing in it that would have no effect; costs no decoding.
    ///
    /// Throws `.notWritable` for parts that contradict each other or their kind, and `.notFound` where files of
    /// overlays are still to be read.
    public func checked() throws(MediaError) -> Rendition { try fitted().checkedWhole() }

    private func checkedWhole() throws(MediaError) -> Rendition {
        if edit.padding?.extent == .border(0) {
            throw Self.refusal("A border has a color, and no size.")
        }
        if reading.color == .source { try checkKeptColors() }
        switch kind {
        case .poster(let choice):
            var times = edit
            // The best frame of a part.
            if choice == .auto, edit.sections.count == 1 { times.sections = [] }
            guard times.keepsAllFrames else {
                throw Self.refusal("A poster is one picture: its edit cannot change times.")
            }
            if output.limit != nil { throw Self.refusal("A poster has no bound of bytes.") }
        case .animation(let animation): try check(animation)
        case .conversion: break
        case .facts:
            guard edit == ClipEdit(), output == Output() else {
                throw Self.refusal("Facts have no edit and no output.")
            }
        case .loop:
            guard edit == ClipEdit(), output == Output(), reading == Reading() else {
                throw Self.refusal(
                    "A change of the loop decodes nothing: it has no edit and no output.")
            }
        case .sheet(let sheet): try check(sheet)
        case .frames(let frames): try check(frames)
        }
        return try resolved()
    }

    /// Throws for what is in sRGB only: other kinds, types without a place for colors, and edits that bring colors or
    /// mix them.
    private func checkKeptColors() throws(MediaError) {
        switch kind {
        case .poster, .conversion, .frames: break
        case .facts, .loop: return
        case .animation, .sheet:
            throw Self.refusal("Animations and sheets are in sRGB: colors are kept in pictures.")
        }
        if case .conversion = kind {} else if let type = output.type { try type.checkKeptColors() }
        let turn = edit.shape.rotation
        let isPlain = turn.truncatingRemainder(dividingBy: 90) == 0
        let border = edit.padding?.color ?? .black
        guard edit.overlays.isEmpty, edit.placement == nil, edit.matte == nil, isPlain,
            border == .black || border.alpha == 0, edit.crossfade == .zero
        else {
            throw Self.refusal(
                "With the colors of the source, pictures are cropped, turned by quarters, scaled and padded in black; other edits are in sRGB."
            )
        }
    }

    private func check(_ animation: Animation) throws(MediaError) {
        if output.limit == .source {
            throw Self.refusal("An animation is not compared with its source.")
        }
        if !edit.parts.isEmpty, animation.pieces != nil || animation.length != nil {
            throw Self.refusal(
                "Segments that are given are not selected by their length or number.")
        }
        if edit.isBouncing, [.crossfade, .none].contains(animation.seam) {
            throw Self.refusal("An animation that bounces has no other seam.")
        }
        if edit.crossfade != .zero, ![.auto, .crossfade].contains(animation.seam) {
            throw Self.refusal("An animation with a cross-fade has no other seam.")
        }
        if edit.isBouncing, edit.crossfade != .zero {
            throw Self.refusal("An animation bounces, or has a cross-fade.")
        }
    }

    private func check(_ sheet: Sheet) throws(MediaError) {
        if output.limit != nil { throw Self.refusal("A sheet has no bound of bytes.") }
        if let interval = sheet.interval, interval <= .zero {
            throw Self.refusal("The interval between tiles is not above 0.")
        }
        guard (0...1024).contains(sheet.gap) else {
            throw Self.refusal("Gaps between tiles have at most 1024 pixels.")
        }
        if sheet.indexes.contains(.framehash) {
            throw Self.refusal("A sheet is described as vtt or json.")
        }
        try checkTimes(of: "Tiles")
    }

    private func check(_ frames: Frames) throws(MediaError) {
        if output.limit != nil { throw Self.refusal("Frames have no bound of bytes.") }
        switch frames.every {
        case .frames(let number) where number < 1:
            throw Self.refusal("Every Nth frame has an N of at least 1.")
        case .time(let step) where step <= .zero:
            throw Self.refusal("The step of time between frames is not above 0.")
        case .frames, .time: break
        }
        try checkChoice(of: frames)
        if frames.indexes.contains(.vtt) || frames.indexes.contains(.chapters) {
            throw Self.refusal("Frames are listed as json or framehash.")
        }
        if output.type == .y4m, frames.indexes.contains(.json) {
            throw Self.refusal("A stream of Y4M has no list of files.")
        }
        if frames.isListing, output != Output() {
            throw Self.refusal("Frames that are only listed have no output.")
        }
        try checkTimes(of: "Frames")
    }

    /// Throws for two ways to choose frames.
    private func checkChoice(of frames: Frames) throws(MediaError) {
        if frames.rate != nil, frames.every != .frames(1) || frames.keyframesOnly {
            throw Self.refusal("Frames at a rate are not every Nth one or keyframes.")
        }
        if case .time = frames.every, frames.keyframesOnly {
            throw Self.refusal("Frames at steps of time are not keyframes.")
        }
        let isChosen =
            frames.every != .frames(1) || frames.keyframesOnly || frames.rate != nil
        if !frames.positions.isEmpty {
            guard frames.positions.allSatisfy(\.isPosition) else {
                throw Self.refusal("Frames are taken at times, shares, numbers or chapters.")
            }
            if isChosen || frames.scenesOnly || !edit.parts.isEmpty {
                throw Self.refusal("Frames at given positions are not chosen in another way.")
            }
        }
        if frames.scenesOnly, isChosen {
            throw Self.refusal("The first frames of scenes are not chosen in another way.")
        }
    }

    /// Throws if more of the times is edited than which part of the clip is taken.
    private func checkTimes(of things: String) throws(MediaError) {
        var times = edit
        times.parts = []
        if !times.keepsAllFrames || edit.parts.count > 1 {
            throw Self.refusal("\(things) keep the times of the clip, or of one part of it.")
        }
    }

    private static func refusal(_ message: String) -> MediaError {
        MediaError(.notWritable, message)
    }
}

package import LazyMedia

extension ClipEdit {
    /// The steps of the edit in the order in which they are applied: the one list that says it.
    ///
    /// Everything that edits runs it: sequences (`FrameSequence.edited`), posters
    /// (`FrameSequence.poster(_:_:)`), single pictures (`Bitmap.edited`) and sizes (`pictureSize`).
    /// Overlays come before the cut, so that they show the times of the source; what moves by those of the result comes
    /// after it.
    package var steps: [EditStep] {
        let turn = Turn(
            degrees: shape.rotation, isMirrored: shape.isMirrored, isFlipped: shape.isFlipped,
            corners: surroundings)
        let steps: [EditStep?] = [
            shape.liesAsStored ? .lieAsStored : nil,
            shape.edges.map { .trimEdges($0) },
            shape.trimsBars ? .trim(inside: nil) : nil,
            shape.crop.map { .crop($0, gravity) },
            turn.isIdentity ? nil : .turn(turn),
            size.map { .fit($0, gravity) },
            placement.map { .place($0) },
            padding.map { .pad($0) },
            overlays.allSatisfy(\.moves) ? nil : .overlay(overlays.filter { !$0.moves }),
            keepsAllFrames ? nil : .cut(self, nil),
            overlays.contains(where: \.moves) ? .overlay(overlays.filter(\.moves)) : nil,
            matte.map { .matte($0) },
        ]
        return steps.compactMap(\.self)
    }

    /// The size of a picture after the edit; bars are not known, so that they count.
    package func pictureSize(of source: PixelSize) throws(MediaError) -> PixelSize {
        var size = source
        for step in steps { size = try step.size(of: size) }
        return size
    }
}

package import LazyMedia

extension Placement {
    /// The steps for pictures of a size.
    ///
    /// Where pictures decide which part is kept, a crop is still to be settled.
    package func steps(for size: PixelSize) -> [EditStep] {
        let layout = layout(of: size)
        let steps: [EditStep?] = [
            step(layout.part, of: size, (crop?.anchor ?? anchor).gravity),
            .fit(
                TargetSize(width: layout.scaled.width, height: layout.scaled.height, fit: .fill),
                .center),
            step(layout.kept, of: layout.scaled, anchor.gravity),
            filter.isIdentity ? nil : .filter(filter),
            .canvas(layout.canvas),
        ]
        return steps.compactMap(\.self)
    }

    /// The crop to a part, if it is not the whole.
    private func step(
        _ part: PixelRect, of whole: PixelSize, _ gravity: Gravity
    ) -> EditStep? {
        guard part != PixelRect(whole) else { return nil }
        return gravity.focus == nil ? .crop(.size(part.size), gravity) : .crop(.rect(part), gravity)
    }
}

extension EditStep {
    /// The steps that it consists of for pictures of a size.
    func expanded(for size: PixelSize) -> [EditStep] {
        if case .place(let placement) = self { placement.steps(for: size) } else { [self] }
    }
}

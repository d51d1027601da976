extension LayeredCanvas {
    /// How a frame's rectangle is disposed of before the next frame.
    package enum Disposal: Sendable {
        /// The rectangle is kept.
        case keep
        /// The rectangle becomes transparent.
        case clear
        /// The rectangle is restored to its state before the frame.
        case restore
    }

    /// Disposes of the previous frame: its rectangle is kept, cleared or restored.
    func dispose() {
        let (rect, disposal) = pending
        pending = (.empty, .keep)
        guard !rect.isEmpty, disposal != .keep else { return }
        if disposal == .clear {
            fill(rect)
            isOpaque = false
        } else {
            restore(rect)
            isOpaque = wasOpaque
        }
        didChange(rect)
    }

    /// Keeps the pixels that the next disposal restores.
    func save(_ rect: PixelRect) {
        wasOpaque = isOpaque
        if saved.count < rect.pixelCount { saved = Array(repeating: 0, count: rect.pixelCount) }
        saved.withUnsafeMutableBufferPointer { saved in
            guard let target = saved.baseAddress else { return }
            forEachRow(rect) { pixels, row in
                (target + row * rect.width).update(from: pixels, count: rect.width)
            }
        }
    }

    private func restore(_ rect: PixelRect) {
        saved.withUnsafeBufferPointer { saved in
            guard let source = saved.baseAddress else { return }
            forEachRow(rect) { pixels, row in
                pixels.update(from: source + row * rect.width, count: rect.width)
            }
        }
    }
}

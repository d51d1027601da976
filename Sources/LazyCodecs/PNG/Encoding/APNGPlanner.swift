internal import CKernels
internal import LazyMedia

/// Decides how each frame is drawn: the disposal of the previous one, and its own rectangle.
///
/// The first frame fills the canvas. Each other one is compared with the canvas after each disposal
/// of the last frame, and is written as the rectangle that differs, with unchanged pixels
/// transparent where that is smaller.
struct APNGPlanner {
    private let mode: APNGMode
    private let effort: APNGEffort
    /// The canvas with the last frame, and before it.
    private var shown: Bitmap?
    private var before: Bitmap?
    private var last: APNGJob?

    init(_ mode: APNGMode, _ effort: APNGEffort) {
        self.mode = mode
        self.effort = effort
    }

    /// A way to draw a frame.
    private struct Alternative {
        var disposal: LayeredCanvas.Disposal
        var base: Bitmap
        var changes: cscanline_changes
    }

    /// Plans a frame; returns the previous one, which is now final.
    mutating func add(_ bitmap: Bitmap, delay: APNGDelay) throws(MediaError) -> APNGJob? {
        let settled = last
        guard let shown, let settled else {
            last = APNGJob(
                cscanline_changes(from: nil, to: bitmap), of: bitmap, over: nil, delay: delay)
            shown = bitmap
            return nil
        }
        let alternatives = try alternatives(to: bitmap, from: shown, after: settled)
        let (job, way) = try best(of: alternatives, for: bitmap, delay: delay)
        settled.disposal = way.disposal
        before = way.base
        self.shown = bitmap
        last = job
        return settled
    }

    /// The last frame.
    mutating func finish() -> APNGJob? {
        defer { last = nil }
        return last
    }

    private func alternatives(
        to bitmap: Bitmap, from shown: Bitmap, after last: APNGJob
    ) throws(MediaError) -> [Alternative] {
        let plain = Alternative(
            disposal: .keep, base: shown, changes: cscanline_changes(from: shown, to: bitmap))
        guard effort.tries, plain.changes.count > 0 else { return [plain] }
        var alternatives = [plain]
        if !bitmap.isOpaque {
            let cleared = try shown.clearing(last.changes)
            alternatives.append(
                Alternative(
                    disposal: .clear, base: cleared,
                    changes: cscanline_changes(from: cleared, to: bitmap)))
        }
        if let before {
            alternatives.append(
                Alternative(
                    disposal: .restore, base: before,
                    changes: cscanline_changes(from: before, to: bitmap)))
        }
        return alternatives.filter { way in
            way.disposal == .keep || way.changes.count < plain.changes.count
                || way.changes.width * way.changes.height
                    < plain.changes.width * plain.changes.height
                || way.changes.can_lie_over > plain.changes.can_lie_over
        }
    }

    private func best(
        of alternatives: [Alternative], for bitmap: Bitmap, delay: APNGDelay
    ) throws(MediaError) -> (APNGJob, Alternative) {
        var candidates: [(APNGJob, Alternative)] = []
        for way in alternatives {
            let changes = drawn(way.changes, bitmap.size)
            let area = changes.width * changes.height
            let leavesEnough = effort.tries ? changes.count < area : changes.count * 8 < area
            if changes.count == 0 || changes.can_lie_over != 0 && leavesEnough, mode.canLeave {
                candidates.append(
                    (APNGJob(changes, of: bitmap, over: way.base, delay: delay), way))
                if !effort.tries || changes.count == 0 { break }
            }
            candidates.append((APNGJob(changes, of: bitmap, over: nil, delay: delay), way))
        }
        guard candidates.count > 1, effort.tries else { return candidates[0] }
        var least = (place: 0, byteCount: Int.max)
        for (place, candidate) in candidates.enumerated() {
            let byteCount = try candidate.0.estimate(mode, effort) ?? .max
            if byteCount < least.byteCount { least = (place, byteCount) }
        }
        return candidates[least.place]
    }
}

extension APNGPlanner {
    /// The rectangle to draw for changes, at least one pixel.
    ///
    /// Some readers (FFmpeg among them) unpack bits for the whole canvas only.
    private func drawn(_ changes: cscanline_changes, _ size: PixelSize) -> cscanline_changes {
        var rect = changes
        if mode.depth < 8 {
            (rect.x, rect.y, rect.width, rect.height) = (0, 0, size.width, size.height)
        } else if changes.count == 0 {
            (rect.width, rect.height) = (1, 1)
        }
        return rect
    }
}

extension Bitmap {
    /// The picture with a rectangle cleared.
    fileprivate func clearing(_ rect: cscanline_changes) throws(MediaError) -> Bitmap {
        try Bitmap(size: size, isOpaque: false) { rows in
            withBytes { rows.copyMemory(from: $0) }
            guard let pixels = rows.bindMemory(to: UInt32.self).baseAddress else { return }
            for y in rect.y..<(rect.y + rect.height) {
                (pixels + y * size.width + rect.x).update(repeating: 0, count: rect.width)
            }
        }
    }
}

internal import CScanline
internal import LazyMedia

/// Decides how each frame is drawn: what is left of the last one, and what is laid upon it.
///
/// The first frame fills the canvas. Each other one is compared with what the canvas would show if
/// the last frame stayed, were cleared or had never been, and is written as the rectangle that
/// differs, with what stays left out where that makes it smaller.
struct APNGPlanner {
    private let mode: APNGMode
    private let effort: APNGEffort
    /// The last frame, as it is shown, and what the canvas showed before it.
    private var shown: Bitmap?
    private var before: Bitmap?
    private var last: APNGJob?

    init(_ mode: APNGMode, _ effort: APNGEffort) {
        self.mode = mode
        self.effort = effort
    }

    /// A way to draw a frame.
    private struct Way {
        var disposal: LayeredCanvas.Disposal
        var base: Bitmap
        var changes: cscanline_changes
    }

    /// Plans a frame; returns the one before, which is now settled.
    mutating func add(_ bitmap: Bitmap, delay: APNGDelay) throws(MediaError) -> APNGJob? {
        let settled = last
        guard let shown, let settled else {
            last = APNGJob(
                cscanline_changes(from: nil, to: bitmap), of: bitmap, over: nil, delay: delay)
            shown = bitmap
            return nil
        }
        let ways = try ways(to: bitmap, from: shown, after: settled)
        let (job, way) = try best(of: ways, for: bitmap, delay: delay)
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

    private func ways(
        to bitmap: Bitmap, from shown: Bitmap, after last: APNGJob
    ) throws(MediaError) -> [Way] {
        let plain = Way(
            disposal: .keep, base: shown, changes: cscanline_changes(from: shown, to: bitmap))
        guard effort.tries, plain.changes.count > 0 else { return [plain] }
        var ways = [plain]
        if !bitmap.isOpaque {
            let cleared = try shown.clearing(last.changes)
            ways.append(
                Way(
                    disposal: .clear, base: cleared,
                    changes: cscanline_changes(from: cleared, to: bitmap)))
        }
        if let before {
            ways.append(
                Way(
                    disposal: .restore, base: before,
                    changes: cscanline_changes(from: before, to: bitmap)))
        }
        return ways.filter { way in
            way.disposal == .keep || way.changes.count < plain.changes.count
                || way.changes.width * way.changes.height
                    < plain.changes.width * plain.changes.height
                || way.changes.can_lie_over > plain.changes.can_lie_over
        }
    }

    private func best(
        of ways: [Way], for bitmap: Bitmap, delay: APNGDelay
    ) throws(MediaError) -> (APNGJob, Way) {
        var candidates: [(APNGJob, Way)] = []
        for way in ways {
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
    /// The rectangle to draw for changes: a pixel at least.
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
    /// The picture with a rectangle of it transparent.
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

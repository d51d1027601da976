/// Finds loops in a run of frames; pure.
struct LoopFinding {
    /// The shortest loop.
    let least: Duration
    /// The longest loop.
    let most: Duration

    /// A loop: the frame at `end` is similar to that at `start`, and so are those around them.
    struct Loop: Hashable {
        var start: Int
        var end: Int
        /// The step from end to start relative to the steps around; 1 means no jump.
        var jump: Double
    }

    /// The best loop of consecutive frames, or nil if all would jump.
    ///
    /// O(frames²) comparisons of small pictures.
    func find(_ frames: [FrameFeatures], cuts: [Int]) -> Loop? {
        let steps = frames.indices.map { $0 == 0 ? 0 : frames[$0].difference(frames[$0 - 1]) }
        var best: (loop: Loop, worth: Double)?
        for start in frames.indices.dropFirst() {
            for end in frames.indices where end > start && end + 1 < frames.count {
                let length = frames[end].time - frames[start].time
                guard length >= least, length <= most,
                    !cuts.contains(where: { $0 > start - 1 && $0 <= end + 1 })
                else { continue }
                guard let jump = jump(frames, steps, start, end) else { continue }
                // A longer loop may jump a little more.
                let worth = -jump + 0.3 * (length / most)
                if best.map({ worth > $0.worth }) ?? true {
                    best = (Loop(start: start, end: end, jump: jump), worth)
                }
            }
        }
        return best?.loop
    }

    /// The seam relative to the steps around it, or nil if it is visible.
    private func jump(
        _ frames: [FrameFeatures], _ steps: [Float], _ start: Int, _ end: Int
    ) -> Double? {
        let seam = frames[end].difference(frames[start])
        // The frames before and after must match too, so that motion continues.
        let before = frames[end - 1].difference(frames[start - 1])
        let after = frames[end + 1].difference(frames[start + 1])
        let usual = (steps[start] + steps[end] + steps[start + 1] + steps[end + 1]) / 4
        let worst = max(seam, before, after)
        guard worst <= max(0.003, 0.6 * usual) else { return nil }
        // There has to be motion in between: a still scene needs no loop.
        let away = (start...end).map { frames[$0].difference(frames[start]) }.max() ?? 0
        guard away > max(0.015, 4 * worst) else { return nil }
        return Double(worst / max(usual, 0.002))
    }
}
